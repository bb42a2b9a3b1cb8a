import { setTimeout } from 'node:timers/promises'

/** Polls until the answer passes, for jobs without a fixed duration. @throws the last answer after four minutes: it hangs */
export async function until<T>(ask: () => T | Promise<T>, passes: (answer: T) => boolean): Promise<T> {
  // Not the time of day, which a test may have stopped.
  const deadline = performance.now() + 240_000
  for (let pauseMs = 2; ; pauseMs = Math.min(50, 2 * pauseMs)) {
    const answer = await ask()
    if (passes(answer)) return answer
    if (performance.now() > deadline) throw new Error(`never came true: ${JSON.stringify(answer)}`)
    await setTimeout(pauseMs)
  }
}

/** Waits until something is so. */
export async function untilTrue(ask: () => boolean | Promise<boolean>): Promise<void> {
  await until(ask, (isTrue) => isTrue)
}
