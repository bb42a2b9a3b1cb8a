import { type RawBuilder, sql } from 'kysely'

/** What somebody writes when saving a creative: null clears a note, and what is left out stays as it was. */
export interface Saving {
  note: string | null | undefined
  tags: readonly string[] | undefined
}

/** The values of a new row: the note, and the tags. An empty note is none, and a tag given twice is one. */
export const savedValues = ({ note, tags }: Saving) => sql`${note || null}, ${textArray([...new Set(tags)])}`

/** Changes of an earlier row, which the statement calls `s`, by what was given. */
export const savedChanges = ({ note, tags }: Saving) => sql`
  note = ${note === undefined ? sql`s.note` : sql`excluded.note`},
  tags = ${tags === undefined ? sql`s.tags` : sql`excluded.tags`}`

/** Texts as an array, whatever stands in them. */
export const textArray = (texts: readonly string[]) =>
  sql`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`

/** What an account wrote when it saved something, and when, as another store has it. */
export interface Mark {
  savedAt: string
  note: string | null
  tags: readonly string[]
}

/** What became of a mark that is brought: of `other` ones the account wrote something else here, which stays. */
export type MarkFate = 'stored' | 'unchanged' | 'other' | 'not-stored'

/**
 * The fates of marks that a statement has tried to write: whether what they are of is stored, was written, or had such a mark
 * before, which the statement calls `s`.
 */
export const markFate = (isStored: RawBuilder<unknown>, isWritten: RawBuilder<unknown>) => sql<MarkFate>`
  case when not ${isStored} then 'not-stored'
    when ${isWritten} then 'stored'
    when s.saved_at = sent."savedAt" and s.note is not distinct from sent.note and s.tags = ${tagsOfSent} then 'unchanged'
    else 'other' end`

/** The tags of a mark that came in as JSON. */
export const tagsOfSent = sql`array(select json_array_elements_text(sent.tags))`
