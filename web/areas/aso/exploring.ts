import { read } from '../../api/operations.ts'
import type { Country } from '../../evidence/shapes.ts'

/** Places of the result page that are read at first, and all that a page can have. */
const [someResults, allResults] = [50, 200]

/** What is stored about a keyword. */
export const exploring = (query: string, country: Country, all: boolean) =>
  read('explore_aso_keyword', { query, country, limit: all ? allResults : someResults })
