import type { ReplyOf } from '../../api/operations.ts'

type Part = ReplyOf<'get_competitor'>['freshness'][number]['part']

/** Days after which a part is called stale: somewhat more than the pace at which it usually changes or is collected. */
const staleAfterDays: Record<Part, number> = {
  charts: 3,
  estimates: 3,
  aso: 8,
  record: 14,
  media: 30,
  similar: 30,
  organic: 30,
}

export const isStale = (part: Part, observedAt: string, now = Date.now()): boolean =>
  now - Date.parse(observedAt) > staleAfterDays[part] * 86_400_000

export const staleRule = (part: Part): string =>
  `Called stale when it is older than ${staleAfterDays[part]} days.`
