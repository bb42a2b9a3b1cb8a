import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { callsAfterWork, callsBeforeWork } from '../../scripts/examples/calls.ts'
import { contract } from '../../src/contract/contract.ts'
import { createKey } from '../../src/domain/accounts/keys.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type Running, runProcess } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { givePosts, postIds } from '../support/power/given-files.ts'
import { askForRecord, type Call, callTo } from '../support/power/service-client.ts'
import { readsOn as moreReadsOn, replicaName, type Serving, startServing } from '../support/serving.ts'
import { openStreaming, type StreamingServer } from '../support/streaming.ts'
import { until } from '../support/until.ts'

const streaming = await openStreaming(2)
const folder = openFolder()
const { primary, replicas } = streaming
after(async () => {
  await streaming[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})
const [first, second] = replicas as [StreamingServer, StreamingServer]
const location = ['--database-url', primary.url, '--data-dir', folder.path]
const imported = await runProcess(['import', 'organic', givePosts(folder.path), ...location], {
  cwd: folder.path,
})
assert.equal(imported.code, 0, imported.err)
const keys: string[] = []
{
  await using store = await openStore({ databaseUrl: primary.url }, 'test')
  for (const account of ['one', 'other'])
    keys.push(await createKey(store.db, { name: account, scopes: ['context:read', 'content:write'], account }))
}
const [key = '', otherKey = ''] = keys

interface Asked extends Serving {
  call: Call
  callOfOther: Call
}

async function serve(): Promise<Asked> {
  const asked = ['--replica-url', first.url, '--replica-url', second.url, '--port', '0', '--work', 'off']
  const serving = await startServing([...location, ...asked, '--rate-limit', '0', '--log-level', 'info'])
  return { ...serving, call: callTo(serving.address, key), callOfOther: callTo(serving.address, otherKey) }
}

const storeId = '8000000001'
const requestsOf = (call: Call) => call('GET', `/v1/competitors/ios/${storeId}/data-requests`)
const savedBy = (call: Call) => call('GET', '/v1/organic/saved')

const readsOn = (serving: Asked, replica: StreamingServer) =>
  moreReadsOn(serving, replica, () => savedBy(serving.call))

/**
 * Reads and writes without a pause until it is told to stop. Each caller has posts of its own, and reads what it wrote.
 * @returns answers that are not as expected, and how many there were in all
 */
function load(servings: readonly Asked[]): { end(): Promise<{ strange: unknown[]; answered: number }> } {
  let goesOn = true
  let answered = 0
  const strange: unknown[] = []
  const loop = async ({ call }: Asked, number: number) => {
    for (let round = 0; goesOn; round++) {
      const postId = postIds[10 * number + (round % 10)] ?? ''
      const note = `${number} ${round}`
      const answers = [
        await call('POST', `/v1/organic/${postId}/saved`, { note }),
        await call('GET', '/v1/organic/saved?limit=100'),
        await call('GET', '/v1/competitors/categories?country=us'),
        await call('GET', '/v1/organic?q=post'),
      ]
      answered += answers.length
      strange.push(...answers.filter(({ status }) => status >= 300))
      // Several callers write to the same post, and none of them may see less than was there before it wrote.
      const items: { note: string; post: { postId: string } }[] = answers[1]?.body.items ?? []
      const found = items.find((item) => item.post.postId === postId)?.note
      if (found !== note) strange.push({ postId, note, found })
    }
  }
  // A service that is gone is told of where the load ends, after what a test says of it.
  const loops = servings.flatMap((serving, each) =>
    [0, 1, 2].map((number) => loop(serving, each * 3 + number).catch((error) => void strange.push(error))),
  )
  return {
    async end() {
      goesOn = false
      await Promise.all(loops)
      return { strange, answered }
    },
  }
}

/** What was told of replicas, in order. */
const toldOf = ({ said }: Running) =>
  said.err
    .split('\n')
    .filter((line) => /a replica is /.test(line))
    .map((line) => JSON.parse(line) as { replica: string; msg: string })

/** Each replica is told of when it is lost and when it is back, in turn, and not for each request. */
function toldInTurn(serving: Serving): void {
  for (const [replica, told] of Map.groupBy(toldOf(serving), (line) => line.replica))
    for (const [at, { msg }] of told.entries())
      assert.match(msg, at % 2 === 0 ? /lost|behind/ : /back/, `${replica}: ${JSON.stringify(told)}`)
}

describe('Streaming replicas', { timeout: 1_200_000 }, () => {
  test('answer all that is read, and the primary nothing', async () => {
    await using serving = await serve()
    for (const replica of replicas) await readsOn(serving, replica)
    const { primary: before = 0 } = await serving.reads()
    let asked = 0
    for (const { tool, input } of [...callsBeforeWork, ...callsAfterWork]) {
      const { method, path } = contract[tool]
      if (method !== 'GET' || typeof input === 'function') continue
      await streaming.caughtUp()
      const rest = new URLSearchParams()
      let url: string = path
      for (const [name, value] of Object.entries(input)) {
        if (url.includes(`{${name}}`)) url = url.replace(`{${name}}`, String(value))
        else for (const one of [value].flat()) rest.append(name, String(one))
      }
      const { status, body } = await serving.call('GET', `${url}?${rest}`)
      assert.ok(status === 200 || status === 404, `${tool}: ${status} ${JSON.stringify(body)}`)
      asked++
    }
    assert.ok(asked > 15, `${asked} were asked`)
    assert.equal((await serving.reads()).primary ?? 0, before)
  })

  test('show what was written, through any process and after a restart, also while no replica has it', async () => {
    await using one = await serve()
    await using other = await serve()
    for (const serving of [one, other]) await readsOn(serving, first)
    for (const { query } of replicas) await query('select pg_wal_replay_pause()')
    try {
      for (const [round, postId] of postIds.slice(0, 20).entries()) {
        const [writing, reading] = round % 2 === 0 ? [one, other] : [other, one]
        assert.equal((await writing.call('POST', `/v1/organic/${postId}/saved`, {})).status, 201)
        const { body } = await savedBy(reading.call)
        assert.equal(body.items.length, round + 1, `after ${round}`)
      }
      assert.equal((await askForRecord(one.call, storeId)).status, 201)
      assert.equal((await requestsOf(other.call)).body.items.length, 1)
      assert.deepEqual((await savedBy(other.callOfOther)).body.items, [])
      await using started = await serve()
      assert.equal((await savedBy(started.call)).body.items.length, 20)
      assert.equal((await requestsOf(started.call)).body.items.length, 1)
      assert.deepEqual(Object.keys(await started.reads()), ['primary'])
      assert.equal((await fetch(`${started.address}/readyz`)).status, 200)
    } finally {
      for (const { query } of replicas) await query('select pg_wal_replay_resume()')
    }
    for (const replica of replicas) await readsOn(other, replica)
    assert.equal((await savedBy(other.call)).body.items.length, 20)
    const removed = await fetch(`${one.address}/v1/organic/${postIds[0]}/saved`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${key}` },
    })
    assert.equal(removed.status, 204)
    assert.equal((await savedBy(other.call)).body.items.length, 19)
    for (const serving of [one, other]) toldInTurn(serving)
  })

  test('a replica that is killed under load fails no request, is told of once, and is used again once it is back', async () => {
    await using one = await serve()
    await using other = await serve()
    const loads = load([one, other])
    for (const serving of [one, other]) for (const replica of replicas) await readsOn(serving, replica)
    await first.kill()
    for (const serving of [one, other]) await serving.says(/is lost/)
    await readsOn(one, second)
    await second.kill()
    await until(
      async () => [one, other].map((serving) => new Set(toldOf(serving).map(({ replica }) => replica)).size),
      (lost) => lost.every((count) => count === 2),
    )
    assert.equal((await fetch(`${one.address}/readyz`)).status, 200)
    for (const replica of replicas) await replica.start()
    for (const serving of [one, other]) for (const replica of replicas) await readsOn(serving, replica)
    const { strange, answered } = await loads.end()
    assert.deepEqual(strange, [])
    assert.ok(answered > 100, `${answered} answers`)
    for (const serving of [one, other]) toldInTurn(serving)
  })

  test('a replica that cancels statements and ends sessions fails no request', async () => {
    await using serving = await serve()
    for (const replica of replicas) await readsOn(serving, replica)
    const loads = load([serving])
    const others = `from pg_stat_activity where application_name = 'rivalscope serve'`
    let canceled = 0
    for (let round = 0; round < 40; round++)
      for (const { query } of replicas)
        try {
          await query(`select pg_cancel_backend(pid) ${others}`)
          if (round % 4 === 0) await query(`select pg_terminate_backend(pid) ${others}`)
          canceled++
        } catch (error) {
          // Replay cancels statements as well, and this may be one of them.
          assert.match(String(error), /conflict with recovery/)
        }
    assert.ok(canceled > 10, `${canceled} rounds`)
    for (const replica of replicas) await readsOn(serving, replica)
    assert.deepEqual((await loads.end()).strange, [])
    toldInTurn(serving)
  })

  test('a replica that does not answer, though its connections stand, holds nobody up for long', async () => {
    await using serving = await serve()
    for (const replica of replicas) await readsOn(serving, replica)
    const loads = load([serving])
    first.signal('SIGSTOP')
    try {
      await serving.says(/is lost/)
      await readsOn(serving, second)
      for (let each = 0; each < 10; each++) assert.equal((await savedBy(serving.call)).status, 200)
    } finally {
      first.signal('SIGCONT')
    }
    await readsOn(serving, first)
    assert.deepEqual((await loads.end()).strange, [])
    toldInTurn(serving)
  })

  test('a replica that is promoted is asked no longer', async () => {
    await using serving = await serve()
    for (const replica of replicas) await readsOn(serving, replica)
    const loads = load([serving])
    await second.query('select pg_promote()')
    await serving.says(/It is no replica, or no longer/)
    const before = (await serving.reads())[replicaName(second)]
    await readsOn(serving, first)
    assert.equal((await serving.reads())[replicaName(second)], before)
    assert.deepEqual((await loads.end()).strange, [])
  })

  test('a replica that is away when a service starts is told of, and the service starts without it', async () => {
    await second.kill()
    await using serving = await serve()
    await serving.says(/is lost/)
    await readsOn(serving, first)
  })
})

test('replicas without a primary of their own are refused, and addresses are never repeated', async () => {
  const embedded = await runProcess(['serve', '--data-dir', folder.path, '--replica-url', first.url])
  assert.equal(embedded.code, 2, embedded.err)
  assert.match(embedded.err, /--replica-url goes with --database-url/)
  const wrong = await runProcess(['serve', ...location, '--replica-url', 'secret'])
  assert.equal(wrong.code, 2, wrong.err)
  assert.doesNotMatch(wrong.err, /secret/)
})
