import type { organic as contract } from '../../contract/organic.ts'
import type { Enqueue } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import { type Handlers, notBuilt } from '../door.ts'

export function organicHandlers(_db: Database, _enqueue: Enqueue): Handlers<typeof contract> {
  return {
    search_organic_content: notBuilt,
    get_organic_content: notBuilt,
    list_saved_organic_content: notBuilt,
    save_organic_content: notBuilt,
    remove_saved_organic_content: notBuilt,
  }
}
