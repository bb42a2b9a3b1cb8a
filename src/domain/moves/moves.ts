import type { Database } from '../../storage/database.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { chartRow } from '../../vocabulary/chart-kinds.ts'
import type { NotMeasured } from '../../vocabulary/facts.ts'
import type { ListingHistoryName, TrackedField } from '../../vocabulary/listing-fields.ts'
import { type FieldChange, listingChangesIn } from '../aso/listing/listing-timeline.ts'
import { type RankChange, type RankState, rankChangeBetween, rankOnPage } from '../aso/pages/rank-days.ts'
import { genreName, rootGenre } from '../catalogue/genres.ts'
import type { FieldVersion } from '../catalogue/listing-versions.ts'
import { notMeasured } from '../facts/fact.ts'
import {
  type ChangedListing,
  type ComparedChart,
  changedListings,
  comparedCharts,
  type NewAd,
  type NewCreatives,
  type NewPost,
  newAds,
  newPosts,
} from './move-queries.ts'

/** What moved for an app in the days before it was looked at last, part by part. */
export interface AppMoves {
  keywords: Looked<RankMove>
  charts: Looked<RankMove>
  listing: Looked<ListingMove>
  ads: Looked<NewAd>
  posts: Looked<NewPost>
  /** When each part was looked at last; null where that never was. */
  lookedAt: Record<Exclude<keyof AppMoves, 'lookedAt' | 'keywords'>, Date | null>
}

/**
 * A part of an app that was looked at: nothing moved where `moved` is 0. `not-looked-at` where that was longer ago than the window is long:
 * its moves are those before `lastAt`, and of the days since nothing is known.
 */
export type Looked<Move> =
  | {
      state: 'measured' | 'not-looked-at'
      lastAt: Date
      /** How many moves there are. */
      moved: number
      /** The largest of them, or the newest ads and posts; at most `mostMoves`. */
      items: Move[]
    }
  | NotMeasured<'never-collected' | 'source-failed' | 'too-little-evidence'>

/** Another rank than before. */
export interface RankMove {
  /** A term or a chart. */
  what: string
  /** A rank, or `>` and the places that were looked at where it was absent. */
  from: number | string
  to: number | string
  /** `YYYY-MM-DD`, of the older observation. */
  comparedOn: string
  at: Date
}

/** Another value of a field than before. */
export interface ListingMove {
  what: ListingHistoryName
  /** Both values where they are short enough to be read in a line; null for none. */
  values: { from: string | null; to: string | null } | undefined
  comparedAt: Date
  at: Date
}

/** A keyword of an app with its newest rank, and the change from a page that is at least as many days older as the window is long. */
export interface MovedKeyword {
  term: string
  rank: RankState
  change: RankChange
  pageAt: Date | null
}

interface MovedApp {
  appId: string
  storeId: string
  country: string
}

/** Most moves that are told of one part; the rest is counted. */
const mostMoves = 5
const dayMs = 86_400_000

/**
 * What moved for these apps, in four statements whatever their number, by app.
 * @param keywordsOf their keywords
 * @param days of the window
 */
export async function movesOfApps(
  db: Database,
  apps: readonly MovedApp[],
  keywordsOf: (appId: string) => readonly MovedKeyword[],
  days: number,
  now: Date,
): Promise<Map<string, AppMoves>> {
  if (apps.length === 0) return new Map()
  const storeIds = apps.map(({ storeId }) => storeId)
  const countries = apps.map(({ country }) => country)
  const [charts, listings, ads, posts] = await Promise.all([
    comparedCharts(db, storeIds, countries, days),
    changedListings(db, apps, days),
    newAds(db, storeIds, days, mostMoves),
    newPosts(db, storeIds, days, mostMoves),
  ])
  const chartsIn = Map.groupBy(charts, ({ country }) => country)
  const listingOf = new Map(listings.map((one) => [`${one.storeId} ${one.country}`, one]))
  const adsOf = new Map(ads.map((one) => [one.storeId, one]))
  const postsOf = new Map(posts.map((one) => [one.storeId, one]))
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const window = { days, oldest: new Date(today - days * dayMs) }
  return new Map(
    apps.map(({ appId, storeId, country }) => {
      const captured = chartsIn.get(country) ?? []
      const listing = listingOf.get(`${storeId} ${country}`)
      const [adsSeen, postsSeen] = [adsOf.get(storeId), postsOf.get(storeId)]
      return [
        appId,
        {
          keywords: keywordMoves(keywordsOf(appId), window),
          charts: chartMoves(captured, storeId, window),
          listing: listingMoves(listing, window),
          ads: newCreatives(adsSeen, window),
          posts: newCreatives(postsSeen, window),
          lookedAt: {
            charts: captured.length > 0 ? latest(captured.map(({ newestAt }) => newestAt)) : null,
            listing: listing?.lastObservedAt ?? null,
            ads: adsSeen?.lastAt ?? null,
            posts: postsSeen?.lastAt ?? null,
          },
        },
      ]
    }),
  )
}

interface Window {
  days: number
  /** Midnight of the first day, in UTC: what was looked at before is not looked at within the window. */
  oldest: Date
}

function lookedAt<Move>(lastAt: Date, { oldest }: Window, items: readonly Move[], moved = items.length) {
  const state = lastAt >= oldest ? ('measured' as const) : ('not-looked-at' as const)
  return { state, lastAt, moved, items: items.slice(0, mostMoves) }
}

const latest = (times: readonly Date[]) => new Date(Math.max(...times.map((at) => at.getTime())))

/** Whether it was looked at within the window before the last look: what is older says nothing about these days. */
const isRecent = (at: Date, lastAt: Date, { days }: Window) => at.getTime() > lastAt.getTime() - days * dayMs

function keywordMoves(keywords: readonly MovedKeyword[], window: Window): AppMoves['keywords'] {
  const looked = keywords.flatMap(({ pageAt, ...keyword }) => (pageAt ? [{ ...keyword, at: pageAt }] : []))
  if (looked.length === 0) {
    const hasFailed = keywords.some(({ rank }) => 'reason' in rank && rank.reason === 'source-failed')
    return notMeasured(hasFailed ? 'source-failed' : 'never-collected')
  }
  const lastAt = latest(looked.map(({ at }) => at))
  const compared = looked.filter(
    ({ at, change }) => change.state !== 'not-measured' && isRecent(at, lastAt, window),
  )
  if (compared.length === 0) return notMeasured('too-little-evidence')
  return lookedAt(
    lastAt,
    window,
    largestFirst(compared.map(({ term, rank, change, at }) => rankMove(term, rank, change, at))),
  )
}

function chartMoves(charts: readonly ComparedChart[], storeId: string, window: Window): AppMoves['charts'] {
  if (charts.length === 0) return notMeasured('never-collected')
  const lastAt = latest(charts.map(({ newestAt }) => newestAt))
  const compared = charts.filter(
    ({ newestAt, olderAt }) => olderAt !== null && isRecent(newestAt, lastAt, window),
  )
  if (compared.length === 0) return notMeasured('too-little-evidence')
  const moves = compared.map(({ ranks, newestDepth, olderDepth, olderDay, newestAt, ...chart }) => {
    const [, now, then] = ranks?.find(([ranked]) => ranked === storeId) ?? []
    const rank = rankOnPage(now, newestDepth)
    const change = rankChangeBetween(rankOnPage(then, olderDepth), rank, olderDay ?? '')
    return rankMove(chartInWords(chart), rank, change, newestAt)
  })
  return lookedAt(lastAt, window, largestFirst(moves))
}

/** Such as `Top Free, Finance`. */
export function chartInWords({ kind, categoryId, device }: Omit<ChartIdentity, 'country'>): string {
  const genre = categoryId === rootGenre ? 'all apps' : (genreName(categoryId) ?? `category ${categoryId}`)
  return `${chartRow(kind).label}, ${genre}${device === 'ipad' ? ', iPad' : ''}`
}

/** The two places of a rank that moved; undefined for one that did not, or of which that is not known. */
export function placesMoved(
  rank: RankState,
  change: RankChange,
): { from: number | string; to: number | string } | undefined {
  if (change.state === 'left') return { from: change.from, to: `>${change.depth}` }
  if (rank.state !== 'measured') return undefined
  if (change.state === 'entered') return { from: `>${change.depth}`, to: rank.value }
  if (change.state === 'measured' && change.places !== 0)
    return { from: rank.value + change.places, to: rank.value }
  return undefined
}

/** The weight of a move, relative to the rank: 10 to 5 is more than 110 to 100. */
export function weightOfMove({ from, to }: { from: number | string; to: number | string }): number {
  const nearness = (place: number | string) => (typeof place === 'number' ? 1 / place : 0)
  return Math.abs(nearness(to) - nearness(from))
}

function rankMove(what: string, rank: RankState, change: RankChange, at: Date): RankMove | undefined {
  const places = placesMoved(rank, change)
  return places && 'comparedOn' in change ? { what, ...places, comparedOn: change.comparedOn, at } : undefined
}

const largestFirst = (moves: readonly (RankMove | undefined)[]): RankMove[] =>
  moves
    .filter((move) => move !== undefined)
    .sort((one, other) => weightOfMove(other) - weightOfMove(one) || (one.what < other.what ? -1 : 1))

/** What people notice of a listing first; whatever is not named comes after these. */
const fieldsByWeight: readonly ListingHistoryName[] = [
  'name',
  'subtitle',
  'icon',
  'price',
  'screenshots-iphone',
  'previews',
  'header-media',
  'search-media',
  'events',
  'in-app-purchases',
  'primary-category',
  'description',
  'developer',
  'screenshots-ipad',
]

/** Versions come last: each release has one. */
function placeOfField(field: ListingHistoryName): number {
  const place = fieldsByWeight.indexOf(field)
  return place >= 0 ? place : fieldsByWeight.length + (field === 'version' ? 1 : 0)
}

const noStopWords: ReadonlySet<string> = new Set()

/** A field that changed between two observations. */
export interface ChangedField extends Pick<FieldChange, 'field' | 'from' | 'to'> {
  lastSeenAt: Date
  firstSeenAt: Date
}

/** Fields that changed, without pictures that cannot be compared: oldest change first. */
export function changedFields(
  versions: ReadonlyMap<TrackedField, FieldVersion[]>,
  country: string,
  from: Date,
  until?: Date,
): ChangedField[] {
  return listingChangesIn(new Map(versions), country, noStopWords)
    .filter(({ firstSeenAt }) => firstSeenAt >= from && (until === undefined || firstSeenAt < until))
    .reverse()
    .flatMap(({ lastSeenAt, firstSeenAt, fields }) =>
      fields
        .filter(({ comparison }) => comparison === 'changed')
        .map(({ field, from: before, to }) => ({ field, from: before, to, lastSeenAt, firstSeenAt })),
    )
}

/** Characters of a value that can be read in a line. */
const longestValue = 80

function listingMoves(listing: ChangedListing | undefined, window: Window): AppMoves['listing'] {
  if (!listing) return notMeasured('never-collected')
  const { country, firstObservedAt, lastObservedAt, versions } = listing
  const from = new Date(lastObservedAt.getTime() - window.days * dayMs)
  const changes = changedFields(
    Map.groupBy(versions ?? [], ({ field }) => field),
    country,
    from,
  )
  if (changes.length === 0 && firstObservedAt > from) return notMeasured('too-little-evidence')
  const moves = changes
    .sort(
      (one, other) =>
        placeOfField(one.field) - placeOfField(other.field) ||
        other.firstSeenAt.getTime() - one.firstSeenAt.getTime(),
    )
    .map(({ field, from: before, to, lastSeenAt, firstSeenAt }): ListingMove => {
      const isShort = [before, to].every(
        (value) => value === null || (value.length <= longestValue && !value.startsWith('http')),
      )
      return {
        what: field,
        values: isShort ? { from: before, to } : undefined,
        comparedAt: lastSeenAt,
        at: firstSeenAt,
      }
    })
  return lookedAt(lastObservedAt, window, moves)
}

function newCreatives<New>(found: NewCreatives<New> | undefined, window: Window): Looked<New> {
  return found ? lookedAt(found.lastAt, window, found.items, found.total) : notMeasured('never-collected')
}
