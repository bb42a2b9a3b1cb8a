import type { ReplyOf } from '../api/operations.ts'
import type { SourceIssue } from './shapes.ts'

/** A part of what is known of an app. */
export type FreshnessPart = ReplyOf<'get_competitor'>['freshness'][number]['part']

/** After how many days a part of an app is worth being read anew. Charts and result pages change daily, listings do not. */
export const staleAfterDays: Record<FreshnessPart, number> = {
  record: 7,
  similar: 60,
  organic: 14,
  aso: 2,
  estimates: 7,
  media: 30,
  charts: 2,
}

export const isStale = (part: FreshnessPart, observedAt: string, now = Date.now()): boolean =>
  now - Date.parse(observedAt) > staleAfterDays[part] * 86_400_000

export const staleRule = (part: FreshnessPart): string => `Out of date after ${staleAfterDays[part]} days.`

/** Source issues without duplicates, longest first. */
export function distinctIssues(issues: readonly SourceIssue[]): SourceIssue[] {
  const distinct = new Map<string, SourceIssue>()
  for (const trouble of issues) {
    const key = `${trouble.source} ${trouble.surface} ${trouble.country} ${trouble.kind}`
    const known = distinct.get(key)
    if (!known || trouble.since < known.since) distinct.set(key, trouble)
  }
  return [...distinct.values()].sort((a, b) => (a.since < b.since ? -1 : 1))
}

/** How old the evidence of a reply is. */
export type AsOf = ReplyOf<'get_competitor'>['asOf']

/** Arguments that name past days as the last to be shown or compared: their evidence is old because it was asked for. */
const ofThePast: ReadonlySet<string> = new Set(['date', 'comparedWith', 'to', 'publishedTo', 'startedTo'])

/**
 * The oldest evidence that the schedule has late, among reads: undefined where none is. Reads of past days are left out.
 * @param reads arguments and reply of each, which may be a list of pages
 */
export function oldestLate(reads: readonly { given: unknown; reply: unknown }[]): AsOf | undefined {
  const late = reads.flatMap(({ given, reply }) => {
    if (Object.keys(Object(given)).some((name) => ofThePast.has(name))) return []
    const { asOf, pages } = Object(reply) as { asOf?: AsOf; pages?: readonly { asOf?: AsOf }[] }
    const found = asOf ?? pages?.[0]?.asOf
    return found?.state === 'late' ? [found] : []
  })
  return late.toSorted((one, other) => ((one.since ?? '') < (other.since ?? '') ? -1 : 1))[0]
}
