import { storeIsAway } from '../storage/store.ts'
import { Problem } from './problem.ts'

/** Runs something that needs the store; when the store cannot be reached, that is an expected failure. */
export async function withStore<T>(perform: () => Promise<T>): Promise<T> {
  try {
    return await perform()
  } catch (error) {
    if (storeIsAway(error))
      throw new Problem('unavailable', 'The store cannot be reached right now. Try again shortly.')
    throw error
  }
}
