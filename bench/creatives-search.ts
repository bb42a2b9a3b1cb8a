import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import { mulberry32 } from '../sample/dice.ts'
import { searchOrganicContent } from '../src/api/handlers/organic.ts'
import { searchPaidAds } from '../src/api/handlers/paid-ads.ts'
import { ensureAccount } from '../src/domain/accounts/queries.ts'
import { openStore, type StoreLocation } from '../src/storage/open-store.ts'
import { askAgain } from './bare-http.ts'
import { benchAccount, countPosts, fillCreatives } from './creative-store.ts'
import { cjk, latin, linkedApps } from './creative-writing.ts'
import { percentile, print, printTable, report } from './figures.ts'
import { postmasterOf } from './processor.ts'
import { serveStore } from './service.ts'
import { databaseExists, databaseUrl, directory, freshDatabase } from './stores.ts'

/**
 * How long search_organic_content and search_paid_ads take, by kind of question, one at a time, with the shapes of the
 * items and without HTTP; then one question asked again and again over HTTP, beside a bare node:http. Target: p95 under 50 ms over all kinds, at a million posts and a million ads on PostgreSQL.
 *
 *   node bench/creatives-search.ts                          a million of each, made once (six to fourteen minutes)
 *   node bench/creatives-search.ts --engine embedded --count 100000
 *   node bench/creatives-search.ts --each 100 --slowest 10  also prints the slowest questions
 */
const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'postgres' },
    count: { type: 'string', default: '1000000' },
    each: { type: 'string', default: '40' },
    slowest: { type: 'string', default: '0' },
  },
})
const count = Number(values.count)
const name = `creatives_${count}`
const location: StoreLocation =
  values.engine === 'embedded' ? { dataDir: join(directory, name) } : { databaseUrl: databaseUrl(name) }
if ('databaseUrl' in location && !(await databaseExists(name)))
  await (await freshDatabase(name))[Symbol.asyncDispose]()
await using store = await openStore(location, 'bench')
if ((await countPosts(store.db)) < count) {
  const started = performance.now()
  await fillCreatives(store, count)
  print(`made ${count} posts and as many ads in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}
const accountId = await ensureAccount(store.db, uuidv7(), benchAccount)

type Asked = Record<string, unknown>
const roll = mulberry32(21)
const one = <T>(from: readonly T[]): T => from[Math.floor(roll() * from.length)] as T
const word = (from: number, to: number) => latin.words[from + Math.floor(roll() * (to - from))] ?? ''
const app = (to: number) => [String(1_000_000_000 + Math.floor(roll() * to))]

/** Questions that both areas can be asked. */
const shared: Record<string, () => Asked> = {
  'common word': () => ({ q: word(0, 60) }),
  'middling word': () => ({ q: word(100, 2_000) }),
  'rare word': () => ({ q: word(10_000, 50_000) }),
  'two common words': () => ({ q: `${word(0, 60)} ${word(0, 60)}` }),
  'beginning of a word': () => ({ q: word(0, 2_000).slice(0, 4) }),
  CJK: () => ({ q: cjk.words[Math.floor(roll() * 300)] ?? '' }),
  'competitor, many': () => ({ competitor: app(5) }),
  'competitor, few': () => ({ competitor: app(linkedApps) }),
  saved: () => ({ saved: true }),
}
const postSorts = ['recent', 'views', 'engagement', 'outlier']
const posts: Record<string, () => Asked> = {
  ...shared,
  'no filter': () => ({ sort: one(postSorts) }),
  'word, sorted': () => ({ q: word(0, 2_000), sort: one(postSorts) }),
  'one filter, sorted': () => ({ ...postFilter(), sort: one(postSorts) }),
  'two filters, sorted': () => ({ ...postFilter(), ...postFilter(), sort: one(postSorts) }),
  'word and filter': () => ({ q: word(0, 2_000), ...postFilter() }),
}
const postFilter = (): Asked =>
  one<() => Asked>([
    () => ({ network: [one(['tiktok', 'reddit', 'x', 'youtube'])] }),
    () => ({ language: [one(['ja', 'pt', 'de'])] }),
    () => ({ minViews: one([1_000, 50_000, 1_000_000]) }),
    () => ({ publishedFrom: one(['2024-06-01', '2026-05-01', '2026-11-10']) }),
    () => ({ hashtag: [word(0, 3_000)] }),
    () => ({ mediaType: [one(['carousel', 'image'])] }),
    () => ({ author: `${latin.words[0]}_0` }),
    () => ({ saved: false }),
  ])()
const adSorts = ['recent', 'longest-running', 'last-observed']
const ads: Record<string, () => Asked> = {
  ...shared,
  'no filter': () => ({ sort: one(adSorts) }),
  'word, sorted': () => ({ q: word(0, 2_000), sort: one(adSorts) }),
  'one filter, sorted': () => ({ ...adFilter(), sort: one(adSorts) }),
  'two filters, sorted': () => ({ ...adFilter(), ...adFilter(), sort: one(adSorts) }),
  'word and filter': () => ({ q: word(0, 2_000), ...adFilter() }),
}
const adFilter = (): Asked =>
  one<() => Asked>([
    () => ({ platform: one(['meta', 'tiktok']) }),
    () => ({ country: one(['us', 'de', 'be']) }),
    () => ({ active: one([true, false]) }),
    () => ({ format: [one(['video', 'carousel'])] }),
    () => ({ callToAction: [one(['play-game', 'install-now'])] }),
    () => ({ language: [one(['ja', 'pt', 'de'])] }),
    () => ({ startedFrom: one(['2025-01-01', '2026-06-01']) }),
    () => ({ minDaysRunning: one([7, 60, 300]) }),
    () => ({ advertiser: one([word(0, 2_000), '500003', '510000']) }),
    () => ({ hasTranscript: one([true, false]) }),
    () => ({ tag: 'hooks' }),
  ])()

type Search = (asked: Asked) => Promise<{ nextCursor: string | null }>
const given = (asked: Asked) => ({ limit: 25, sort: 'relevance', ...asked }) as never
await measure('posts', posts, (asked) => searchOrganicContent(store.db, accountId, given(asked)))
await measure('ads', ads, (asked) => searchPaidAds(store.db, { adLibraries: {} }, accountId, given(asked)))

{
  await using service = await serveStore(location)
  const postmaster = await postmasterOf(store.db)
  const query = new URLSearchParams({ q: latin.words[0] ?? '', limit: '25' })
  for (const [area, path] of Object.entries({ posts: '/v1/organic', ads: '/v1/paid-ads' }))
    await askAgain(`search of ${area}`, `${path}?${query}`, service, postmaster, 4)
}

async function measure(area: string, kinds: Record<string, () => Asked>, search: Search): Promise<void> {
  const questions = Object.entries(kinds).flatMap(([kind, ask]) =>
    Array.from({ length: Number(values.each) }, () => ({ kind, asked: ask(), place: roll() })),
  )
  // The first of each kind warm the code and the cache, as a service that runs has them.
  for (const ask of Object.values(kinds)) for (let at = 0; at < 4; at++) await search(ask())
  const timed: { kind: string; asked: Asked; ms: number }[] = []
  const time = async (kind: string, asked: Asked) => {
    const started = performance.now()
    const { nextCursor } = await search(asked)
    timed.push({ kind, asked, ms: performance.now() - started })
    return nextCursor
  }
  for (const { kind, asked } of questions.sort((a, b) => a.place - b.place)) await time(kind, asked)
  let cursor = await search({ sort: 'recent' }).then((page) => page.nextCursor)
  for (let page = 0; page < Number(values.each) && cursor; page++)
    cursor = await time('deep pages', { sort: 'recent', cursor })

  print(`\n${area}: ${count.toLocaleString('en')}, ${values.engine}, milliseconds`)
  const row = (kind: string, ms: number[]) => [
    kind,
    ms.length,
    percentile(ms, 0.5),
    percentile(ms, 0.95),
    percentile(ms, 0.99),
  ]
  const p95 = percentile(
    timed.map(({ ms }) => ms),
    0.95,
  )
  report({ name: `search of ${area}, ${values.engine}, p95`, value: p95, unit: 'ms', goal: { atMost: 50 } })
  const kindsAsked = [...Object.keys(kinds), 'deep pages']
  printTable(
    ['kind', 'queries', 'p50', 'p95', 'p99'],
    [
      ...kindsAsked.map((kind) =>
        row(
          kind,
          timed.filter((one) => one.kind === kind).map(({ ms }) => ms),
        ),
      ),
      row(
        'all',
        timed.map(({ ms }) => ms),
      ),
    ],
  )
  for (const { kind, asked, ms } of timed.sort((a, b) => b.ms - a.ms).slice(0, Number(values.slowest)))
    print(`${ms.toFixed(1).padStart(7)} ms  ${kind}  ${JSON.stringify(asked)}`)
}
