import { DateTime } from 'luxon'
import type { RankChange, RankState } from '../../domain/aso/pages/rank-days.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { AppWeek, RatingsWeek } from './app-week.ts'
import type { Total } from './creatives.ts'
import type { RankedWeek } from './ranks.ts'
import type { Week } from './week.ts'

/** Phrases of a report, as plain text that is not escaped yet. */

const english = { locale: 'en' } as const

export const countWithNoun = (count: number, what: string) =>
  `${formatNumber(count)} ${what}${count === 1 ? '' : 's'}`

export const formatNumber = (value: number) => value.toLocaleString('en')

export const countryName = (country: string) => storefrontOf(country).name

/** The days of a week, such as `16–22 Nov 2026` or `30 Nov – 6 Dec 2026`. */
export function weekInWords({ days }: Week): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => DateTime.fromISO(day ?? '', { zone: 'utc' })) as [
    DateTime,
    DateTime,
  ]
  const end = last.toFormat('d LLL yyyy', english)
  if (first.hasSame(last, 'month')) return `${first.day}–${end}`
  return `${first.toFormat(first.hasSame(last, 'year') ? 'd LLL' : 'd LLL yyyy', english)} – ${end}`
}

export const momentText = (at: Date, timeZone: string) =>
  DateTime.fromJSDate(at, { zone: timeZone }).toFormat('d LLL yyyy, HH:mm', english)

export function rankInWords(rank: RankState): string {
  if (rank.state === 'measured') return `#${rank.value}`
  if (rank.state === 'not-measured') return 'no data'
  return rank.depth === 0 ? 'no results' : `not in top ${rank.depth}`
}

export function changeInWords(change: RankChange): string {
  switch (change.state) {
    case 'measured':
      return change.places === 0 ? '=' : `${change.places > 0 ? '▲' : '▼'} ${Math.abs(change.places)}`
    case 'entered':
      return '▲ new'
    case 'left':
      return '▼ out'
    case 'absent':
      return '='
    case 'not-measured':
      return 'no data'
  }
}

/** The direction of a move; undefined for none. */
export function moveDirection(change: RankChange): 'up' | 'down' | undefined {
  if (change.state === 'entered' || (change.state === 'measured' && change.places > 0)) return 'up'
  if (change.state === 'left' || (change.state === 'measured' && change.places < 0)) return 'down'
  return undefined
}

export const daysMeasured = ({ measuredDays }: RankedWeek, { days }: Week) =>
  `${measuredDays} of ${days.length}`

export function ratingsInWords(ratings: RatingsWeek | undefined): string {
  if (!ratings) return 'No rating data'
  const { rating, count, grown } = ratings
  const now = `${rating === null ? '' : `${rating.toFixed(2)} from `}${countWithNoun(count, 'rating')}`
  if (!grown) return `${now}, growth not known`
  const sign = grown.added < 0 ? '−' : '+'
  const before =
    grown.ratingThen !== null && rating !== null && grown.ratingThen.toFixed(2) !== rating.toFixed(2)
      ? `, rating was ${grown.ratingThen.toFixed(2)}`
      : ''
  return `${now}, ${sign}${formatNumber(Math.abs(grown.added))} in ${countWithNoun(grown.days, 'day')}${before}`
}

/** A change in words, such as `changed its subtitle from “a” to “b”`. */
export function listingChangeInWords({ field, from, to }: AppWeek['changes'][number]): string {
  const name = field.replaceAll('-', ' ')
  if (field === 'version')
    return `released ${truncateText(to, 20) ?? 'a version'}${from === null ? '' : ` after ${truncateText(from, 20)}`}`
  if (!quoted.has(field)) return `changed its ${name}`
  if (from === null) return `added a ${name}: “${truncateText(to, 60)}”`
  return to === null
    ? `removed its ${name}`
    : `changed its ${name} from “${truncateText(from, 60)}” to “${truncateText(to, 60)}”`
}

/** Fields whose values are short enough to be read in a line. */
const quoted: ReadonlySet<string> = new Set(['name', 'subtitle', 'developer', 'price', 'content-rating'])

export const totalInWords = ({ value, relation }: Total, what: string) =>
  `${relation === 'at-least' ? 'at least ' : ''}${countWithNoun(value, what)}`

/** The beginning of a text, with dots where something is left out. */
export function truncateText<Text extends string | null>(
  text: Text,
  most: number,
): Text extends null ? null : string
export function truncateText(text: string | null, most: number): string | null {
  if (text === null) return null
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
