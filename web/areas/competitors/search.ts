import type { ArgumentsOf } from '../../api/operations.ts'
import type { Country } from '../../evidence/shapes.ts'
import { compactSearch, dayParam, numberParam, oneOfParam, textParam } from '../../ui/search-params.ts'

const sorts = ['relevance', 'rating-count', 'rating', 'released', 'updated', 'name'] as const

/** The search parameters of the page: text, filters, sort order and view. */
export const searchOfAddress = (search: Record<string, unknown>) =>
  compactSearch({
    q: textParam(search.q),
    categoryId: textParam(search.categoryId, 10),
    developerId: textParam(search.developerId, 19),
    price: oneOfParam(search.price, ['free', 'paid'] as const),
    charting: oneOfParam(search.charting, ['yes', 'no'] as const),
    minRating: numberParam(search.minRating, 0, 5),
    minRatingCount: numberParam(search.minRatingCount, 0, 1e9),
    releasedFrom: dayParam(search.releasedFrom),
    releasedTo: dayParam(search.releasedTo),
    updatedFrom: dayParam(search.updatedFrom),
    sort: oneOfParam(search.sort, sorts),
    view: oneOfParam(search.view, ['cards'] as const),
  })

export type AppFilters = ReturnType<typeof searchOfAddress>

/** The arguments of the search that an address stands for. */
export function searchArgumentsOf(
  { view: _, ...filters }: AppFilters,
  country: Country,
): ArgumentsOf<'search_competitors'> {
  return { ...filters, country, limit: 50 }
}

/**
 * The app that a text names by itself rather than by words: by its number, its address in the App Store, or its bundle id.
 * @returns undefined for words; `storeId` is null for a bundle id, whose number only the App Store knows
 */
export function appNamedBy(text: string): { reference: string; storeId: string | null } | undefined {
  const reference = text.trim()
  const number = /^(?:id)?([1-9]\d{5,18})$/i.exec(reference)?.[1]
  if (number) return { reference: number, storeId: number }
  const inAddress = /^https?:\/\/(?:apps|itunes)\.apple\.com\/.*\/id([1-9]\d{0,18})(?:[?#/]|$)/i.exec(
    reference,
  )?.[1]
  if (inAddress) return { reference, storeId: inAddress }
  return /^[a-z][a-z0-9-]*(?:\.[a-z0-9_-]+){2,}$/i.test(reference) ? { reference, storeId: null } : undefined
}
