import { sql } from 'kysely'
import { bigintId } from '../../storage/ids.ts'
import { namedReadingAt } from '../evidence/queries.ts'
import type { ObservedReading } from '../evidence/reading.ts'

/** The newest observation of any post linked to an app: one row, or none. */
export const newestSightingOf = (storeId: string) => sql<ObservedReading>`
  with newest as materialized (
    -- Answered from indexes alone; the rows of posts are wide.
    select post_number, (select max(observed_at) from post_metrics where post_number = g.post_number) as observed_at
    from post_links g where store_id = ${bigintId(storeId)}
    order by observed_at desc, post_number limit 1
  ), m as materialized (
    select m.observed_at, m.reading_id from newest join post_metrics m using (post_number, observed_at)
  )
  select m.observed_at as "observedAt", ${namedReadingAt(sql`r`, sql`m.observed_at`)}
  from m join readings r using (reading_id)`
