import { sql } from 'kysely'

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
