import type { organic as contract } from '../../contract/organic.ts'
import type { Enqueue } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import { type Handlers, notBuilt } from '../door.ts'
import { getOrganicContent } from './organic-post.ts'

export function organicHandlers(db: Database, _enqueue: Enqueue): Handlers<typeof contract> {
  return {
    search_organic_content: notBuilt,
    get_organic_content: (input, caller) => getOrganicContent(db, caller.accountId, input),
    list_saved_organic_content: notBuilt,
    save_organic_content: notBuilt,
    remove_saved_organic_content: notBuilt,
  }
}
