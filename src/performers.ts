import type { Performers } from './jobs/worker.ts'
import type { Database } from './storage/database.ts'

/** What each kind of work does, over one store. */
export function performersOn(_db: Database): Performers {
  return {}
}
