import { storeIsAway, tookTooLong } from '../storage/store.ts'
import { Problem } from './problem.ts'

/** Runs work that needs the store. Turns an unreachable store, or one that cannot be written, into an expected failure. */
export async function withStore<T>(perform: () => Promise<T>): Promise<T> {
  try {
    return await perform()
  } catch (error) {
    if (storeIsAway(error))
      throw new Problem(
        'unavailable',
        'The store cannot be reached, or cannot write, right now. Try again shortly.',
      )
    if (tookTooLong(error))
      throw new Problem(
        'unavailable',
        'The store took too long over this request, and it was ended; nothing was changed. Ask for less, or try again shortly.',
      )
    throw error
  }
}
