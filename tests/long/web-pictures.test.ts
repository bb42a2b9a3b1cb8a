import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { sql } from 'kysely'
import sharp from 'sharp'
import { demoMediaHost, demoNetwork } from '../../sample/demo/media.ts'
import { rows } from '../../src/storage/database.ts'
import { openFolder } from '../support/files.ts'
import { importPost, mp4, playHosts, png, sends } from '../support/media.ts'
import { until } from '../support/until.ts'
import { openWorld, type World, type WorldOptions } from '../support/world.ts'

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const folder = parts.use(openFolder())
folder.write('web/index.html', '<title>Pages</title><script id="session" type="application/json">null</script>')
const openWith = (options: WorldOptions = {}) =>
  openWorld({
    network: hosts.network,
    media: { maxBytes: 1_000_000 },
    webDirectory: join(folder.path, 'web'),
    ...options,
  })
const world = parts.use(await openWith({ rateLimit: 2 }))
after(() => parts.disposeAsync())

const host = 'is1-ssl.mzstatic.com'
const at = (path: string) => `https://${host}/${path}`
const asked = (path: string) => hosts.asked.filter((address) => address === `${host}/${path}`).length
const keys = new Map([world].map((one) => [one, one.key(['context:read'])]))

async function show(url: string, width: number | string = 64, from: World = world, key?: string) {
  const used = key ?? (await (keys.get(from) ?? from.key(['context:read'])))
  const { statusCode, headers, rawPayload, payload } = await from.server.inject({
    url: `/pictures?${new URLSearchParams({ url, width: String(width) })}`,
    headers: { authorization: `Bearer ${used}` },
  })
  const problem = /json/.test(String(headers['content-type'])) ? JSON.parse(payload) : undefined
  return { status: statusCode, headers, bytes: rawPayload, problem }
}

test('a picture of a store comes from here, in the width that was asked for, and may be kept by the browser', async () => {
  hosts.answer(`${host}/icon.png`, sends(await png(1, 600)))
  const { status, headers, bytes } = await show(at('icon.png'), 128)
  assert.equal(status, 200)
  const { format, width } = await sharp(bytes).metadata()
  assert.deepEqual([format, width], ['webp', 128])
  assert.equal(headers['content-type'], 'image/webp')
  assert.equal(headers['cache-control'], 'private, max-age=604800, immutable')
  assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/)
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers.ratelimit, undefined, 'takes nothing from what operations have')
  const small = await show(at('icon.png'), 1024)
  assert.equal((await sharp(small.bytes).metadata()).width, 600, 'nothing is enlarged')
})

test('one fetch serves everybody who asks at once, and whoever asks later', async () => {
  hosts.answer(`${host}/popular.png`, sends(await png(2)))
  const replies = await Promise.all(Array.from({ length: 20 }, () => show(at('popular.png'))))
  assert.ok(replies.every(({ status }) => status === 200))
  const again = await world.server.inject({
    url: `/pictures?${new URLSearchParams({ url: at('popular.png'), width: '64' })}`,
    headers: {
      authorization: `Bearer ${await keys.get(world)}`,
      'if-none-match': String(replies[0]?.headers.etag),
    },
  })
  assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
  assert.equal(asked('popular.png'), 1)
})

test('nobody is shown a picture without a credential that may read', async () => {
  const url = `/pictures?${new URLSearchParams({ url: at('icon.png'), width: '64' })}`
  assert.equal((await world.request({ url })).status, 401)
  const writer = await world.key(['content:write'])
  const { status, problem } = await show(at('icon.png'), 64, world, writer)
  assert.deepEqual([status, problem.code], [403, 'scope-missing'])
  assert.equal((await world.request({ url, method: 'POST' })).status, 405)
})

/** The icons of one request, in their order. */
async function icons(urls: readonly string[], from: World = world, key?: string) {
  const used = key ?? (await (keys.get(from) ?? from.key(['context:read'])))
  const query = new URLSearchParams([['width', '64'], ...urls.map((url): [string, string] => ['url', url])])
  const { statusCode, headers, payload } = await from.server.inject({
    url: `/icons?${query}`,
    headers: { authorization: `Bearer ${used}` },
  })
  if (statusCode !== 200) return { status: statusCode, headers, lines: [], problem: JSON.parse(payload) }
  const lines = payload
    .split('\n')
    .slice(0, -1)
    .map((line): { icon: number; status: number; webp?: string; address?: string } => JSON.parse(line))
  return { status: statusCode, headers, lines: lines.toSorted((one, other) => one.icon - other.icon) }
}

test('several icons come in one request, each as it is alone: the others come where one is missing or not allowed', async () => {
  hosts.answer(`${host}/first.png`, sends(await png(11)))
  hosts.answer(`${host}/second.png`, sends(await png(12)))
  hosts.answer(`${host}/third.png`, sends('', {}, 503))
  const urls = [
    at('first.png'),
    at('gone.png'),
    at('third.png'),
    'https://evil.example/icon.png',
    at('second.png'),
  ]
  const { headers, lines } = await icons(urls)
  assert.equal(headers['content-type'], 'application/x-ndjson; charset=utf-8')
  assert.equal(headers['cache-control'], 'private, max-age=300')
  assert.deepEqual(
    lines.map(({ icon, status }) => [icon, status]),
    [
      [0, 200],
      [1, 404],
      [2, 502],
      [3, 400],
      [4, 200],
    ],
  )
  for (const icon of [0, 4])
    assert.deepEqual(
      Buffer.from(lines[icon]?.webp ?? '', 'base64'),
      (await show(urls[icon] ?? '')).bytes,
      'the same bytes as alone',
    )
  assert.equal(asked('first.png'), 1)
})

test('icons need a credential that may read, and are bounded before anything is looked at', async () => {
  assert.equal((await world.request({ url: `/icons?width=64&url=${at('icon.png')}` })).status, 401)
  const writer = await world.key(['content:write'])
  assert.deepEqual((await icons([at('icon.png')], world, writer)).status, 403)
  const { status, problem } = await icons(Array.from({ length: 41 }, () => at('icon.png')))
  assert.deepEqual([status, problem.errors[0].pointer], [400, '/query/url'])
  const authorization = `Bearer ${await keys.get(world)}`
  for (const [query, pointer] of [
    ['width=64', '/query/url'],
    [`url=${at('a')}`, '/query/width'],
    [`url=${at('a')}&width=512`, '/query/width'],
    [`url=${at('a')}&width=64&x=1`, '/query/x'],
    [`url=${at('a'.repeat(5_000))}&width=64`, '/query/url/0'],
  ]) {
    const { status: refused, body } = await world.request<{ errors: { pointer: string }[] }>({
      url: `/icons?${query}`,
      headers: { authorization },
    })
    assert.deepEqual([refused, body.errors[0]?.pointer], [400, pointer])
  }
  assert.equal((await world.request({ url: '/icons', method: 'POST' })).status, 405)
})

test('only addresses that media are copied from are asked', async () => {
  for (const url of [
    'https://evil.example/icon.png',
    'https://mzstatic.com.evil.example/icon.png',
    'http://is1-ssl.mzstatic.com/icon.png',
    'https://me:secret@is1-ssl.mzstatic.com/icon.png',
    'https://is1-ssl.mzstatic.com:8443/icon.png',
    'https://127.0.0.1/icon.png',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'icon.png',
    '',
  ]) {
    const { status, problem } = await show(url)
    assert.deepEqual(
      [status, problem.code, problem.errors[0].pointer],
      [400, 'invalid-request', '/query/url'],
      url,
    )
  }
  assert.equal(hosts.asked.filter((address) => !address.startsWith(host)).length, 0)
})

test('what is asked for is one address, one of five widths, and nothing else', async () => {
  for (const query of [
    '',
    'width=64',
    `url=${at('a')}`,
    `url=${at('a')}&width=65`,
    `url=${at('a')}&width=64&x=1`,
  ]) {
    const { status } = await world.request({
      url: `/pictures?${query}`,
      headers: { authorization: `Bearer ${await keys.get(world)}` },
    })
    assert.equal(status, 400, query)
  }
  assert.equal((await show(at('a'.repeat(5_000)))).status, 400)
  assert.equal((await show(at('a'), '64,64')).status, 400)
})

test('a name that leads into a private network is not followed, nor is a redirect there', async () => {
  hosts.addresses('inside.mzstatic.com', () => ['10.0.0.7'])
  hosts.answer('inside.mzstatic.com/icon.png', sends(await png(3)))
  assert.equal((await show('https://inside.mzstatic.com/icon.png')).status, 404)
  const leads = (to: string) => sends('', { location: to }, 302)
  hosts.answer(`${host}/to-inside.png`, leads('https://inside.mzstatic.com/icon.png'))
  hosts.answer(`${host}/to-evil.png`, leads('https://evil.example/icon.png'))
  hosts.answer(`${host}/to-http.png`, leads('http://is1-ssl.mzstatic.com/icon.png'))
  for (const path of ['to-inside.png', 'to-evil.png', 'to-http.png'])
    assert.equal((await show(at(path))).status, 404, path)
  assert.deepEqual(
    hosts.asked.filter((address) => /^(inside|evil)/.test(address)),
    [],
  )
})

/** A PNG that says it is this large, and is all zeros. */
function hugePng(side: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const length = Buffer.alloc(4)
    length.writeUInt32BE(content.length)
    const check = Buffer.alloc(4)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const lines = deflateSync(Buffer.alloc(side * (1 + side / 8)))
  const parts = [chunk('IHDR', header), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}

test('only pictures are passed on, whatever they are called, and none that fills the memory', async () => {
  const bomb = hugePng(20_000)
  assert.ok(bomb.length < 100_000)
  const refused: Record<string, Parameters<typeof sends>> = {
    'drawing.png': [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      { 'content-type': 'image/png' },
    ],
    'page.png': ['<!doctype html><script>alert(1)</script>', { 'content-type': 'image/png' }],
    'text.gif': ['GIF and then a text', { 'content-type': 'image/gif' }],
    'film.jpg': [mp4(5_000), { 'content-type': 'image/jpeg' }],
    'broken.png': [(await png(4)).subarray(0, 60)],
    'bomb.png': [bomb],
    'heavy.png': [Buffer.concat([await png(5), Buffer.alloc(1_100_000)])],
    'empty.png': [''],
  }
  for (const [path, answer] of Object.entries(refused)) {
    hosts.answer(`${host}/${path}`, sends(...answer))
    const { status, problem, headers } = await show(at(path), 512)
    assert.deepEqual([status, problem?.code], [404, 'route-not-found'], path)
    assert.equal(headers['cache-control'], 'private, max-age=300')
  }
})

test('a strip that is far higher than wide stays small', async () => {
  const strip = await sharp({ create: { width: 4, height: 20_000, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  hosts.answer(`${host}/strip.png`, sends(strip))
  const { bytes } = await show(at('strip.png'), 64)
  assert.equal((await sharp(bytes).metadata()).height, 256)
})

test('a picture that could not be had is not asked for again and again', async () => {
  hosts.answer(`${host}/busy.png`, sends('', {}, 503))
  const first = await show(at('busy.png'))
  assert.deepEqual([first.status, first.problem.code], [502, 'upstream-failed'])
  hosts.answer(`${host}/busy.png`, sends(await png(6)))
  assert.equal((await show(at('busy.png'))).status, 502)
  assert.equal(asked('busy.png'), 1)
})

test('a slow host keeps nobody waiting for pictures of others', async () => {
  const answered = Promise.withResolvers<void>()
  for (let count = 0; count < 30; count++)
    hosts.answer(`slow.mzstatic.com/${count}.png`, (_request, response) => {
      void answered.promise.then(() => response.writeHead(404).end())
    })
  hosts.answer(`${host}/quick.png`, sends(await png(7)))
  const slow = Array.from({ length: 30 }, (_, count) => show(`https://slow.mzstatic.com/${count}.png`))
  let ended = 0
  for (const picture of slow) picture.then(() => ended++)
  assert.equal((await show(at('quick.png'))).status, 200)
  assert.ok(ended <= 6, `${ended} of 30 slow pictures were waited for`)
  answered.resolve()
  await Promise.all(slow)
})

test('a host that never answers is told of', async () => {
  await using hasty = await openWith({ media: { maxBytes: 1_000_000, timeoutSeconds: 1 } })
  hosts.answer(`${host}/never.png`, () => {})
  const { status, problem } = await show(at('never.png'), 64, hasty)
  assert.deepEqual([status, problem.code], [502, 'upstream-failed'])
  assert.match(problem.detail, /did not arrive within 1 s/)
})

test('a kept copy is shown to whoever may know of it, and to nobody else', async () => {
  await using keeping = await openWith({ works: true })
  hosts.answer(`${host}/kept.png`, sends(await png(8)))
  const postId = await importPost(keeping, 'kept', [{ kind: 'image', url: at('kept.png') }])
  await keeping.call('save_organic_content', { postId })
  await until(
    () => rows(keeping.store.db, sql<{ status: string }>`select status from archived_media`),
    ([copy]) => copy?.status === 'stored',
  )
  hosts.answer(`${host}/kept.png`, sends('', {}, 404))
  const own = await keeping.key(['context:read'])
  const stranger = await keeping.key(['context:read'], 'stranger')
  const before = asked('kept.png')
  assert.equal((await show(at('kept.png'), 64, keeping, own)).status, 200)
  assert.equal(asked('kept.png'), before, 'nobody is asked for what is here')
  assert.equal((await show(at('kept.png'), 64, keeping, stranger)).status, 404)
  assert.equal((await show(at('kept.png'), 64, keeping, own)).status, 200)
})

test('where the operator says so only kept copies are shown, and nobody is asked', async () => {
  await using careful = await openWith({ pictures: 'kept' })
  hosts.answer(`${host}/elsewhere.png`, sends(await png(9)))
  const { status, problem } = await show(at('elsewhere.png'), 64, careful)
  assert.equal(status, 404)
  assert.match(problem.detail, /No copy of it is kept/)
  assert.equal(asked('elsewhere.png'), 0)
})

test('where the operator allows it pages load pictures from their hosts, and from no others', async () => {
  await using open = await openWith({ pictures: 'direct', media: { hosts: ['mzstatic.com'] } })
  const { status, headers } = await show(at('far.png'), 64, open)
  assert.deepEqual([status, headers.location], [302, at('far.png')])
  assert.deepEqual((await icons([at('far.png')], open)).lines, [
    { icon: 0, status: 302, address: at('far.png') },
  ])
  assert.equal((await show('https://evil.example/far.png', 64, open)).status, 400)
  const policyOf = async (one: World) =>
    String((await one.request({ url: '/apps' })).headers['content-security-policy'])
  assert.match(
    await policyOf(open),
    /img-src 'self' data: blob: https:\/\/mzstatic\.com https:\/\/\*\.mzstatic\.com; media-src 'self' blob: https:\/\/mzstatic/,
  )
  assert.doesNotMatch(await policyOf(world), /https:/)
})

test('the demo draws icons and screenshots of its apps, and of no others', async () => {
  const network = demoNetwork({ seed: 7, until: '2026-11-20' })
  await using demo = await openWith({ network, media: { hosts: [demoMediaHost] } })
  for (const path of ['9000000001/icon-1/512x512bb.jpg', '9000000001/iphone/2-1/392x696bb.png'])
    assert.equal((await show(`https://${demoMediaHost}/apps/${path}`, 128, demo)).status, 200, path)
  for (const path of ['9999999999/icon-1/512x512bb.jpg', '9000000001/icon-1/99999x99999bb.png'])
    assert.equal((await show(`https://${demoMediaHost}/apps/${path}`, 128, demo)).status, 404, path)
})
