import { compactSearch, dayParam, numberParam, oneOfParam, textParam } from '../../ui/search-params.ts'

export const sorts = ['relevance', 'rating-count', 'rating', 'released', 'updated', 'name'] as const

/** What the address of the search holds: the text, the filters, the order and the view. */
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

export type AppSearch = ReturnType<typeof searchOfAddress>
