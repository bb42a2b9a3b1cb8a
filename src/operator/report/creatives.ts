import { findCreatives } from '../../domain/creatives/search/search.ts'
import { storedCreatives } from '../../domain/creatives/stored-creatives.ts'
import { searchablePosts } from '../../domain/organic/post-search.ts'
import { outlierScore, postAgeOf } from '../../domain/organic/scores.ts'
import { postDisplayQueries, type StoredPost } from '../../domain/organic/shown-posts.ts'
import { searchableAds } from '../../domain/paid-ads/ad-search.ts'
import {
  adDisplayQueries,
  type CreativeRow,
  creativesOfAds,
  type ObservationRow,
  type StoredAd,
} from '../../domain/paid-ads/shown-ads.ts'
import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { Network } from '../../vocabulary/networks.ts'
import type { Week } from './week.ts'

/** Ads and posts of some apps in a week. */
export interface CreativesWeek {
  /** The newest ads that started. */
  started: AdOfWeek[]
  /** The number of ads that started; `at-least` where counting stopped early. */
  startedTotal: Total
  /** Ads that were first observed as ended in the week. */
  stopped: AdOfWeek[]
  /** Whether some ended ads were not examined. */
  stoppedCut: boolean
  /** The published posts with most views. */
  posts: PostOfWeek[]
  postsTotal: Total
}

export interface Total {
  value: number
  relation: 'exact' | 'at-least'
}

export interface AdOfWeek {
  platform: AdPlatform
  archiveId: string
  storeIds: string[]
  advertiser: string | undefined
  text: string | undefined
  /** `YYYY-MM-DD`, as the library states it. */
  startedOn: string | undefined
  endedOn: string | undefined
}

export interface PostOfWeek {
  postId: string
  network: Network
  url: string
  storeIds: string[]
  author: string | undefined
  text: string | undefined
  /** The views; undefined where they are hidden or not carried. */
  views: number | undefined
  /** Views relative to the author's median at that age; undefined where too little is known. */
  timesUsual: number | undefined
}

/** Items shown of each list. */
const most = 4
/** Ended ads that are examined, the last observed first. */
const endedRead = 300

export async function creativesOfWeek(
  db: Database,
  accountId: string,
  storeIds: readonly string[],
  week: Week,
): Promise<CreativesWeek> {
  const [first, last] = [week.days[0] ?? '', week.days.at(-1) ?? '']
  const page = (limit: number) => ({ after: undefined, limit })
  const apps = [...new Set(storeIds)]
  const began = await findCreatives(
    db,
    searchableAds,
    { apps, startedFrom: first, startedTo: last },
    'recent',
    page(most),
  )
  const ended = await findCreatives(
    db,
    searchableAds,
    { apps, active: false },
    'last-observed',
    page(endedRead),
  )
  const published = { apps, publishedFrom: first, publishedTo: last }
  const seen = await findCreatives(db, searchablePosts, published, 'views', page(most))
  const all = await findCreatives(db, searchablePosts, published, 'recent', page(1))
  const whole = await storedCreatives(db, adDisplayQueries, accountId, ended.numbers, null)
  const stopped = whole.filter(({ observations }) => endedIn(observations, week))
  return {
    started: await adsOf(db, await storedCreatives(db, adDisplayQueries, accountId, began.numbers, 1), apps),
    startedTotal: began.total,
    stopped: await adsOf(db, stopped, apps),
    stoppedCut: ended.next !== null,
    posts: (await storedCreatives(db, postDisplayQueries, accountId, seen.numbers, 1)).map((post) =>
      postOf(post, apps),
    ),
    postsTotal: all.total,
  }
}

const isRunning = ({ active, endedOn, observedAt }: ObservationRow) =>
  active ?? (endedOn === null || endedOn === 'infinity' || endedOn > observedAt.toISOString().slice(0, 10))

/** Whether an ad that was observed running was first observed as ended in this week. @param observations newest first */
function endedIn(observations: readonly ObservationRow[], { from, until }: Week): boolean {
  const lastRun = observations.findIndex(isRunning)
  const firstEnded = observations[lastRun - 1]
  return firstEnded !== undefined && firstEnded.observedAt >= from && firstEnded.observedAt < until
}

async function adsOf(db: Database, stored: readonly StoredAd[], apps: readonly string[]): Promise<AdOfWeek[]> {
  const creatives = await creativesOfAds(
    db,
    stored.map(({ item }) => item.number),
  )
  const textOf = (number: string) => creatives.filter(({ adNumber }) => adNumber === number).flatMap(textsOf)[0]
  return stored.map(({ item: { number, platform, archiveId, facts }, attributions }) => ({
    platform,
    archiveId,
    storeIds: appsAmong(attributions, apps),
    advertiser: facts.advertiserName ?? undefined,
    text: textOf(number),
    startedOn: facts.startedOn ?? undefined,
    endedOn: facts.endedOn ?? undefined,
  }))
}

const textsOf = ({ facts: { title, body } }: CreativeRow) => [title, body].filter((text) => text != null)

function postOf(
  { item, observations: [newest], attributions }: StoredPost,
  apps: readonly string[],
): PostOfWeek {
  const { postId, network, facts } = item
  if (!newest) throw new Error(`The post ${postId} has no observation.`)
  const views = newest.views ?? undefined
  const score = outlierScore(
    network,
    { metrics: views === undefined ? {} : { views }, age: postAgeOf(facts.publishedAt, newest.observedAt) },
    item,
  )
  return {
    postId,
    network,
    url: facts.url,
    storeIds: appsAmong(attributions, apps),
    author: facts.author ?? facts.authorName ?? undefined,
    text: facts.title ?? facts.text ?? undefined,
    views,
    timesUsual: score.state === 'measured' ? score.value : undefined,
  }
}

const appsAmong = (attributions: readonly { storeId: string }[], apps: readonly string[]) =>
  apps.filter((app) => attributions.some(({ storeId }) => storeId === app))
