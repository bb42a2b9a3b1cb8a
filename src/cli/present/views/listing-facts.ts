import type { Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { number } from '../numbers.ts'
import { textCell } from './parts.ts'
import type { ReplyOf } from './view.ts'

type Record = ReplyOf<'get_competitor'>

/** The average rating with its count, or why there is none. */
export function ratingCells(rating: Record['rating'], count: Record['ratingCount']): Cell[] {
  if (rating.state !== 'measured') return [cellOf(rating, 'rating')]
  const by = count.state === 'measured' ? `by ${number(count.value)}` : ''
  return [{ text: `${rating.value.toFixed(2)} ★`, ours: true }, textCell(by, 'quiet')]
}

export const isMediaSet = (field: string) =>
  field === 'previews' || field.startsWith('screenshots') || field.endsWith('-media')

export function mediaCountOf(value: string): string {
  const count = value.split('\n').length
  return count === 1 ? '1 item' : `${count} items`
}

const dayMilliseconds = 86_400_000

/** Every date of a window, both ends counted. */
export function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(from)
  const count = Math.max(0, Math.round((Date.parse(to) - first) / dayMilliseconds)) + 1
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * dayMilliseconds).toISOString().slice(0, 10),
  )
}
