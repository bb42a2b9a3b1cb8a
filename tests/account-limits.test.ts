import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { stopClock } from './support/clock.ts'
import { importPost, mp4, playHosts, sends } from './support/media.ts'
import { operate } from './support/operator.ts'
import { until } from './support/until.ts'
import { openWorld, type Reply } from './support/world.ts'

/** What an account may do and keep at most. Each test has an account of its own. */

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const world = parts.use(
  await openWorld({ works: true, network: hosts.network, media: { maxBytes: 1_000_000, timeoutSeconds: 20 } }),
)
after(() => parts.disposeAsync())

/** A key of a new account with limits. */
async function limited(account: string, limits: object): Promise<string> {
  const key = await world.key(undefined, account)
  const { code, notes } = await operate(world, { command: 'accounts limit', options: { account, ...limits } })
  assert.equal(code, 0, notes)
  return key
}

const track = (key: string, app: number) =>
  world.call('track_aso_app', { app: String(app), country: 'us', role: 'own' }, { key })

const statusesOf = (replies: readonly Pick<Reply, 'status'>[]) => replies.map(({ status }) => status).sort()

async function listed(account: string) {
  const { out } = await operate(world, { command: 'accounts list', options: { json: true } })
  return JSON.parse(out).find((one: { account: string }) => one.account === account)
}

test('requests are counted for an account over all its keys, to the last one', async () => {
  using _clock = stopClock()
  const first = await limited('requests', { requestsPerMinute: '30' })
  const second = await world.key(undefined, 'requests')
  const asked = Array.from({ length: 50 }, (_, index) =>
    world.call('list_aso_apps', {}, { key: index % 2 === 0 ? first : second }),
  )
  const replies = await Promise.all(asked)
  assert.equal(replies.filter(({ status }) => status === 200).length, 30)
  const refused = replies.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'rate-limited')
  assert.match(refused?.body.detail, /limit of this account of 30 requests in 60 seconds/)
  assert.ok(Number(refused?.headers['retry-after']) > 0)
  const another = await world.key(undefined, 'not-limited')
  assert.equal((await world.call('list_aso_apps', {}, { key: another })).status, 200)
})

test('a limit that is taken away holds for another second at most', async () => {
  using clock = stopClock()
  const key = await limited('freed', { requestsPerMinute: '1' })
  const ask = () => world.call('list_aso_apps', {}, { key })
  assert.equal((await ask()).status, 200)
  const refused = await ask()
  assert.equal(refused.status, 429)
  assert.match(refused.body.detail, /limit of this account of 1 request in 60 seconds/)
  await operate(world, { command: 'accounts limit', options: { account: 'freed', requestsPerMinute: 'none' } })
  clock.pass(1_000)
  assert.equal((await ask()).status, 200)
})

test('of many writes at once exactly as many are done as the account has room for', async () => {
  const key = await limited('items', { items: '3' })
  const apps = Array.from({ length: 12 }, (_, index) => 9_100_000_001 + index)
  const replies = await Promise.all(apps.map((app) => track(key, app)))
  assert.deepEqual(statusesOf(replies), [201, 201, 201, ...Array(9).fill(400)])
  const refused = replies.find(({ status }) => status === 400)
  assert.equal(refused?.body.code, 'invalid-request')
  assert.match(refused?.body.detail, /may keep 3 items .*keeps 3\. Nothing was stored/)
  const { items } = (await world.call('list_aso_apps', {}, { key })).body
  assert.equal(items.length, 3)

  const [one] = items
  assert.equal(
    (await track(key, Number(one.app.storeId))).status,
    200,
    'one that is tracked is no further item',
  )
  const { code, notes } = await operate(world, {
    command: 'watches add',
    options: { kind: 'import', account: 'items' },
  })
  assert.equal(code, 1)
  assert.match(notes, /may keep 3 items/)
  assert.equal((await world.call('remove_aso_app', { appId: one.appId }, { key })).status, 204)
  assert.equal((await track(key, 9_100_000_099)).status, 201)
})

test('a limit of one is told as one', async () => {
  const key = await limited('one', { items: '1' })
  assert.equal((await track(key, 9_100_000_151)).status, 201)
  const { detail } = (await track(key, 9_100_000_152)).body
  assert.match(
    detail,
    /may keep 1 item \(saved posts and ads, tracked apps, keywords, watches\), and keeps 1\./,
  )
  await operate(world, { command: 'accounts limit', options: { account: 'one', requestsPerMinute: '1' } })
  const { out } = await operate(world, { command: 'accounts list', options: {} })
  assert.match(out, /^one {2}1 valid key {2}1 item of 1 {2}.* {2}1 request a minute$/m)
})

test('keywords that do not all have room are not added at all, and those that are there are still told', async () => {
  const key = await limited('keywords', { items: '3' })
  const { appId } = (await track(key, 9_100_000_201)).body
  const add = (...terms: string[]) => world.call('add_aso_keywords', { appId, terms }, { key })
  assert.equal((await add('one', 'two')).status, 200)
  assert.equal((await add('three', 'one')).status, 400)
  const again = await add('one')
  assert.deepEqual([again.status, again.body.alreadyThere.length, again.body.keywordCount], [200, 1, 2])
  await operate(world, { command: 'accounts limit', options: { account: 'keywords', items: '1' } })
  assert.equal((await add('one')).status, 200, 'a limit that was lowered takes nothing away')
  assert.deepEqual((await listed('keywords')).use, { items: 3, mediaBytes: 0 })
})

test('copies of media are made as long as an account that saved them has room', async () => {
  const host = 'p16.tiktokcdn.com'
  const video = (name: string, size: number) => {
    hosts.answer(`${host}/${name}.mp4`, sends(mp4(size), { 'content-type': 'video/mp4' }))
    return importPost(world, name, [{ kind: 'video', url: `https://${host}/${name}.mp4` }])
  }
  const posts = await Promise.all([video('first', 400_000), video('second', 400_001), video('third', 400_002)])
  const key = await limited('media', { mediaBytes: '0.9MB' })
  const save = (postId: string, by: string) => world.call('save_organic_content', { postId }, { key: by })
  assert.deepEqual(statusesOf(await Promise.all(posts.map((postId) => save(postId, key)))), [201, 201, 201])
  const copyOf = async (postId: string, by: string) =>
    (await world.call('get_organic_content', { postId }, { key: by })).body.media[0].kept
  const settled = await Promise.all(
    posts.map((postId) =>
      until(
        () => copyOf(postId, key),
        ({ status }) => status !== 'pending',
      ),
    ),
  )
  assert.deepEqual(settled.map(({ status }) => status).sort(), ['failed', 'stored', 'stored'])
  const failed = settled.find(({ status }) => status === 'failed')
  assert.match(String(failed?.reason), /may keep no more bytes of media/)
  const { use } = await listed('media')
  assert.ok(use.mediaBytes > 800_000 && use.mediaBytes <= 900_000, String(use.mediaBytes))

  const others = await world.key(undefined, 'media-of-others')
  const fourth = await video('fourth', 300_000)
  await save(fourth, others)
  await until(
    () => copyOf(fourth, others),
    ({ status }) => status === 'stored',
  )
  const refused = await save(fourth, key)
  assert.equal(refused.status, 400)
  assert.match(refused.body.detail, /may keep 900,000 bytes of media, and keeps 80\d,\d{3}/)
})

test('limits are listed with what an account keeps, and what makes no sense is refused', async () => {
  await limited('listed', { requestsPerMinute: '600', items: '5000', mediaBytes: '5GB' })
  const { out } = await operate(world, { command: 'accounts list', options: {} })
  assert.match(
    out,
    /^listed {2}1 valid key {2}0 items of 5,000 {2}0 B of media of 5 GB {2}600 requests a minute$/m,
  )
  const refusals: [object, RegExp][] = [
    [{ account: 'listed' }, /Give --requests-per-minute, --items or --media-bytes/],
    [{ account: 'listed', requestsPerMinute: '0' }, /keys revoke/],
    [{ account: 'nobody', items: '1' }, /No account is named "nobody"/],
  ]
  for (const [options, refusal] of refusals) {
    const { code, notes } = await operate(world, {
      command: 'accounts limit',
      options: options as { account: string },
    })
    assert.equal(code, 1)
    assert.match(notes, refusal)
  }
})
