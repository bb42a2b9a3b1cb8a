import type { FastifyInstance } from 'fastify'
import type { ReadAppSummaries } from '../api/app-summaries.ts'
import type { Caller } from '../api/caller.ts'
import type { ReadChartRanks } from '../api/chart-ranks.ts'
import type { KeywordFilters } from '../api/keyword-filters.ts'
import type { ReadKeywordMatrix } from '../api/keyword-matrix.ts'
import { refuseInput } from '../api/problem.ts'
import { besideContract } from './beside-contract.ts'
import type { OperationDoors } from './operations.ts'

/** Reads for one page each, outside the contract; one that is left out does not exist. */
export interface PageReads {
  readKeywordMatrix?: ReadKeywordMatrix
  readAppSummaries?: ReadAppSummaries
  readChartRanks?: ReadChartRanks
}

/**
 * `/keyword-matrix?app=9000000001.us&app=…`: ranks of up to six apps for the same keywords, for the page that compares them.
 * `/app-summaries?country=us&app=9000000001&app=…`: rating, price and category of the apps of a chart, for its page.
 * `/chart-ranks?country=us&chart=top-free&categoryId=36&device=iphone&until=2026-11-20`: a month of a chart, for its heat map.
 * Each with the scope of the operation that tells the same of one app or one day.
 */
export function pageReadRoutes(app: FastifyInstance, doors: OperationDoors, reads: PageReads): void {
  const { readKeywordMatrix, readAppSummaries, readChartRanks } = reads
  const route = (
    name: 'keyword-matrix' | 'app-summaries' | 'chart-ranks',
    like: 'get_aso_keyword_gap' | 'search_competitors' | 'get_apple_charts',
    known: readonly string[],
    read: (given: (name: string) => string[], caller: Caller) => Promise<unknown>,
  ) =>
    besideContract(app, doors, {
      [`/${name}`]: {
        GET: async ({ caller, query }) => {
          doors.door.admit(like, caller)
          const other = Object.keys(query).find((one) => !known.includes(one))
          if (other !== undefined)
            refuseInput([{ pointer: `/query/${other.slice(0, 50)}`, message: 'is not a known parameter' }])
          return read((one) => [query[one] ?? []].flat(), caller)
        },
      },
    })
  if (readKeywordMatrix)
    route('keyword-matrix', 'get_aso_keyword_gap', ['app'], (given, { accountId }) =>
      readKeywordMatrix(accountId, given('app')),
    )
  if (readAppSummaries)
    route('app-summaries', 'search_competitors', ['country', 'app'], (given) =>
      readAppSummaries(given('country').join(), given('app')),
    )
  if (readChartRanks) {
    const known = ['country', 'chart', 'categoryId', 'device', 'until'] as const
    route('chart-ranks', 'get_apple_charts', known, (given) =>
      readChartRanks(
        Object.fromEntries(
          known.map((name) => {
            const [value, ...more] = given(name)
            return [name, more.length > 0 ? [value, ...more] : value]
          }),
        ),
      ),
    )
  }
}

/**
 * `/keyword-filters`: the filters of keywords that an account keeps by name, for the page of an app's keywords
 * (docs/decisions/0120-saved-filters.md).
 */
export function keywordFilterRoutes(
  app: FastifyInstance,
  doors: OperationDoors,
  filters: KeywordFilters,
): void {
  besideContract(app, doors, {
    '/keyword-filters': {
      GET: async ({ caller }) => ({ items: await filters.list(caller) }),
      PUT: ({ caller, body }) => filters.keep(caller, body),
      DELETE: ({ caller, query }) => filters.remove(caller, query),
    },
  })
}
