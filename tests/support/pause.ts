import { setTimeout } from 'node:timers/promises'

/**
 * The one pause of the tests, for where time itself is meant: something goes on beside for a while, a kill comes at any moment, or
 * what must not happen is given the time to. A test passes however long it takes; what will happen is waited for with `until`.
 * @param _why what the time is for
 */
export const pause = (milliseconds: number, _why: string): Promise<void> => setTimeout(milliseconds)

/** Performs what has to last a while, and how much longer on a busy machine is all the same. @throws when it ended sooner */
export async function lastsAtLeast<T>(milliseconds: number, perform: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const answer = await perform()
  const lasted = performance.now() - begun
  // Timers are rounded to milliseconds.
  if (lasted < milliseconds - 2) throw new Error(`lasted ${lasted} ms, not ${milliseconds}`)
  return answer
}
