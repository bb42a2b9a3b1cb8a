import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { GroundKind, GroundPlace } from '../../vocabulary/creatives.ts'
import type { Reading } from '../evidence/reading.ts'
import { type CreativeKind, each } from './kind.ts'

/** One piece of evidence in a creative that links it to an app. A name alone is not enough. */
export interface Ground {
  /** Digits. */
  storeId: string
  kind: GroundKind
  /** As found: an address or a handle. */
  text: string
  foundIn: GroundPlace
}

/** Strongest first; links show them in this order. */
export const groundStrength = [
  'manual',
  'advertiser-link',
  'declared-handle',
  'landing-url',
  'store-url',
  'known-handle',
] as const

/** An attribution as found in an observation of a creative. */
interface FoundGround extends Ground {
  number: string
  reading: Reading
}

/**
 * Adds attributions, once for each creative, app, kind and place, from the earliest observation; of equal times the reading
 * with the greater key is named. For kinds that accounts can import, attributions from a source take precedence over
 * user-provided ones.
 */
export async function writeGrounds(
  db: Database,
  { number, grounds: { table, first } }: CreativeKind,
  grounds: readonly FoundGround[],
): Promise<void> {
  if (grounds.length === 0) return
  const sent = grounds.map((ground) => ({
    number: ground.number,
    store_id: ground.storeId,
    kind: ground.kind,
    found_in: ground.foundIn,
    text: ground.text,
    reading_id: ground.reading.readingId,
    reading_key: ground.reading.key,
    recorded_at: ground.reading.observedAt,
    brought: Boolean(ground.reading.broughtBy),
  }))
  const columns = ['text', 'reading_id', 'reading_key', 'recorded_at', ...first]
  const rank = (of: 'g' | 'excluded', other: 'g' | 'excluded'): RawBuilder<unknown> => sql`
    (${each([...first.map((column) => `${of}.${column}`), `${of}.recorded_at`])}, ${sql.ref(`${of}.text`)} collate "C",
      ${sql.ref(`${other}.reading_key`)}, ${sql.ref(`${other}.reading_id`)})`
  await sql`
    insert into ${sql.table(table)} as g (${sql.ref(number)}, store_id, kind, found_in, ${each(columns)})
    select distinct on (number, store_id, kind, found_in) number, store_id, kind, found_in, ${each(columns)}
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(number bigint, store_id bigint, kind text, found_in text,
      text text, reading_id uuid, reading_key text, recorded_at timestamptz, brought boolean)
    order by number, store_id, kind, found_in, brought, recorded_at, text collate "C", reading_key collate "C" desc, reading_id desc
    on conflict (${sql.ref(number)}, store_id, kind, found_in) do update
      set ${each(columns, (column) => sql`${column} = excluded.${column}`)}
      where ${rank('excluded', 'g')} < ${rank('g', 'excluded')}`.execute(db)
}
