import type { competitorOperations as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import {
  appCountsByGenre,
  appInStorefront,
  type LabelRow,
  labelsOfApps,
  type StorefrontApp,
} from '../../domain/catalogue/app.ts'
import { genreName, genres } from '../../domain/catalogue/genres.ts'
import { listedApps } from '../../domain/catalogue/record-queries.ts'
import { searchCatalogue } from '../../domain/catalogue/search.ts'
import type { CatalogueFilters } from '../../domain/catalogue/search-plan.ts'
import { similarApps } from '../../domain/catalogue/similar.ts'
import { similarityFormula } from '../../domain/catalogue/similar-reasons.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { type PostFilters, searchablePosts as postSearch } from '../../domain/organic/post-search.ts'
import { summaryOfPosts } from '../../domain/organic/post-summary.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Database } from '../../storage/database.ts'
import { withPreparedStatements } from '../../storage/prepared.ts'
import type { Caller } from '../caller.ts'
import { preferredNameStorefront } from '../creative-links.ts'
import { decodeSearchCursor, nextSearchCursor } from '../creative-lists.ts'
import { decodeCursor, encodeCursor, isAnyPart, isStoreIdPart } from '../cursor.ts'
import type { Handlers } from '../door.ts'
import { sourceIssues } from '../evidence.ts'
import { appLabel, appReplyHeader, appSummary } from '../listing-facts.ts'
import { askedLanguage, localizationState, localizationsShape, localizedApp } from '../localizations.ts'
import { postShapes } from '../post-shapes.ts'
import { type Replies, withRememberedReplies } from '../remembered-replies.ts'
import { competitorNotFound, requestAddApp } from './add-app.ts'
import { competitorAso } from './competitor-aso.ts'
import { competitorMedia } from './competitor-media.ts'
import { getCompetitor, listDataRequests, requestCompetitorData } from './competitor-record.ts'
import { discoverEmergingApps, listEmergingApps } from './emerging.ts'
import { getEstimateHistory, refreshEstimates } from './estimates.ts'

type C = typeof contract

export function competitorHandlers(db: Database, enqueue: Enqueue, replies: Replies): Handlers<C> {
  const byKey = withPreparedStatements(db)
  return {
    search_competitors: withRememberedReplies(
      replies,
      'search_competitors',
      (input: Input<C['search_competitors']>) => ({ input }),
      ({ input }) => search(db, input),
    ),
    list_competitor_categories: withRememberedReplies(
      replies,
      'list_competitor_categories',
      (input: Input<C['list_competitor_categories']>) => ({ input }),
      ({ input }) => listCategories(byKey, input),
    ),
    get_competitor: withRememberedReplies(
      replies,
      'get_competitor',
      (input: Input<C['get_competitor']>, { accountId }) => ({ input, accountId }),
      ({ input, accountId }, everywhere) => getCompetitor(byKey, accountId, input, everywhere),
    ),
    get_similar_competitors: (input, caller) => getSimilar(db, caller, input),
    get_competitor_organic: withRememberedReplies(
      replies,
      'get_competitor_organic',
      (input: Input<C['get_competitor_organic']>, { accountId }) => ({ input, accountId }),
      async ({ input, accountId }) => {
        const [label] = await labelsOfApps(db, [input.storeId], preferredNameStorefront)
        if (!label) throw await competitorNotFound(db, accountId, input.storeId)
        return competitorOrganic(db, label, accountId, input)
      },
    ),
    get_competitor_aso: async (input, caller) =>
      competitorAso(
        db,
        replies,
        await catalogued(db, caller, input.storeId, input.country),
        caller.accountId,
        input,
      ),
    request_ios_competitor: (input, caller) => requestAddApp(db, enqueue, caller.accountId, input),
    list_competitor_data_requests: (input, caller) => listDataRequests(db, caller.accountId, input),
    request_competitor_data: (input, caller) => requestCompetitorData(db, caller.accountId, input),
    get_competitor_estimate_history: async (input, caller) =>
      getEstimateHistory(
        db,
        caller.accountId,
        await catalogued(db, caller, input.storeId, input.country),
        input,
      ),
    refresh_competitor_estimates: async (input, caller) => {
      await catalogued(db, caller, input.storeId, input.country)
      return refreshEstimates(db, enqueue, caller.accountId, input)
    },
    discover_emerging_ios_competitors: (input) => discoverEmergingApps(db, enqueue, input),
    list_emerging_ios_competitors: (input, caller) => listEmergingApps(db, caller.accountId, input),
    get_competitor_media: async (input, caller) =>
      competitorMedia(db, await catalogued(db, caller, input.storeId, input.country), input.kind),
  }
}

/** @throws Problem `competitor-not-found` */
async function catalogued(
  db: Database,
  { accountId }: Caller,
  storeId: string,
  country: string,
): Promise<StorefrontApp> {
  const app = await appInStorefront(db, storeId, country)
  if (app) return app
  throw await competitorNotFound(db, accountId, storeId, country)
}

async function search(
  db: Database,
  input: Input<C['search_competitors']>,
): Promise<Reply<C['search_competitors']>> {
  const { q, country, sort, limit, cursor, ...asked } = input
  const list = ['search_competitors', q, country, sort, asked]
  const [key, storeId] = decodeCursor(cursor, list, [isAnyPart, isStoreIdPart]) ?? []
  const { categoryId, ...others } = asked
  const filters: CatalogueFilters = {
    ...present(others),
    ...(categoryId ? { categoryId: Number(categoryId) } : {}),
  }
  const page = await searchCatalogue(db, {
    ...(q === undefined ? {} : { q }),
    country,
    filters,
    sort,
    limit,
    ...(key !== undefined && storeId !== undefined ? { after: { key, storeId } } : {}),
  })
  return {
    items: page.apps.map(appSummary),
    total: page.total,
    nextCursor: page.next ? encodeCursor([page.next.key, page.next.storeId], list) : null,
  }
}

/** Removes undefined values. */
function present<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

async function listCategories(
  db: Database,
  { country }: Input<C['list_competitor_categories']>,
): Promise<Reply<C['list_competitor_categories']>> {
  const counts = await appCountsByGenre(db, country)
  return {
    country,
    items: genres.map((genre) => ({
      categoryId: String(genre.id),
      name: genreName(genre.id) ?? genre.name,
      parentId: genre.parentId === null ? null : String(genre.parentId),
      apps: counts.get(genre.id) ?? 0,
    })),
  }
}

async function getSimilar(
  db: Database,
  caller: Caller,
  input: Input<C['get_similar_competitors']>,
): Promise<Reply<C['get_similar_competitors']>> {
  const app = await catalogued(db, caller, input.storeId, input.country)
  const { country } = app
  const language = input.language === undefined ? undefined : askedLanguage(input.language, country)
  const localized = language && (await localizedApp(db, app, language))
  const { items, sameDeveloper, basis } = await similarApps(
    db,
    app,
    input.limit,
    localized && language && !localized.isDefault
      ? { language, state: localized.state, listing: localized.shown?.record.facts }
      : undefined,
  )
  const records = new Map(
    (await listedApps(db, [...items.map((item) => item.storeId), ...sameDeveloper], input.country)).map(
      (found) => [found.storeId, found],
    ),
  )
  return {
    ...appReplyHeader(app),
    localizations: localizationsShape(app),
    ...(localized && language ? { localization: localizationState(country, language, localized) } : {}),
    formula: similarityFormula,
    items: items.flatMap(({ storeId, score, reasons }) => {
      const found = records.get(storeId)
      return found ? [{ app: appSummary(found), score, reasons }] : []
    }),
    sameDeveloper: sameDeveloper.flatMap((storeId) => {
      const found = records.get(storeId)
      return found ? [appSummary(found)] : []
    }),
    basis,
    trouble: await sourceIssues(db, ['app-store-page'], input.country),
  }
}

/** A page of the posts linked to an app, with a summary of all that match the filters. */
async function competitorOrganic(
  db: Database,
  app: LabelRow,
  accountId: string,
  input: Input<C['get_competitor_organic']>,
): Promise<Reply<C['get_competitor_organic']>> {
  const { platform: _platform, storeId: _storeId, limit, cursor, ...asked } = input
  const { sort, saved, ...others } = asked
  const list = ['get_competitor_organic', accountId, app.storeId, asked]
  const page = decodeSearchCursor(cursor, list, { q: asked.q, sort, limit })
  const marked = saved === undefined ? undefined : { accountId, is: saved }
  const filters: PostFilters = { ...others, apps: [app.storeId], saved: marked }
  const [found, { posts, ...summary }] = await Promise.all([
    findCreatives(db, postSearch, filters, sort, page),
    summaryOfPosts(db, filters),
  ])
  const total = { value: posts, relation: 'exact' } as const
  return {
    app: appLabel(app.storeId, app),
    summary: { posts: total, ...summary },
    items: await postShapes(db, accountId, found.numbers),
    total,
    nextCursor: nextSearchCursor(found, list),
  }
}
