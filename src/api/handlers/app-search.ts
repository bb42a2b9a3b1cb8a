import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import { newestResultPages, type ResultPageRow } from '../../domain/aso/keywords/exploration-queries.ts'
import { idsOfKnownTerms } from '../../domain/aso/pages/term-queries.ts'
import { listedApps } from '../../domain/catalogue/record-queries.ts'
import { searchCatalogue } from '../../domain/catalogue/search.ts'
import { termSubject } from '../../domain/collecting/suspects.ts'
import { type LiveSearch, searchLive } from '../../jobs/collecting/ask-while-waiting.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { surfaces } from '../../vocabulary/provenance.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { evidenceOf, sourceIssues } from '../evidence.ts'
import { appSummary } from '../listing-facts.ts'
import { upstreamProblem } from '../problem.ts'
import { searchableTerm } from '../term.ts'

type Search = Reply<(typeof contract)['search_ios_apps']>

/** Searches apps at Apple; the returned function then answers from the store. */
export async function searchApps(
  db: Database,
  collecting: CollectingClients,
  { term: text, country, limit, live }: Input<(typeof contract)['search_ios_apps']>,
): Promise<(db: Database) => Promise<Search>> {
  const term = searchableTerm(text, country, '/body/term')
  const search = live ? await searchLive(db, collecting, term, country) : undefined
  return (db) => answerTo(db, term, country, limit, search)
}

/** Apps for a term: from the page just collected, else from the newest stored one, else from the catalogue. */
async function answerTo(
  db: Database,
  term: string,
  country: StorefrontCode,
  limit: number,
  search: LiveSearch | undefined,
): Promise<Search> {
  const found = await storedFor(db, term, country, limit)
  if (search && 'message' in search && found.basis === 'none')
    throw upstreamProblem(
      search.came === 'timed-out' ? 'upstream-timeout' : 'upstream-failed',
      `${search.message}, and nothing stored fits "${term}".`,
      search.until,
    )
  const asked = search?.came === 'answered'
  return {
    term,
    country,
    answeredFrom: asked ? 'live' : 'stored',
    reason: search ? reasons[search.came] : 'not-asked',
    detail: asked
      ? `Apple was asked during this call and has ${found.depth || 'no'} ${found.depth === 1 ? 'app' : 'apps'} for the term.`
      : `${whyStored(search)}, so ${whatIsShown(found)}.`,
    ...found,
    trouble: withThisCall(
      await sourceIssues(db, ['itunes-search'], country, [termSubject(term, 'itunes-search')]),
      search,
      country,
    ),
  }
}

/** The issues of the source, with that of this very call where it is not among them. */
function withThisCall(
  trouble: Search['trouble'],
  search: LiveSearch | undefined,
  country: StorefrontCode,
): Search['trouble'] {
  const isKnown = trouble.some(({ kind }) => kind === 'failing' || kind === 'throttled')
  if (!search || !('message' in search) || isKnown) return trouble
  const surface = surfaces['itunes-search']
  return [
    ...trouble,
    {
      source: 'itunes-search',
      surface,
      country,
      kind: search.came === 'throttled' ? 'throttled' : 'failing',
      since: new Date().toISOString(),
      text: `${surface} (${country}) gave this call no answer: ${search.message}. What is shown was stored before.`,
    },
  ]
}

const reasons = {
  answered: 'asked',
  'suspect-empty': 'suspect-empty',
  'suspect-short': 'suspect-empty',
  failed: 'source-failed',
  'timed-out': 'source-timeout',
  throttled: 'source-throttled',
} as const satisfies Record<LiveSearch['came'], Search['reason']>

type Found = Pick<Search, 'basis' | 'page' | 'depth' | 'stated' | 'items'>

async function storedFor(db: Database, term: string, country: string, limit: number): Promise<Found> {
  const termId = (await idsOfKnownTerms(db, country, [term])).get(term)
  const [page] = termId === undefined ? [] : await newestResultPages(db, termId, 1)
  if (page) return fromPage(db, page, country, limit)
  const { apps } = await searchCatalogue(db, { q: term, country, filters: {}, sort: 'relevance', limit })
  return {
    basis: apps.length > 0 ? 'catalogue' : 'none',
    page: null,
    depth: null,
    stated: null,
    items: apps.map((app) => ({ position: null, app: appSummary(app) })),
  }
}

async function fromPage(db: Database, page: ResultPageRow, country: string, limit: number): Promise<Found> {
  const places = page.storeIds
    .flatMap((storeId, index) => (storeId === null ? [] : [{ storeId, position: index + 1 }]))
    .slice(0, limit)
  const apps = new Map(
    (
      await listedApps(
        db,
        places.map(({ storeId }) => storeId),
        country,
      )
    ).map((app) => [app.storeId, app]),
  )
  return {
    basis: 'result-page',
    page: evidenceOf(page, page.capturedAt, country),
    depth: page.storeIds.length,
    stated: page.stated,
    items: places.flatMap(({ storeId, position }) => {
      const app = apps.get(storeId)
      return app ? [{ position, app: appSummary(app) }] : []
    }),
  }
}

function whyStored(search: LiveSearch | undefined): string {
  if (!search) return 'Nobody was asked'
  if ('message' in search) return search.message
  return search.came === 'suspect-short'
    ? 'Apple answered with far fewer results than before'
    : 'Apple answered with nothing for a term that had results before'
}

function whatIsShown({ basis, page }: Found): string {
  if (page) return `this is the page of ${page.observedAt.slice(0, 16).replace('T', ' ')} UTC`
  return basis === 'catalogue' ? 'these are stored apps whose text matches' : 'there is nothing to show'
}
