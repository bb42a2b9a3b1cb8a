import { setTimeout } from 'node:timers/promises'

/** Polls until the answer passes, for jobs without a fixed duration. @throws the last failure after the timeout */
export async function until<T>(
  ask: () => Promise<T>,
  passes: (answer: T) => boolean,
  withinMs = 240_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (passes(answer)) return answer
    if (Date.now() > deadline) throw new Error(`never came true: ${JSON.stringify(answer)}`)
    await setTimeout(50)
  }
}
