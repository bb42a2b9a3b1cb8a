import { chartKinds } from '../../../src/vocabulary/chart-kinds.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { compactSearch, dayParam, flagParam, listParam, oneOfParam, textParam } from '../../ui/search-params.ts'
import { windows } from './window.ts'

/** Storefronts that are drawn beside each other at most. */
export const mostStorefronts = 6

/** The search parameters of the ranks tab. */
export const ranksSearch = (search: Record<string, unknown>) =>
  compactSearch({
    countries: listParam(
      search.countries,
      storefronts.map(({ code }) => code),
      mostStorefronts,
    ),
    charts: listParam(search.charts, chartKinds),
    categoryId: textParam(search.categoryId, 10),
    device: oneOfParam(search.device, ['iphone', 'ipad', 'both'] as const),
    last: oneOfParam(search.last, windows),
    from: dayParam(search.from),
    to: dayParam(search.to),
    log: flagParam(search.log),
    marks: flagParam(search.marks),
    rivalMarks: flagParam(search.rivalMarks),
  })
