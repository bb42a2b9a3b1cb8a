import { type RawBuilder, sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { changeCountingQueries, countChange } from '../evidence/changes.ts'
import { type CreativeKind, matchesName, nameByColumn, nameColumns, nameColumnsSql } from './kind.ts'

/** The note and tags of a saved creative: null clears a note; fields left out stay unchanged. */
export interface Saving {
  note: string | null | undefined
  tags: readonly string[] | undefined
}

/** A text array in SQL, safe for any text. */
export const textArray = (texts: readonly string[]) =>
  sql`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`

/**
 * Saves a stored creative for an account, or updates note and tags. An empty note clears it; duplicate tags count once.
 * @param beside another write of the same statement, as a query of its `with` that refers to the row of `saved`
 * @param unless a condition under which nothing is written
 * @returns undefined when the creative is not stored; `created` is null when nothing was written
 */
export function saveCreative<Name extends object>(
  db: Database,
  kind: CreativeKind<Name>,
  accountId: string,
  name: Name,
  { note, tags }: Saving,
  beside: RawBuilder<unknown>,
  unless: RawBuilder<boolean>,
): Promise<{ number: string; created: boolean | null } | undefined> {
  return firstRow(
    db,
    sql<{ number: string; created: boolean | null }>`
      with item as (
        select ${sql.ref(kind.number)}, ${nameColumnsSql(kind)} from ${sql.table(kind.items)} where ${matchesName(kind, name)}
      ), saved as (
        insert into ${sql.table(kind.saved)} as s (account_id, ${nameColumnsSql(kind)}, note, tags)
        select ${accountId}::uuid, ${nameColumnsSql(kind)}, ${note || null}, ${textArray([...new Set(tags)])} from item
        where not ${unless}
        on conflict (account_id, ${nameColumnsSql(kind)}) do update
          set note = ${note === undefined ? sql`s.note` : sql`excluded.note`},
            tags = ${tags === undefined ? sql`s.tags` : sql`excluded.tags`}
        -- Only a row that was there before is locked for its change, which xmax shows.
        returning xmax = 0 as created
      ), ${beside}, ${changeCountingQueries(['accounts'], sql`exists (select from saved)`)}
      select ${sql.ref(kind.number)}::text as number, created from item left join saved on true`,
  )
}

/**
 * Removes a creative from those an account saved, if it is one of them.
 * @returns whether it is stored
 */
export async function unsaveCreative<Name extends object>(
  db: Database,
  kind: CreativeKind<Name>,
  accountId: string,
  name: Name,
): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      with gone as (
        delete from ${sql.table(kind.saved)} where account_id = ${accountId} and ${matchesName(kind, name)}
      ), stored as (
        select ${sql.ref(kind.number)} from ${sql.table(kind.items)} where ${matchesName(kind, name)}
      ), ${changeCountingQueries(['accounts'], sql`exists (select from stored)`)}
      select from stored`,
  )
  return found !== undefined
}

/** An account's note and tags of a saved creative with the time, as exported from another store. */
export interface ImportedSavedMark {
  savedAt: string
  note: string | null
  tags: readonly string[]
}

/** The outcome of an imported mark; `other`: the account has a different mark here, which stays; `too-many` tags with those here. */
export type MarkImportOutcome = 'stored' | 'unchanged' | 'other' | 'too-many' | 'not-stored'

/** Most tags of a saved creative. */
export const mostTags = 20

/**
 * Imports marks of an account; each creative once.
 * @param adds whether tags, and a note where there is none, are added to what the account saved here; otherwise a mark is one of
 * another store, and is as it is here or is not imported
 * @returns their outcomes, in order
 */
export async function importSavedMarks<Name extends object>(
  db: Database,
  kind: CreativeKind<Name>,
  accountId: string,
  marks: readonly (ImportedSavedMark & Name)[],
  adds = false,
): Promise<MarkImportOutcome[]> {
  const sent = marks.map((mark, place) => ({ ...mark, ...nameByColumn(kind, mark), place }))
  const texts = sql.join(nameColumns(kind).map((column) => sql`${sql.ref(column)} text`))
  const tagsSent = sql`array(select json_array_elements_text(sent.tags))`
  const union = sql`s.tags || array(
    select tag from unnest(excluded.tags) with ordinality as more(tag, place) where tag <> all (s.tags) order by place)`
  const onConflict = adds
    ? sql`(account_id, ${nameColumnsSql(kind)}) do update set note = coalesce(s.note, excluded.note), tags = ${union}
        where (s.note is null or excluded.note is null or s.note = excluded.note)
          and (not excluded.tags <@ s.tags or (s.note is null and excluded.note is not null))
          and cardinality(${union}) <= ${mostTags}`
    : sql`do nothing`
  const isSame = adds
    ? sql`(sent.note is null or s.note = sent.note) and ${tagsSent} <@ s.tags`
    : sql`s.saved_at = sent."savedAt" and s.note is not distinct from sent.note and s.tags = ${tagsSent}`
  const isTooMany = adds ? sql`s.note is null or sent.note is null or s.note = sent.note` : sql`false`
  const found = await rows(
    db,
    sql<{ outcome: MarkImportOutcome }>`
      with sent as (
        select * from json_to_recordset(${JSON.stringify(sent)}::json) as sent(
          ${texts}, "savedAt" timestamptz(3), note text, tags json, place int)
      ), written as (
        insert into ${sql.table(kind.saved)} as s (account_id, ${nameColumnsSql(kind)}, saved_at, note, tags)
        select ${accountId}::uuid, ${nameColumnsSql(kind, 'i')}, sent."savedAt", sent.note, ${tagsSent}
        from sent join ${sql.table(kind.items)} i using (${nameColumnsSql(kind)})
        order by ${nameColumnsSql(kind, 'i')}
        on conflict ${onConflict}
        returning ${nameColumnsSql(kind)}, true as is_written
      )
      select case when i.${sql.ref(kind.number)} is null then 'not-stored'
        when w.is_written then 'stored'
        when ${isSame} then 'unchanged' when ${isTooMany} then 'too-many'
        else 'other' end as outcome
      from sent
      left join ${sql.table(kind.items)} i using (${nameColumnsSql(kind)})
      left join written w using (${nameColumnsSql(kind)})
      left join (select * from ${sql.table(kind.saved)} where account_id = ${accountId}::uuid) s using (${nameColumnsSql(kind)})
      order by place`,
  )
  if (found.some(({ outcome }) => outcome === 'stored')) await countChange(db, ['accounts'])
  return found.map(({ outcome }) => outcome)
}
