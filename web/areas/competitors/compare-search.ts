import { mostCompared, subjectsIn, subjectsText } from '../../evidence/compared.ts'
import { defaultCountry } from '../../evidence/country.ts'
import { isCountry } from '../../evidence/storefronts.ts'
import { compactSearch, oneOfParam, sortParam, textParam } from '../../ui/search-params.ts'

/** Keywords for which some of the apps rank, or all of them. */
export const matrixFilters = ['some', 'every'] as const

const columns = ['term', ...Array.from({ length: mostCompared }, (_, at) => `app${at + 1}`)]

export const compareSearch = ({ country, apps, q, show, sort }: Record<string, unknown>) =>
  compactSearch({
    apps: subjectsText(subjectsIn(apps, isCountry(country) ? country : defaultCountry())) || undefined,
    q: textParam(q),
    show: oneOfParam(show, matrixFilters),
    sort: sortParam(sort, columns),
  })
