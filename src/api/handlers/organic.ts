import type { organic as contract } from '../../contract/organic.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import type { Handlers } from '../door.ts'
import { getOrganicContent } from './organic-post.ts'
import { searchOrganicContent } from './organic-search.ts'
import { listSavedOrganicContent, removeSavedOrganicContent, saveOrganicContent } from './saved-posts.ts'

export function organicHandlers(db: Database, enqueue: Enqueue): Handlers<typeof contract> {
  return {
    search_organic_content: (input, caller) => searchOrganicContent(db, caller.accountId, input),
    get_organic_content: (input, caller) => getOrganicContent(db, caller.accountId, input),
    list_saved_organic_content: (input, caller) => listSavedOrganicContent(db, caller.accountId, input),
    save_organic_content: (input, caller) => saveOrganicContent(db, enqueue, caller.accountId, input),
    remove_saved_organic_content: (input, caller) => removeSavedOrganicContent(db, caller.accountId, input),
  }
}
