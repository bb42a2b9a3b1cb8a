import type { ChangeArea } from '../vocabulary/evidence-areas.ts'
import type { Rests } from './change-times.ts'

interface Row {
  /** The areas in which everything is counted that it reads: a table of the store is in each (tests/remembered-scopes.test.ts). */
  areas: readonly ChangeArea[]
  /** What of them: everything, the storefront of its arguments, or the app in it. */
  of: 'everything' | 'storefront' | 'app'
}

/**
 * What each remembered reply depends on, beside its arguments and its account. One that shows more than its storefront in some cases says
 * so while it is made (`RestsEverywhere`).
 */
const rows = {
  get_competitor: {
    areas: ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates', 'other'],
    of: 'app',
  },
  list_competitor_categories: { areas: ['apps', 'other'], of: 'storefront' },
  get_apple_charts: { areas: ['apps', 'charts', 'keywords', 'other'], of: 'storefront' },
  get_apple_chart_history: { areas: ['apps', 'charts', 'keywords', 'other'], of: 'app' },
  search_competitors: { areas: ['apps', 'charts', 'keywords', 'other'], of: 'everything' },
  get_competitor_organic: {
    areas: ['apps', 'charts', 'keywords', 'posts', 'other', 'accounts'],
    of: 'everything',
  },
  search_organic_content: {
    areas: ['apps', 'charts', 'keywords', 'posts', 'other', 'accounts'],
    of: 'everything',
  },
  search_paid_ads: { areas: ['apps', 'charts', 'keywords', 'ads', 'other', 'accounts'], of: 'everything' },
  'untapped terms': {
    areas: ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates', 'other'],
    of: 'everything',
  },
  suggestions: {
    areas: ['apps', 'charts', 'keywords', 'posts', 'ads', 'estimates', 'other'],
    of: 'everything',
  },
} as const satisfies Record<string, Row>

/** A remembered reply: an operation, or a part of one. */
export type RememberedReply = keyof typeof rows

export const rememberedReplies: Readonly<Record<RememberedReply, Row>> = rows

/** What a reply depends on. @param asked its arguments */
export function restsOf(reply: RememberedReply, asked: object = {}): Rests {
  const { areas, of }: Row = rows[reply]
  const { country, storeId } = asked as { country?: unknown; storeId?: unknown }
  if (of === 'everything' || typeof country !== 'string') return { areas }
  return of === 'app' && typeof storeId === 'string' ? { areas, country, storeId } : { areas, country }
}
