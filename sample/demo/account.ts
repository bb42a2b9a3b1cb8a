import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { adAnalysis, askForAnalysis, askForTranscript } from '../../src/domain/ad-analysis/ask.ts'
import { dismissRequest, requestData } from '../../src/domain/demand/request-data.ts'
import { saveWithMedia } from '../../src/domain/media/archive-media.ts'
import { postKind } from '../../src/domain/organic/post.ts'
import { adKind } from '../../src/domain/paid-ads/ad.ts'
import { evaluateWatches } from '../../src/domain/watches/evaluate.ts'
import { addWatch } from '../../src/domain/watches/queries.ts'
import { WatchDefinition } from '../../src/domain/watches/watch.ts'
import { lastSuccessAt } from '../../src/domain/work/queries.ts'
import { type Database, inTransaction, rows } from '../../src/storage/database.ts'
import type { AdPlatform } from '../../src/vocabulary/ad-platforms.ts'
import type { Span } from '../calendar.ts'
import { dayText, lastDay } from '../calendar.ts'
import type { Performing } from './performing.ts'
import { demoAccount } from './tracking.ts'

interface SavedAd {
  platform: AdPlatform
  archiveId: string
  note: string
  tags: string[]
}

/** What the demo's account saved of the ads, each with a transcript and an analysis. Those of tutorials and examples are left to them. */
const savedAds: readonly SavedAd[] = [
  {
    platform: 'meta',
    archiveId: '1097685022341965',
    note: 'One picture, and the offer in four words.',
    tags: ['still', 'trial'],
  },
  {
    platform: 'meta',
    archiveId: '1524787118239217',
    note: 'Six weeks with one opening line: it works.',
    tags: ['hook', 'long-running'],
  },
  {
    platform: 'meta',
    archiveId: '1577979639276765',
    note: 'The same text with another voice.',
    tags: ['hook'],
  },
  { platform: 'meta', archiveId: '1356791067645037', note: 'A trial in the title.', tags: ['trial'] },
  {
    platform: 'meta',
    archiveId: '1964064037102081',
    note: 'Ended after two days. Why?',
    tags: ['trial', 'finance'],
  },
  {
    platform: 'meta',
    archiveId: '1029014300812249',
    note: 'A number of the reader’s own.',
    tags: ['finance', 'still'],
  },
  { platform: 'meta', archiveId: '1610813514927944', note: 'Runs since October.', tags: ['long-running'] },
  { platform: 'meta', archiveId: '1154500783300350', note: '', tags: ['still'] },
]

/** What it saved of the posts. */
const savedPosts: readonly { postId: string; note: string; tags: string[] }[] = [
  {
    postId: 'tiktok_7619290103039618884',
    note: 'Far above what this author usually gets.',
    tags: ['finance', 'outlier'],
  },
  { postId: 'tiktok_7398742078670904673', note: 'Three apps against one.', tags: ['finance', 'comparison'] },
  { postId: 'instagram_NeN8chBfUsK', note: '', tags: ['planner'] },
  { postId: 'tiktok_7210777118750656503', note: 'A list of five: easy to make.', tags: ['list'] },
  { postId: 'youtube_9w9KjgaG9Ih', note: '', tags: ['outlier'] },
  { postId: 'reddit_1fhazlj', note: 'People tell it without being asked.', tags: ['finance'] },
]

/** What it watches, from this many days before the last one on. */
const watchedDays = 7
const watches: readonly WatchDefinition[] = [
  { kind: 'top', app: 'rivals', country: 'us', places: [10, 50] },
  { kind: 'moved', app: 'tracked', country: 'us', in: 'keywords', by: 3 },
  { kind: 'listing', app: 'rivals', country: 'us' },
  { kind: 'release', app: 'tracked', country: 'us' },
  { kind: 'ads', app: 'tracked' },
  { kind: 'emerging', country: 'us' },
].map((watch) => WatchDefinition.parse(watch))

/** The app whose page shows requests in each state: what is estimated fulfils one. */
const askedAbout = { storeId: '9000000001', country: 'us' }

/** Requests data for the account, before it is there. Later changes by users are left alone. */
export async function requestDemoData(db: Database): Promise<void> {
  await inTransaction(db, async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), demoAccount)
    const [known] = await rows(
      transaction,
      sql`select from data_requests where account_id = ${accountId} limit 1`,
    )
    if (known) return
    const ask = { ...askedAbout, accountId }
    await requestData(transaction, { ...ask, kinds: ['estimates'], note: 'For the quarterly plan.' })
    await requestData(transaction, {
      ...ask,
      kinds: ['media', 'aso'],
      note: 'What their screenshots looked like before.',
    })
    const { requests } = await requestData(transaction, { ...ask, kinds: ['organic'], note: undefined })
    for (const { requestId } of requests)
      await dismissRequest(transaction, requestId, 'Their posts are in the store already, by their tag.')
  })
}

/** Saves ads and posts for the account, and has the ads transcribed and analysed, once: later changes by users are left alone. */
export async function saveDemoCreatives(db: Database, perform: Performing): Promise<void> {
  const [first] = savedAds
  if (!first || (await lastSuccessAt(db, adAnalysis.name, `${first.platform}/${first.archiveId}`))) return
  const accountId = await ensureAccount(db, uuidv7(), demoAccount)
  // One after the other: an analysis reads what was transcribed, and measures what was copied.
  await perform(async (transaction, enqueue) => {
    for (const { platform, archiveId, ...saving } of savedAds) {
      const ad = { platform, archiveId }
      const saved = await saveWithMedia(transaction, enqueue, adKind, accountId, ad, saving, async () => {})
      if (!saved) throw new Error(`The sample has no ad ${platform} ${archiveId}.`)
      await askForTranscript(transaction, enqueue, ad, { language: null }, false)
    }
    for (const { postId, ...saving } of savedPosts)
      if (!(await saveWithMedia(transaction, enqueue, postKind, accountId, { postId }, saving, async () => {})))
        throw new Error(`The sample has no post ${postId}.`)
  })
  await perform(async (transaction, enqueue) => {
    // The first comes last, and tells that all are there.
    for (const ad of savedAds.toReversed()) await askForAnalysis(transaction, enqueue, accountId, ad, false)
  })
}

/**
 * Has the account watch, as if it had begun a week before the last day, and tells it what happened since; once. A watch
 * begins with what is stored after it, so its places are taken away: each ranking then begins with its first capture of that time.
 */
export async function watchForDemo(db: Database, span: Span): Promise<void> {
  const isNew = await inTransaction(db, async (transaction) => {
    const accountId = await ensureAccount(transaction, uuidv7(), demoAccount)
    const [known] = await rows(transaction, sql`select from watches where account_id = ${accountId} limit 1`)
    if (known) return false
    for (const watch of watches) await addWatch(transaction, accountId, watch, false)
    const since = `${dayText(lastDay(span) - watchedDays)}T00:00:00Z`
    await sql`update watches set since = ${since}::timestamptz where account_id = ${accountId}`.execute(
      transaction,
    )
    await sql`
      delete from watch_places where watch_id in (select watch_id from watches where account_id = ${accountId})`.execute(
      transaction,
    )
    return true
  })
  if (isNew) await evaluateWatches(db)
}
