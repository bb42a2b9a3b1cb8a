import type { aso as contract } from '../../contract/aso.ts'
import type { Enqueue } from '../../domain/work/work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { type Handlers, notBuilt } from '../door.ts'
import { refreshApp, refreshKeyword } from './aso-refresh.ts'

export function asoHandlers(db: Database, enqueue: Enqueue, collecting: Collecting): Handlers<typeof contract> {
  return {
    list_aso_apps: notBuilt,

    track_aso_app: notBuilt,

    get_aso_workstation: notBuilt,

    update_aso_app_role: notBuilt,

    remove_aso_app: notBuilt,

    add_aso_keywords: notBuilt,

    remove_aso_keyword: notBuilt,

    refresh_aso_app: (input, caller) => refreshApp(db, enqueue, collecting, input, caller),

    get_aso_keyword_gap: notBuilt,

    search_ios_apps: notBuilt,

    explore_aso_keyword: notBuilt,

    refresh_aso_keyword: (input) => refreshKeyword(db, enqueue, collecting, input),
  }
}
