import type { z } from 'zod'
import type { Evidence } from '../contract/shapes/evidence.ts'
import type { Visibility } from '../contract/shapes/visibility.ts'
import { keywordMatrix, type MatrixCell, type MatrixSubject } from '../domain/aso/keywords/keyword-matrix.ts'
import type { Database } from '../storage/database.ts'
import { isStoreId } from '../vocabulary/ids.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import { searchSurface, visibilityShape } from './aso-facts.ts'
import { evidenceOf } from './evidence.ts'
import { refuseInput } from './problem.ts'

/** Apps that stand side by side. */
const mostSubjects = 6

/** Keywords by apps, as `GET /keyword-matrix` answers. */
export interface KeywordMatrixReply {
  /** In the order asked for. `visibility` is over all `total` terms: those of one storefront can be compared. */
  subjects: (MatrixSubject & { visibility: z.output<typeof Visibility> })[]
  total: number
  surface: string
  /** Terms for which most subjects rank first, at most 300. `pages` by storefront: the page that the ranks there are of. */
  items: { term: string; cells: MatrixCell[]; pages: Record<string, z.output<typeof Evidence>> }[]
}

export type ReadKeywordMatrix = (accountId: string, apps: readonly string[]) => Promise<KeywordMatrixReply>

/**
 * @param apps each a store id and a storefront, such as `9000000001.us`
 * @throws Problem `invalid-request`
 */
export async function readKeywordMatrix(
  db: Database,
  accountId: string,
  apps: readonly string[],
): Promise<KeywordMatrixReply> {
  const subjects = subjectsIn(apps)
  const { total, rows, ranked } = await keywordMatrix(db, accountId, subjects)
  return {
    subjects: subjects.map((subject, at) => ({
      ...subject,
      visibility: visibilityShape(ranked[at] ?? [], subject.country),
    })),
    total,
    surface: searchSurface,
    items: rows.map(({ term, cells, pages }) => ({
      term,
      cells,
      pages: Object.fromEntries(
        pages.map(({ country, pageAt, reading }) => [country, evidenceOf(reading, pageAt, country)]),
      ),
    })),
  }
}

function subjectsIn(apps: readonly string[]): MatrixSubject[] {
  if (apps.length === 0 || apps.length > mostSubjects || new Set(apps).size < apps.length)
    refuseInput([
      {
        pointer: '/query/app',
        message: `must be given 1 to ${mostSubjects} times, each app and storefront once`,
      },
    ])
  return apps.map((text, index) => {
    const [storeId = '', country = '', ...more] = text.split('.')
    if (more.length > 0 || !isStoreId(storeId) || !isStorefront(country))
      refuseInput([
        {
          pointer: `/query/app/${index}`,
          message: 'must be a store id and a storefront, such as 9000000001.us',
        },
      ])
    return { storeId, country }
  })
}
