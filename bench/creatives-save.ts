import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Caller } from '../src/api/caller.ts'
import { doorOn } from '../src/app.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { runImport } from '../src/imports/run-import.ts'
import { openQueue } from '../src/jobs/open-queue.ts'
import { enqueueOn } from '../src/jobs/queue.ts'
import type { Store } from '../src/storage/store.ts'
import { percentile, printTable, report } from './figures.ts'
import { directory, dropDatabase, freshDatabase, nobodyAsked } from './stores.ts'

/**
 * Milliseconds of saving a post or an ad on PostgreSQL, through the door: the mark, the request for copies of its media
 * with their job, and the reply with the whole creative. Target: under 5 ms. Beside them what a busy machine says as well: statements of a
 * call, with those that begin and end its transaction, how often it waits for the answers to some of them, and processor time of the service.
 *
 *   node bench/creatives-save.ts [creatives]      4,000 posts and as many ads
 */
const creatives = Number(process.argv[2] ?? 4_000)
const measured = 500

{
  await using store = await freshDatabase('creatives_save')
  await fill(store)
  await using queue = await openQueue(store, false, (error) => {
    throw error
  })
  const door = doorOn(store.requests.db, enqueueOn(queue), nobodyAsked)
  const caller = await callerOf(store)
  const timed = async (tool: Parameters<typeof door.invoke>[0], params: object, body?: object) => {
    const start = performance.now()
    await door.invoke(tool, { params: { ...params }, query: {}, body }, caller)
    return performance.now() - start
  }
  const post = (index: number) => ({ postId: `tiktok_${7_000_000 + index}` })
  const ad = (index: number) => ({ platform: 'meta', archiveId: String(7_000_000 + index) })
  const note = { note: 'Opens with the failure.', tags: ['hook'] }
  const asked = [
    ['floor: one committed write', (_at: number) => floor(store)],
    ['save a post', (at: number) => timed('save_organic_content', post(at), note)],
    ['save it again', (at: number) => timed('save_organic_content', post(at), note)],
    ['remove it', (at: number) => timed('remove_saved_organic_content', post(at))],
    ['save an ad', (at: number) => timed('save_paid_ad', ad(at), note)],
    ['save it again', (at: number) => timed('save_paid_ad', ad(at), note)],
    ['remove it', (at: number) => timed('remove_saved_paid_ad', ad(at))],
  ] as const
  const counted = countStatements(store.requests)
  const table: (string | number)[][] = []
  for (const [name, ask] of asked) {
    const times: number[] = []
    // The first calls prepare connections and are not counted.
    for (let at = 0; at < 50; at++) await ask(at)
    const [{ statements, waits }, processor] = [{ ...counted }, process.cpuUsage()]
    for (let at = 50; at < measured + 50; at++) times.push(await ask(at))
    const { user, system } = process.cpuUsage(processor)
    if (name.startsWith('save'))
      report({ name: `${name}, p95`, value: percentile(times, 0.95), unit: 'ms', goal: { atMost: 5 } })
    table.push([
      name,
      ...[0.1, 0.5, 0.95].map((share) => percentile(times, share)),
      (counted.statements - statements) / measured,
      (counted.waits - waits) / measured,
      (user + system) / 1_000 / measured,
    ])
  }
  printTable(['', 'p10 ms', 'median ms', 'p95 ms', 'statements', 'waits', 'processor ms'], table)
}
await dropDatabase('creatives_save')

/** Counts what connections are asked from now on, and how often a connection that owed no answer was asked. */
function countStatements({ pool }: Store['requests']): { statements: number; waits: number } {
  const counted = { statements: 0, waits: 0 }
  const seen = new WeakSet<PoolClient>()
  pool.on('acquire', (client) => {
    if (seen.has(client)) return
    seen.add(client)
    let unanswered = 0
    const query = client.query.bind(client) as (...given: unknown[]) => unknown
    client.query = ((...given: unknown[]) => {
      counted.statements++
      if (unanswered++ === 0) counted.waits++
      const answer = query(...given)
      if (answer instanceof Promise) void answer.catch(() => {}).finally(() => unanswered--)
      return answer
    }) as typeof client.query
  })
  return counted
}

/** What a transaction of one row takes by itself on this machine at this moment. */
async function floor({ db }: Store): Promise<number> {
  const start = performance.now()
  await sql`update accounts set account_id = account_id`.execute(db)
  return performance.now() - start
}

async function fill(store: Store): Promise<void> {
  const text =
    'I broke my streak so that you need not. Tidepool forgives it: https://apps.apple.com/us/app/id901'
  const posts = Array.from({ length: creatives }, (_, at) => ({
    postId: `tiktok_${7_000_000 + at}`,
    author: { handle: `maker${at % 300}`, name: `Maker ${at % 300}`, followers: 1_000 + at },
    text: `${text} ${at}`,
    language: 'en',
    publishedAt: '2026-10-01T00:00:00Z',
    media: [{ kind: 'video', url: `https://media.example.com/${at}.mp4` }],
    metrics: { views: 1_000 + at, likes: at, comments: at % 100, shares: at % 50 },
    observedAt: '2026-11-01T00:00:00Z',
  }))
  const ads = Array.from({ length: creatives }, (_, at) => ({
    platform: 'meta',
    archiveId: String(7_000_000 + at),
    advertiser: { id: String(5_000 + (at % 300)), name: `Maker ${at % 300}` },
    creatives: [
      {
        text: `${text} ${at}`,
        linkUrl: 'https://apps.apple.com/us/app/id901',
        media: [{ kind: 'video', url: `https://media.example.com/ad-${at}.mp4` }],
      },
    ],
    startedOn: '2026-10-01',
    active: true,
    languages: ['en'],
    observedAt: '2026-11-01T00:00:00Z',
  }))
  for (const [kind, records] of [
    ['organic', posts],
    ['paid-ads', ads],
  ] as const) {
    const file = join(directory, `save-${kind}.ndjson`)
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const order = { kind, paths: [file], directory, rejectedFile: join(directory, 'save-rejected.ndjson') }
    const { stored } = await runImport(store.db, order, () => {})
    if (stored !== creatives) throw new Error(`${stored} of ${creatives} records of ${kind} were stored`)
  }
  await sql`analyze`.execute(store.db)
}

async function callerOf(store: Store): Promise<Caller> {
  await createKey(store.db, { name: 'bench', scopes: ['content:write'] })
  const { rows } = await sql<{ accountId: string }>`select account_id as "accountId" from accounts`.execute(
    store.db,
  )
  return {
    credentialId: 'bench',
    accountId: rows[0]?.accountId ?? '',
    scopes: new Set(['context:read', 'content:write']),
    bringsEvidence: true,
    door: 'http',
  }
}
