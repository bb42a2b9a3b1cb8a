import type { z } from 'zod'
import type { SavedMark } from '../contract/shapes/creatives.ts'

/** The account's own notes on a saved creative in the form of replies; null when it has not saved it. */
export function savedMark(row: {
  savedAt: Date | null
  note: string | null
  tags: string[] | null
}): z.output<typeof SavedMark> | null {
  if (row.savedAt === null) return null
  return { savedAt: row.savedAt.toISOString(), note: row.note, tags: row.tags ?? [] }
}
