import { setTimeout } from 'node:timers/promises'

/** Asks until the answer passes, for jobs that end when they end. @throws the last failure when the time is up */
export async function until<T>(
  ask: () => Promise<T>,
  passes: (answer: T) => boolean,
  withinMs = 40_000,
): Promise<T> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (passes(answer)) return answer
    if (Date.now() > deadline) throw new Error(`never came true: ${JSON.stringify(answer)}`)
    await setTimeout(50)
  }
}
