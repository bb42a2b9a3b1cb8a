import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { adsOnFile } from './support/ads-on-file.ts'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { operate } from './support/operator.ts'
import { importPosts, madePost } from './support/posts.ts'
import { openWorld, type World } from './support/world.ts'

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
let world: World
let server: string
let key: string
before(async () => {
  world = parts.use(await openWorld())
  await importPosts(world, [madePost('1'), madePost('2'), madePost('3')])
  await parts.use(adsOnFile(world)).import({ archiveId: '1' }, { archiveId: '2' }, { archiveId: '3' })
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key(undefined, 'studio')
  const { items: posts } = (await world.call('search_organic_content', { limit: 3 })).body
  const { items: ads } = (await world.call('search_paid_ads', { limit: 3 })).body
  for (const { postId } of posts)
    await world.call('save_organic_content', { postId, tags: ['hook'], note: 'Look' }, { key })
  for (const { platform, archiveId } of ads)
    await world.call('save_paid_ad', { platform, archiveId, tags: ['cta'] }, { key })
})

const lines = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

test('who has a key exports what their account saved, the same as the operator does beside the store', async () => {
  const far = join(folder.path, 'far.ndjson')
  const env = { RIVALSCOPE_KEY: key }
  const reported = await run(['export', 'saved', '--server', server, '--out', far], { env })
  assert.equal(reported.code, 0, reported.err)
  assert.match(reported.out, /^saved: exported 3 posts, 3 ads to .*far\.ndjson$/m)
  const near = join(folder.path, 'near.ndjson')
  const { code } = await operate(world, {
    command: 'export saved',
    options: { account: 'studio', out: near },
  })
  assert.equal(code, 0)
  assert.deepEqual(lines(far), lines(near))
  for (const format of ['csv', 'zip']) {
    const out = join(folder.path, `saved.${format}`)
    const { code, err } = await run(['export', 'saved', '--server', server, '--out', out], { env })
    assert.equal(code, 0, err)
    assert.ok(existsSync(format === 'csv' ? join(folder.path, 'saved-ads.csv') : out))
  }
})

test('it leaves nothing behind where it cannot', async () => {
  const out = join(folder.path, 'never.ndjson')
  const cases: [string, string, number, RegExp][] = [
    ['http://127.0.0.1:1', key, 1, /127\.0\.0\.1:1/],
    [server, 'rsk_wrong', 1, /unauthenticated/],
  ]
  for (const [address, own, code, pattern] of cases) {
    const env = { RIVALSCOPE_KEY: own }
    const said = await run(['export', 'saved', '--server', address, '--out', out], { env })
    assert.equal(said.code, code, said.err)
    assert.match(said.err, pattern)
    assert.doesNotMatch(said.err, /^\s+at /m)
  }
  const named = await run(['export', 'saved', '--server', server, '--account', 'default'], {
    env: { RIVALSCOPE_KEY: key },
  })
  assert.equal(named.code, 2)
  assert.ok(!existsSync(out))
})
