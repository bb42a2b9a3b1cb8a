import type { aso as contract } from '../../contract/aso.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { Handlers } from '../door.ts'
import type { Replies } from '../remembered-replies.ts'
import { searchApps } from './app-search.ts'
import { listAsoApps } from './aso-apps.ts'
import { addAsoKeywords, removeAsoKeyword } from './aso-keywords.ts'
import { refreshApp, refreshKeyword } from './aso-refresh.ts'
import { removeAsoApp, trackAsoApp, updateAsoAppRole } from './aso-tracking.ts'
import { getAsoWorkstation } from './aso-workstation.ts'
import { exploreKeyword } from './keyword-exploration.ts'
import { keywordGap } from './keyword-gap.ts'

export function asoHandlers(
  db: Database,
  enqueue: Enqueue,
  collecting: Collecting,
  replies: Replies,
): Handlers<typeof contract> {
  return {
    list_aso_apps: (input, { accountId }) => listAsoApps(db, collecting, accountId, input),

    track_aso_app: {
      ask: (input, { accountId }) => trackAsoApp(db, enqueue, collecting, accountId, input),
    },

    get_aso_workstation: (input, { accountId }) => getAsoWorkstation(db, collecting, replies, accountId, input),

    update_aso_app_role: (input, { accountId }) => updateAsoAppRole(db, accountId, input),

    remove_aso_app: (input, { accountId }) => removeAsoApp(db, accountId, input),

    add_aso_keywords: (input, { accountId }) => addAsoKeywords(db, accountId, input),

    remove_aso_keyword: (input, { accountId }) => removeAsoKeyword(db, accountId, input),

    refresh_aso_app: (input, caller) => refreshApp(db, enqueue, collecting, input, caller),

    get_aso_keyword_gap: (input, caller) => keywordGap(db, input, caller),

    search_ios_apps: { ask: (input) => searchApps(db, collecting, input) },

    explore_aso_keyword: (input, caller) => exploreKeyword(db, collecting, input, caller),

    refresh_aso_keyword: (input, caller) => refreshKeyword(db, enqueue, collecting, input, caller),
  }
}
