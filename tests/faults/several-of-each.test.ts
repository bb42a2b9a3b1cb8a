import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dice } from '../../sample/dice.ts'
import {
  asksTooOften,
  browserOf,
  reads,
  readsWhatItWrote,
  refreshesKeywords,
  usesPages,
} from '../support/balanced-clients.ts'
import { Balancer, type Interruption } from '../support/balancer.ts'
import { asked } from '../support/collecting.ts'
import { type Running, runProcess } from '../support/command-line.ts'
import { pause } from '../support/pause.ts'
import { lacksPooler } from '../support/pooler.ts'
import { Acknowledged } from '../support/power/acknowledged.ts'
import { giveImport } from '../support/power/given-files.ts'
import { MixedLoad } from '../support/power/mixed-load.ts'
import { callTo } from '../support/power/service-client.ts'
import { compare } from '../support/power/what-is-there.ts'
import { readsOn } from '../support/serving.ts'
import { ownPosts, startSeveral } from '../support/several-processes.ts'
import type { StreamingServer } from '../support/streaming.ts'
import { until } from '../support/until.ts'

/** Requests a minute of the account that asks for more. */
const limit = 40
/** Refreshes of a keyword that one worker works on at a time. */
const takersEach = 2
const [work, serve] = [4, 4]

async function killed({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

/** Performs a statement on a replica, and has it read its settings anew; replay may cancel either. */
async function settles({ query }: StreamingServer, statement: string): Promise<void> {
  for (const each of [statement, 'select pg_reload_conf()'])
    await until(
      () => query(each).then(() => 'done', String),
      (said) => said === 'done',
    )
}

const sorted = (entries: [string, string][]) => entries.toSorted(([one], [other]) => one.localeCompare(other))

/** Whether what a client heard goes with what was done to the installation, and with nothing else. */
const isExpected = ({ during, address, heard }: Interruption, ofKilled: string | undefined): boolean =>
  (during.includes('a service is killed') && address === ofKilled && heard === 'no answer') ||
  (during.includes('the pooler is killed') && heard === 'unavailable, again after 5 seconds') ||
  (during.some((each) => /service|pooler/.test(each)) && heard === 'already-running')

/** Refreshes of keywords, and how many pages of each are stored. */
const refreshes = ({ query }: StreamingServer) =>
  query<{ term: string; status: string; attempts: number; pages: number }>(`
    select input ->> 'term' as term, status, attempts,
      (select count(*)::int from result_pages join term_names n using (term_id)
        where n.country = 'us' and n.term = input ->> 'term') as pages
    from work where kind = 'keyword-refresh'`)

test('four that serve and four that work, on a primary with two replicas behind pgbouncer, lose nothing that was acknowledged and do nothing twice, whatever is killed', {
  skip: lacksPooler,
  timeout: 1_200_000,
}, async (t) => {
  const began = performance.now()
  const tell = (what: string) => t.diagnostic(`${((performance.now() - began) / 1_000).toFixed(1)} s: ${what}`)
  await using several = await startSeveral({ serve, work, replicas: 2 })
  const { servings, working, pooler, apple, location } = several
  const { primary, replicas } = several.streaming
  const [first, second] = replicas as [StreamingServer, StreamingServer]
  const addresses = servings.map(({ address }) => address)
  using balancer = new Balancer(addresses)
  const [mixedKey, writingKey, otherWritingKey, pagesKey, jobsKey, eagerKey] = (await Promise.all(
    ['mixed', 'writing', 'writing', 'pages', 'jobs', 'eager'].map(several.keyOf),
  )) as [string, string, string, string, string, string]
  const limited = ['accounts', 'limit', 'eager', '--requests-per-minute', String(limit), ...location]
  assert.equal((await runProcess(limited)).code, 0)
  for (const serving of servings)
    for (const replica of replicas)
      await readsOn(serving, replica, () => callTo(serving.address, mixedKey)('GET', '/v1/organic/saved'))
  tell('all run, and every service reads on both replicas')

  const browser = browserOf(balancer)
  const signedIn = await browser.signIn(pagesKey)
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body))
  const reported = new Acknowledged()
  const catalogue = giveImport(several.folder, 0)
  const imported = await runProcess(['import', ...catalogue.arguments, ...location], { cwd: several.folder })
  assert.equal(imported.code, 0, imported.err)
  reported.imports.push({ ...catalogue, done: true })
  const stopping = new AbortController()
  const { signal } = stopping
  const mixed = new MixedLoad({
    call: balancer.callAs(mixedKey),
    dice: dice('several of each'),
    reported,
    folder: several.folder,
    location,
    importers: 1,
  })
  using _ends = { [Symbol.dispose]: () => mixed.stop() }
  const paths = [
    '/v1/competitors?q=app&limit=5',
    '/v1/competitors/categories',
    '/v1/organic?q=post&limit=5',
    '/v1/competitors?sort=name',
  ]
  const loadBegan = performance.now()
  const clients = Promise.all([
    readsWhatItWrote(balancer, writingKey, ownPosts.slice(0, 10), signal),
    readsWhatItWrote(balancer, otherWritingKey, ownPosts.slice(10), signal),
    refreshesKeywords(balancer, jobsKey, signal),
    asksTooOften(balancer, eagerKey, signal),
    reads(balancer, jobsKey, paths, signal),
    usesPages(balancer, browser, ownPosts[0] ?? '', signal),
  ])

  // Where the test fails, it says so itself.
  clients.catch(() => {})

  await balancer.during('replicas are behind', async () => {
    await settles(second, `alter system set recovery_min_apply_delay = '1s'`)
    await settles(first, 'select pg_wal_replay_pause()')
    await balancer.goesOn()
    await settles(first, 'select pg_wal_replay_resume()')
    await balancer.goesOn()
    await settles(second, 'alter system reset recovery_min_apply_delay')
  })
  tell('replicas were behind')

  const held = Promise.withResolvers<void>()
  apple.behave('/search', { does: 'hold', until: held.promise })
  await until(
    () => primary.query(`select from pgboss.job where name = 'keyword-refresh' and state = 'active'`),
    (active) => active.length === work * takersEach,
  )
  await balancer.during('a worker is killed', async () => {
    await killed(working[0] as Running)
    apple.recover()
    held.resolve()
  })
  tell('a worker was killed')

  await balancer.during('a service is killed', async () => {
    await killed(servings[0] as Running)
    await pause(1_000, 'the service is away')
    await several.serveAgain(0)
  })
  tell('a service was killed, and started again')

  await balancer.during('the pooler is killed', async () => {
    await pooler.kill()
    await pause(500, 'the pooler is away')
    await pooler.start()
  })
  tell('the pooler was killed, and started again')

  await balancer.during('a replica is lost', async () => {
    await first.kill()
    for (const serving of servings) await serving.says(/a replica is lost/)
  })
  tell('a replica was lost')
  await balancer.goesOn()

  stopping.abort()
  mixed.stop()
  await mixed.ended()
  const [saved, otherSaved, keywords, eager] = await clients
  const minutes = 1 + Math.floor((performance.now() - loadBegan) / 60_000)
  tell(`${balancer.answered} answers, ${JSON.stringify(reported.count)}, ${keywords.length} keywords`)
  assert.deepEqual(balancer.strange.slice(0, 5), [])
  tell(
    `interrupted: ${JSON.stringify(Object.entries(Object.groupBy(balancer.interruptions, ({ heard }) => heard)).map(([heard, all]) => `${heard} ${all?.length}`))}`,
  )
  assert.deepEqual(
    balancer.interruptions.filter((each) => !isExpected(each, addresses[0])),
    [],
  )

  const call = balancer.callAs(mixedKey)
  assert.deepEqual(
    await compare(reported, { call, ask: primary.query, location, folder: several.folder }),
    [],
    'what was acknowledged is there, once',
  )
  const all = sorted([...saved, ...otherSaved])
  for (const address of addresses) {
    const { body } = await callTo(address, writingKey)('GET', '/v1/organic/saved?limit=100')
    const items: { note: string; post: { postId: string } }[] = body.items
    assert.deepEqual(sorted(items.map(({ note, post }) => [post.postId, note])), all, address)
  }
  assert.deepEqual(balancer.strange.slice(0, 5), [])

  const done = await until(
    () => refreshes(primary),
    (found) => found.every(({ status }) => status !== 'queued' && status !== 'running'),
  )
  assert.deepEqual(done.map(({ term }) => term).sort(), keywords.toSorted())
  assert.deepEqual(
    done.filter(({ status, pages }) => status !== 'succeeded' || pages !== 1),
    [],
  )
  const attempts = done.reduce((sum, each) => sum + each.attempts, 0)
  const searches = asked(apple, '/search').length
  tell(`${attempts} attempts for ${keywords.length} keywords, ${searches} searches`)
  assert.ok(attempts > keywords.length, 'the work of the worker that was killed was taken up')
  // What was on its way is asked for again: in the worker that was killed, and in all of them when the pooler was.
  assert.ok(
    searches <= keywords.length + takersEach * work,
    `${searches} searches for ${keywords.length} keywords`,
  )

  tell(`of ${limit} a minute ${eager.served} were served and ${eager.refused} refused`)
  assert.ok(eager.refused > 0 && eager.served <= limit * minutes, JSON.stringify(eager))
  assert.ok(eager.served > limit / 2, JSON.stringify(eager))

  for (const serving of servings)
    await readsOn(serving, second, () => callTo(serving.address, mixedKey)('GET', '/v1/organic/saved'))
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  assert.equal((await browser.ask('DELETE', '/session')).status, 204)
  for (const address of addresses)
    await until(
      async () => (await fetch(`${address}/v1/organic/saved`, { headers: { cookie } })).status,
      (status) => status === 401,
    )

  for (const running of [...servings, ...working.slice(1)]) {
    running.child.kill('SIGTERM')
    const { code, err } = await running.ended
    const errors = err
      .split('\n')
      .filter((line) => /"level":50/.test(line) && !/the database is away/.test(line))
    assert.deepEqual([code, errors], [0, []])
  }
  tell('all ended')
})
