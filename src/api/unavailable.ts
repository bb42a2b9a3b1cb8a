import { storeIsAway, tookTooLong } from '../storage/store.ts'
import { Problem } from './problem.ts'

/** Runs something that needs the store; when that cannot be reached or cannot write, it is an expected failure. */
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
