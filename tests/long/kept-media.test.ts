import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { archivedCopyShapes, mediaStatusOf } from '../../src/api/creative-shapes.ts'
import { KeptCopy } from '../../src/contract/shapes/creatives.ts'
import { operatorId } from '../../src/domain/accounts/keys.ts'
import { mediaIdOf } from '../../src/domain/media/media-id.ts'
import { requestCopies } from '../../src/domain/media/queries.ts'
import { reconcileMedia } from '../../src/jobs/kinds/archive-media.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import { importAd, importPost, keep, mediumOf, mp4, playHosts, png, sends, worksOn } from '../support/media.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

const parts = new AsyncDisposableStack()
const hosts = parts.use(await playHosts())
const world = parts.use(
  await openWorld({ works: true, network: hosts.network, media: { maxBytes: 1_000_000, timeoutSeconds: 20 } }),
)
after(() => parts.disposeAsync())
const { db } = world.store

const host = 'p16.tiktokcdn.com'
const at = (path: string) => `https://${host}/${path}`
const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** The copies of media, each of the contract's shape. */
async function copies(...mediaIds: string[]) {
  const shapes = await archivedCopyShapes(db, operatorId, mediaIds)
  return mediaIds.map((mediaId) => KeptCopy.parse(shapes.get(mediaId)))
}
const settled = (...mediaIds: string[]) =>
  until(
    () => copies(...mediaIds),
    (all) => all.every(({ status }) => status !== 'pending'),
  )

/** As `settled`, without the minutes for which the queue waits before it tries again. */
async function settledSoon(mediaId: string) {
  const [copy] = await until(
    async () => {
      await sql`update pgboss.job set start_after = now() where name = 'archive-media' and state = 'retry'`.execute(
        db,
      )
      return copies(mediaId)
    },
    ([first]) => first?.status !== 'pending',
  )
  return copy ?? assert.fail()
}

test('media that nobody asked for are not kept, and say so', async () => {
  const postId = await importPost(world, 'unasked', [{ kind: 'image', url: at('unasked.png') }])
  assert.deepEqual(await copies(mediumOf(postId)), [
    { status: 'not-kept', reason: 'Media are copied once the post or ad is saved.', checkedAt: null },
  ])
})

test('what is asked for is copied once, whole, and served from here', async () => {
  const [picture, video] = [await png(1), mp4(400_000)]
  hosts.answer(`${host}/one.png`, sends(picture, { 'content-type': 'image/png' }))
  hosts.answer(`${host}/one.mp4`, sends(video, { 'content-type': 'application/octet-stream' }))
  const postId = await importPost(world, 'stored', [
    { kind: 'video', url: at('one.mp4') },
    { kind: 'image', url: at('one.png') },
  ])
  const ids = [mediumOf(postId, 1, 'video'), mediumOf(postId, 2)]
  await keep(world, { postId })
  await keep(world, { postId })
  const [film, still] = await settled(...ids)
  assert.ok(film?.status === 'stored' && still?.status === 'stored')
  assert.equal(film.contentType, 'video/mp4', 'decided by the content')
  assert.deepEqual(
    [still.contentType, still.sizeBytes, still.sha256, still.url],
    ['image/png', picture.length, hashOf(picture), `/media/${hashOf(picture)}`],
  )
  const served = await world.server.inject({ method: 'GET', url: film.url })
  assert.equal(served.statusCode, 200)
  assert.ok(served.rawPayload.equals(video))
  await keep(world, { postId })
  assert.equal((await worksOn(world, { postId })).length, 1, 'asked again, there is nothing to do')
  assert.equal(hosts.asked.filter((address) => address === `${host}/one.png`).length, 1)
})

test('one content that many posts show is kept once', async () => {
  const picture = await png(2)
  hosts.answer(`${host}/shared.png`, sends(picture))
  hosts.answer(`${host}/also-shared.png`, sends(picture))
  const posts = [
    await importPost(world, 'shares', [{ kind: 'image', url: at('shared.png') }]),
    await importPost(world, 'shares-too', [{ kind: 'image', url: at('also-shared.png') }]),
  ]
  for (const postId of posts) await keep(world, { postId })
  const kept = await settled(...posts.map((postId) => mediumOf(postId)))
  assert.deepEqual(
    new Set(kept.map((copy) => copy.status === 'stored' && copy.sha256)),
    new Set([hashOf(picture)]),
  )
  const objects = await sql`select from media_objects where sha256 = ${hashOf(picture)}`.execute(db)
  assert.equal(objects.rows.length, 1)
})

test('what is gone at the source is said to be gone, and asked for again only at another address', async () => {
  hosts.answer(`${host}/expired.png`, sends('URL signature expired', {}, 403))
  hosts.answer(`${host}/gone.png`, sends('', {}, 410))
  const media = ['missing.png', 'gone.png', 'expired.png'].map((name) => ({
    kind: 'image' as const,
    url: at(name),
  }))
  const postId = await importPost(world, 'removed', media)
  await keep(world, { postId })
  const ids = [1, 2, 3].map((position) => mediumOf(postId, position))
  const gone = await settled(...ids)
  assert.deepEqual(
    gone.map((copy) => [copy.status, 'reason' in copy && copy.reason]),
    [
      ['removed-upstream', 'The address answered 404 before a copy was made.'],
      ['removed-upstream', 'The address answered 410 before a copy was made.'],
      ['removed-upstream', 'The address answered 403: its signature expired before a copy was made.'],
    ],
  )
  assert.ok(gone.every((copy) => 'checkedAt' in copy && copy.checkedAt !== null))
  const asked = hosts.asked.length
  await keep(world, { postId })
  assert.equal((await worksOn(world, { postId })).length, 1)

  hosts.answer(`${host}/fresh.png`, sends(await png(3)))
  await importPost(world, 'removed', [{ kind: 'image', url: at('fresh.png') }, ...media.slice(1)])
  await keep(world, { postId })
  const again = await settled(...ids)
  assert.deepEqual(
    again.map(({ status }) => status),
    ['stored', 'removed-upstream', 'removed-upstream'],
  )
  assert.equal(hosts.asked.length, asked + 1)
})

test('a host that is not allowed is never asked', async () => {
  const postId = await importPost(world, 'elsewhere', [
    { kind: 'image', url: 'https://intranet.example/a.png' },
  ])
  await keep(world, { postId })
  const [copy] = await settled(mediumOf(postId))
  assert.equal(copy?.status, 'failed')
  assert.match(('reason' in copy && copy.reason) || '', /intranet\.example is not among/)
  assert.ok(!hosts.asked.some((address) => address.includes('intranet')))
})

test('media without an address are not kept, and say so', async () => {
  const postId = await importPost(world, 'no-address', [{ kind: 'image', url: null }])
  await keep(world, { postId })
  assert.deepEqual(await copies(mediumOf(postId)), [
    { status: 'not-kept', reason: 'The source gives no address to copy from.', checkedAt: null },
  ])
  assert.deepEqual(await worksOn(world, { postId }), [])
})

test('trouble at the source is met with patience: the copy stays pending and comes later', async () => {
  let answers = 0
  const picture = await png(4)
  hosts.answer(`${host}/moody.png`, (request, response) => {
    answers += 1
    if (answers === 1) return void response.writeHead(503).end()
    sends(picture)(request, response)
  })
  const postId = await importPost(world, 'moody', [{ kind: 'image', url: at('moody.png') }])
  await keep(world, { postId })
  const [work] = await until(
    () => worksOn(world, { postId }),
    ([first]) => (first?.attempts ?? 0) >= 1 && first?.status === 'queued',
  )
  assert.equal(work?.status, 'queued')
  const [waiting] = await copies(mediumOf(postId))
  assert.ok(waiting?.status === 'pending' && waiting.reason === null && waiting.checkedAt !== null)
  assert.equal((await settledSoon(mediumOf(postId))).status, 'stored')
})

test('trouble that does not end is a failure, with its reason', async () => {
  hosts.answer(`${host}/down.png`, sends('', {}, 500))
  const postId = await importPost(world, 'down', [{ kind: 'image', url: at('down.png') }])
  await keep(world, { postId })
  const copy = await settledSoon(mediumOf(postId))
  assert.ok(copy.status === 'failed')
  assert.equal(copy.reason, 'The source answered 500.')
  assert.deepEqual(
    await until(
      () => worksOn(world, { postId }),
      ([work]) => work?.status === 'partial',
    ),
    [{ status: 'partial', attempts: 5 }],
  )
  hosts.answer(`${host}/down.png`, sends(await png(5)))
  await keep(world, { postId })
  const [mended] = await settled(mediumOf(postId))
  assert.equal(mended?.status, 'stored', 'asked again, it is tried again')
})

test('of all media of a creative the worst is told first', () => {
  const stated = [{ kind: 'image', url: null }] as const
  const missing = (
    status: 'failed' | 'pending' | 'not-kept' | 'removed-upstream',
    reason: string | null = status,
  ) => ({
    status,
    reason,
    checkedAt: null,
  })
  const stored = {
    status: 'stored' as const,
    url: '/media/x',
    contentType: 'image/png',
    sizeBytes: 1,
    sha256: 'x',
    storedAt: '2026-01-01T00:00:00Z',
  }
  assert.deepEqual(mediaStatusOf(stated, [stored, stored]), { status: 'stored', reason: null })
  assert.deepEqual(mediaStatusOf(stated, [stored, missing('not-kept')]), {
    status: 'not-kept',
    reason: 'not-kept',
  })
  assert.deepEqual(mediaStatusOf(stated, [missing('not-kept'), missing('pending', null)]), {
    status: 'pending',
    reason: null,
  })
  assert.deepEqual(mediaStatusOf(stated, [missing('pending', null), missing('removed-upstream')]), {
    status: 'removed-upstream',
    reason: 'removed-upstream',
  })
  assert.deepEqual(mediaStatusOf(stated, [missing('removed-upstream'), missing('failed', 'why')]), {
    status: 'failed',
    reason: 'why',
  })
  assert.deepEqual(mediaStatusOf([], []), { status: 'text-only', reason: null })
  assert.deepEqual(mediaStatusOf(null, []), { status: 'text-only', reason: null })
  assert.equal(mediaStatusOf(undefined, []).status, 'not-kept')
})

test('an installation that does not copy what is saved says so', async () => {
  await using other = await openWorld({
    works: true,
    network: hosts.network,
    media: { keep: { saved: false } },
  })
  const postId = await importPost(other, 'unwanted', [{ kind: 'image', url: at('unwanted.png') }])
  await keep(other, { postId })
  const [copy] = await until(
    async () => [...(await archivedCopyShapes(other.store.db, operatorId, [mediumOf(postId)])).values()],
    ([first]) => first?.status !== 'pending',
  )
  assert.ok(copy?.status === 'not-kept')
  assert.match(copy.reason ?? '', /set not to copy media of saved/)
  assert.ok(!hosts.asked.includes(`${host}/unwanted.png`))
})

test('where all of a kind is kept, what arrives is copied without being asked for, and nothing else is', async () => {
  // Its own schedule keeps nothing that arrives, so that only the looks below do.
  await using other = await openWorld({ works: true, network: hosts.network })
  hosts.answer(`${host}/arrived.png`, sends(await png(20)))
  const arrived = [{ kind: 'image' as const, url: at('arrived.png') }]
  const postId = await importPost(other, 'arrived', arrived)
  const textOnly = await importPost(other, 'text-only', [])
  const creativeId = await importAd(other, '4711', arrived)
  const look = (minute: number, keep = { posts: true, ads: true, saved: true }) =>
    reconcileMedia(other.store.db, other.queue, keep, new Date(Date.UTC(2026, 0, 1, 0, minute)))
  const stateOf = async () => [
    ...(
      await archivedCopyShapes(other.store.db, operatorId, [
        mediumOf(postId),
        mediaIdOf({ creativeId }, 'image', 1),
        mediumOf(textOnly),
      ])
    ).values(),
  ]
  await look(5)
  await look(0, { posts: false, ads: false, saved: true })
  assert.deepEqual(
    (await stateOf()).map(({ status }) => status),
    ['not-kept', 'not-kept', 'not-kept'],
  )
  await look(10)
  const copied = await until(stateOf, (all) => all.every(({ status }) => status !== 'pending'))
  assert.deepEqual(
    copied.map(({ status }) => status),
    ['stored', 'stored', 'not-kept'],
  )
  await look(20)
  assert.equal((await worksOn(other, { postId })).length, 1)
  assert.equal((await worksOn(other, { platform: 'meta', archiveId: '4711' })).length, 1)
})

test('what had gone and is seen again at another address is copied from there', async () => {
  const media = (signature: string) => [{ kind: 'image' as const, url: at(`moving.png?signed=${signature}`) }]
  const postId = await importPost(world, 'moved', media('first'))
  const creativeId = await importAd(world, '4712', media('first'))
  const ids = [mediumOf(postId), mediaIdOf({ creativeId }, 'image', 1)]
  await keep(world, { postId })
  await keep(world, { platform: 'meta', archiveId: '4712' })
  await settled(...ids)
  const look = () => reconcileMedia(db, world.queue, world.archive.policy, new Date('2026-01-01T00:10:00Z'))
  await look()
  assert.deepEqual(
    (await copies(...ids)).map(({ status }) => status),
    ['removed-upstream', 'removed-upstream'],
  )
  hosts.answer(`${host}/moving.png?signed=second`, sends(await png(22)))
  await importPost(world, 'moved', media('second'))
  assert.equal(await importAd(world, '4712', media('second')), creativeId)
  await look()
  assert.deepEqual(
    (await settled(...ids)).map(({ status }) => status),
    ['stored', 'stored'],
  )
})

test('a wish that an ending work missed is taken up by the next look', async () => {
  hosts.answer(`${host}/missed.png`, sends(await png(21)))
  const postId = await importPost(world, 'missed', [{ kind: 'image', url: at('missed.png') }])
  const mediaId = mediumOf(postId)
  await requestCopies(db, [
    { mediaId, owner: `post ${postId}`, kind: 'image', sourceUrl: at('missed.png'), reason: null },
  ])
  assert.deepEqual(await worksOn(world, { postId }), [])
  await reconcileMedia(db, world.queue, world.archive.policy, new Date())
  assert.equal((await settledSoon(mediaId)).status, 'stored')
})

/** A content that is kept already, for the tests of serving. */
async function served(content: Buffer, contentType: string): Promise<string> {
  const { sha256, sizeBytes } = await world.archive.store.put(
    (async function* () {
      yield content
    })(),
  )
  await sql`insert into media_objects (sha256, content_type, size_bytes) values (${sha256}, ${contentType}, ${sizeBytes})
    on conflict do nothing`.execute(db)
  return `/media/${sha256}`
}

test('kept media are served to browsers as what they are, to be cached for ever and never run', async () => {
  // A picture that is a page as well, for whoever believes so.
  const polyglot = Buffer.concat([await png(6), Buffer.from('<html><script>alert(1)</script></html>')])
  const url = await served(polyglot, 'image/png')
  const { statusCode, headers, rawPayload } = await world.server.inject({ method: 'GET', url })
  assert.equal(statusCode, 200)
  assert.ok(rawPayload.equals(polyglot))
  assert.equal(headers['content-type'], 'image/png')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), /^sandbox; default-src 'none'/)
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
  assert.equal(headers['content-disposition'], `inline; filename="${url.slice(7, 23)}.png"`)
  assert.equal(headers['content-length'], String(polyglot.length))
  assert.equal(headers['accept-ranges'], 'bytes')
  const head = await world.server.inject({ method: 'HEAD', url })
  assert.deepEqual([head.statusCode, head.payload], [200, ''])
  assert.equal(head.headers['content-length'], String(polyglot.length))
  const known = await world.server.inject({
    method: 'GET',
    url,
    headers: { 'if-none-match': String(headers.etag) },
  })
  assert.deepEqual([known.statusCode, known.payload], [304, ''])
})

test('a video is served in parts', async () => {
  const video = mp4(100_000)
  const url = await served(video, 'video/mp4')
  const ask = (range: string, headers = {}) =>
    world.server.inject({ method: 'GET', url, headers: { range, ...headers } })
  const part = await ask('bytes=1000-1999')
  assert.equal(part.statusCode, 206)
  assert.equal(part.headers['content-range'], 'bytes 1000-1999/100000')
  assert.equal(part.headers['content-length'], '1000')
  assert.ok(part.rawPayload.equals(video.subarray(1000, 2000)))
  const end = await ask('bytes=-10')
  assert.ok(end.statusCode === 206 && end.rawPayload.equals(video.subarray(-10)))
  const beyond = await ask('bytes=100000-')
  assert.deepEqual(
    [beyond.statusCode, beyond.headers['content-range'], beyond.payload],
    [416, 'bytes */100000', ''],
  )
  assert.equal((await ask('bytes=0-1,5-6')).statusCode, 200)
  assert.equal((await ask('bytes=0-1', { 'if-range': '"another"' })).statusCode, 200)
  assert.equal((await ask('bytes=0-1', { 'if-range': part.headers.etag })).statusCode, 206)
})

test('any other address is no address', async () => {
  const url = await served(await png(7), 'image/png')
  for (const wrong of [
    '/media/',
    '/media/x',
    `/media/${'0'.repeat(64)}`,
    url.toUpperCase(),
    '/media/..%2f..%2fetc%2fpasswd',
    `${url}.png`,
  ]) {
    const { status, body } = await world.request({ method: 'GET', url: wrong })
    assert.deepEqual([status, body.code], [404, 'route-not-found'], wrong)
  }
  const written = await world.request({ method: 'POST', url, payload: {} })
  assert.deepEqual([written.status, written.headers.allow], [405, 'GET, HEAD'])
})

test('a content that the store has lost is not there, and nothing breaks', async () => {
  const url = await served(await png(8), 'image/png')
  const { store } = world.archive
  assert.ok(store instanceof MediaOnDisk)
  rmSync(join(store.directory, url.slice(7, 9)), { recursive: true })
  assert.equal((await world.request({ method: 'GET', url })).status, 404)
})
