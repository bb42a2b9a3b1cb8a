import type { ArgumentsOf, ReplyOf } from '../../api/operations.ts'
import type { Country } from '../../evidence/shapes.ts'
import { categoryParam, compactSearch, dayParam, oneOfParam, textParam } from '../../ui/search-params.ts'

export type EmergingApp = ReplyOf<'list_emerging_ios_competitors'>['items'][number]
export type DiscoveryRun = NonNullable<ReplyOf<'list_emerging_ios_competitors'>['lastRun']>
export type Backtest = NonNullable<DiscoveryRun['backtest']>

/** Days that a run looks at. */
export const windows = ['7', '14', '30', '60', '90'] as const
type Window = (typeof windows)[number]

export const emergingSearch = (search: Record<string, unknown>) =>
  compactSearch({
    category: categoryParam(search.category),
    window: oneOfParam(textParam(search.window), windows),
    since: dayParam(search.since),
  })

export interface EmergingSearch {
  category?: string
  window?: Window
  since?: string
}

/** A text of the service as a sentence of its own. */
export const asSentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const emergingArguments = (
  { category, window, since }: EmergingSearch,
  country: Country,
): ArgumentsOf<'list_emerging_ios_competitors'> => ({
  country,
  limit: 24,
  ...(category && { categoryId: category }),
  ...(window && { windowDays: Number(window) }),
  ...(since && { since }),
})
