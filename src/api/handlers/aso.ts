import type { aso as contract } from '../../contract/aso.ts'
import type { Enqueue } from '../../domain/work/work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { type Handlers, notBuilt } from '../door.ts'

export function asoHandlers(
  _db: Database,
  _enqueue: Enqueue,
  _collecting: Collecting,
): Handlers<typeof contract> {
  return {
    list_aso_apps: notBuilt,

    track_aso_app: notBuilt,

    get_aso_workstation: notBuilt,

    update_aso_app_role: notBuilt,

    remove_aso_app: notBuilt,

    add_aso_keywords: notBuilt,

    remove_aso_keyword: notBuilt,

    refresh_aso_app: notBuilt,

    get_aso_keyword_gap: notBuilt,

    search_ios_apps: notBuilt,

    explore_aso_keyword: notBuilt,

    refresh_aso_keyword: notBuilt,
  }
}
