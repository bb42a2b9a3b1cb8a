import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { MediaInBucket } from '../src/storage/media-in-bucket.ts'
import { MediaOnDisk } from '../src/storage/media-on-disk.ts'
import type { MediaStore } from '../src/storage/media-store.ts'
import { openMediaStore } from '../src/storage/open-media-store.ts'
import { playBucket } from './support/bucket.ts'
import { openFolder } from './support/files.ts'

await using parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
const played = parts.use(await playBucket())
const running = parts.move()
after(() => running.disposeAsync())

const place = { bucket: 'kept', endpoint: played.endpoint, region: 'eu-central-1', prefix: 'rivalscope/media' }
const stores: Record<string, MediaStore> = {
  'on disk': new MediaOnDisk(join(folder.path, 'media')),
  'in a bucket': new MediaInBucket(place, played.credentials),
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

async function* inChunks(content: Uint8Array, size = 60_000) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

for (const [where, store] of Object.entries(stores)) {
  test(`${where}, a content is kept under its hash and read back, whole or in part`, async () => {
    const content = randomBytes(300_000)
    const sha256 = hashOf(content)
    assert.equal(await store.has(sha256), false)
    assert.equal(await store.open(sha256), undefined)
    assert.deepEqual(await store.put(inChunks(content)), { sha256, sizeBytes: content.length })
    assert.deepEqual(await store.put(inChunks(content)), { sha256, sizeBytes: content.length })
    assert.equal(await store.has(sha256), true)
    const whole = await store.open(sha256)
    assert.ok(whole && (await buffer(whole)).equals(content))
    const part = await store.open(sha256, { start: 100, end: 299 })
    assert.ok(part && (await buffer(part)).equals(content.subarray(100, 300)))
    await store.remove(sha256)
    await store.remove(sha256)
    assert.equal(await store.has(sha256), false)
    assert.equal(await store.open(sha256), undefined)
  })

  test(`${where}, nothing is left of a content that breaks off`, async () => {
    const beginning = randomBytes(100_000)
    async function* breaking() {
      yield beginning
      throw new Error('broken off')
    }
    await assert.rejects(store.put(breaking()), /broken off/)
    assert.equal(await store.has(hashOf(beginning)), false)
  })

  test(`${where}, many may keep the same content at once`, async () => {
    const content = randomBytes(50_000)
    const kept = await Promise.all(Array.from({ length: 8 }, () => store.put(inChunks(content))))
    assert.deepEqual(new Set(kept.map(({ sha256 }) => sha256)), new Set([hashOf(content)]))
    const read = await store.open(hashOf(content))
    assert.ok(read && (await buffer(read)).equals(content))
  })

  test(`${where}, nothing but a hash is ever a place`, async () => {
    for (const name of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(63)}/`, `${'a'.repeat(64)}\n`]) {
      await assert.rejects(store.open(name), /no hash/)
      await assert.rejects(store.has(name), /no hash/)
      await assert.rejects(store.remove(name), /no hash/)
    }
  })
}

test('on disk, a kept content is a file by its hash for its owner alone, and nothing lies beside', async () => {
  const directory = join(folder.path, 'layout')
  const store = new MediaOnDisk(directory)
  const content = Buffer.from('a content')
  const { sha256 } = await store.put(inChunks(content))
  assert.deepEqual(readFileSync(join(directory, sha256.slice(0, 2), sha256.slice(2))), content)
  assert.deepEqual(readdirSync(join(directory, 'incoming')), [])
})

test('on disk, a process that is killed while it writes leaves no half content', async () => {
  const directory = join(folder.path, 'killed')
  const program = `
    import { MediaOnDisk } from ${JSON.stringify(new URL('../src/storage/media-on-disk.ts', import.meta.url).href)}
    async function* endless() { for (;;) { yield Buffer.alloc(100_000, 1); process.send('written') } }
    await new MediaOnDisk(${JSON.stringify(directory)}).put(endless())`
  const child = fork(folder.write('endless.mjs', program), { silent: true })
  await once(child, 'message')
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.deepEqual(readdirSync(directory), ['incoming'])
  const [left = ''] = readdirSync(join(directory, 'incoming'))
  const path = join(directory, 'incoming', left)
  const now = Date.now() / 1000
  utimesSync(path, now, now)
  await new MediaOnDisk(directory).put(inChunks(Buffer.from('young')))
  assert.equal(existsSync(path), true, 'it could still be arriving')
  const yesterday = now - 90_000
  utimesSync(path, yesterday, yesterday)
  await new MediaOnDisk(directory).put(inChunks(Buffer.from('old')))
  assert.equal(existsSync(path), false)
})

test('in a bucket, the bucket stands in the path and the prefix before every key', async () => {
  const { sha256 } = await new MediaInBucket(place, played.credentials).put(inChunks(Buffer.from('placed')))
  assert.ok(played.objects.has(`/kept/rivalscope/media/${sha256.slice(0, 2)}/${sha256.slice(2)}`))
  const bare = new MediaInBucket({ ...place, prefix: '' }, played.credentials)
  await bare.put(inChunks(Buffer.from('placed')))
  assert.ok(played.objects.has(`/kept/${sha256.slice(0, 2)}/${sha256.slice(2)}`))
})

test('in a bucket, what is there already is not sent again', async () => {
  const store = new MediaInBucket(place, played.credentials)
  await store.put(inChunks(Buffer.from('once')))
  await store.put(inChunks(Buffer.from('once')))
  const { sha256 } = await store.put(inChunks(Buffer.from('once')))
  const puts = played.requests.filter((line) => line.startsWith('PUT') && line.endsWith(sha256.slice(2)))
  assert.equal(puts.length, 1)
})

test('a bucket that refuses or is out of order says so by its status, and repeats no secret', async () => {
  const stranger = new MediaInBucket(place, { ...played.credentials, secretAccessKey: 'wrong' })
  await assert.rejects(stranger.put(inChunks(Buffer.from('mine'))), /answered 403\.$/)
  played.fail.status = 503
  try {
    await assert.rejects(stores['in a bucket']?.open('a'.repeat(64)) ?? assert.fail(), /answered 503\.$/)
  } finally {
    played.fail.status = undefined
  }
})

test('a bucket without credentials is refused before anything is served', () => {
  assert.throws(() => openMediaStore(place, folder.path, {}), /set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/)
  openMediaStore(place, folder.path, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' })
  openMediaStore({}, join(folder.path, 'usual'), {})
  assert.equal(existsSync(join(folder.path, 'usual')), false, 'nothing is made before it is needed')
})
