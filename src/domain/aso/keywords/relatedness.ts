import type { Database } from '../../../storage/database.ts'
import { termWords } from '../../../text/term-words.ts'
import {
  appsOfPage,
  countTellingPages,
  countTermsOfWords,
  mostHolding,
  pagesOfApps,
  pagesOfWords,
} from './related-term-queries.ts'
import {
  fewestPages,
  fewestShared,
  isTelling,
  type RelatedTerm,
  rarity,
  relatedTerms,
} from './related-terms.ts'

/** Related terms, or why there are none. `pages`: number of other terms' pages available for comparison. */
export type Relatedness =
  | { state: 'measured'; terms: RelatedTerm[]; pages: number }
  | { state: 'absent'; pages: number }
  | { state: 'too-little-evidence' }

/** Maximum pages compared in full, for each kind of similarity. */
const pagesCompared = 200

/** @param asked a term with a page that counts */
export async function relatednessOf(
  db: Database,
  { termId, country, term }: { termId: number; country: string; term: string },
): Promise<Relatedness> {
  const [pages, apps, words] = await Promise.all([
    countTellingPages(db, country),
    appsOfPage(db, country, termId),
    countTermsOfWords(db, country, [...termWords(term, country)]),
  ])
  const top = apps.map(({ storeId }) => storeId)
  if (!isTelling({ top }) || pages - 1 < fewestPages) return { state: 'too-little-evidence' }
  const weighed = apps.map((app) => ({ ...app, weight: rarity(app.pages - 1, pages - 1) }))
  const [byApps, byWords] = await Promise.all([
    pagesOfApps(db, country, termId, weighed, pagesCompared),
    pagesOfWords(db, country, termId, words, apps, pagesCompared),
  ])
  const terms = relatedTerms({
    term,
    country,
    top,
    pages,
    pagesWith: new Map(apps.map((app) => [app.storeId, app.pages])),
    termsWith: new Map(words.map((word) => [word.word, word.terms])),
    others: [...new Map([...byApps, ...byWords].map((page) => [page.term, page])).values()],
  })
  if (terms.length > 0) return { state: 'measured', terms, pages: pages - 1 }
  const isThin = byWords.some((page) => !isTelling(page))
  // Pages that share only such common apps were not read.
  const isUnread = apps.filter((app) => app.pages > mostHolding).length >= fewestShared
  return isThin || isUnread ? { state: 'too-little-evidence' } : { state: 'absent', pages: pages - 1 }
}
