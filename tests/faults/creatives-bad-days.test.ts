import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { Media } from '../../src/configuration.ts'
import { ensureAccount } from '../../src/domain/accounts/queries.ts'
import { askForTranscript } from '../../src/domain/ad-analysis/ask.ts'
import { archiveMedia, archiveMediaOf } from '../../src/domain/media/archive-media.ts'
import { runState } from '../../src/domain/paid-ads/imports/run-queries.ts'
import { startRun } from '../../src/domain/paid-ads/imports/start-run.ts'
import { workById } from '../../src/domain/work/queries.ts'
import { runImport } from '../../src/imports/run-import.ts'
import { jobKinds } from '../../src/jobs/job-kinds.ts'
import { makeMediaCopies } from '../../src/jobs/kinds/archive-media.ts'
import { mediaArchiveOn } from '../../src/jobs/media/media-archive.ts'
import { openQueue } from '../../src/jobs/open-queue.ts'
import { enqueueOn } from '../../src/jobs/queue.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { replay } from '../../src/projections/replay.ts'
import { rows } from '../../src/storage/database.ts'
import { MediaOnDisk } from '../../src/storage/media-on-disk.ts'
import type { Store } from '../../src/storage/store.ts'
import { playedAds, playedLibrarySources, startAdLibraries } from '../support/ad-libraries.ts'
import { adsOnFile } from '../support/ads-on-file.ts'
import { jobPartsOf, patient } from '../support/collecting.ts'
import { start } from '../support/command-line.ts'
import { cuttableWayTo } from '../support/cuttable-way.ts'
import { derivedState } from '../support/derived-state.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { type Installation, openInstallation } from '../support/installation.ts'
import { lacksVoice, spokenVideo } from '../support/made-media.ts'
import { keep, playHosts, png, sends } from '../support/media.ts'
import { type MediaWork, workWithMedia } from '../support/media-worker.ts'
import { importPosts, type MadePost, madePost } from '../support/posts.ts'
import { hangs, heard, playServices } from '../support/speech-and-model.ts'
import { until } from '../support/until.ts'
import { startWork } from '../support/worker.ts'
import { openWorld, type World } from '../support/world.ts'

const host = 'p16.tiktokcdn.com'

/** Stores posts or ads of our own shape, as a command would. */
async function stored({ db }: Store, kind: 'organic' | 'paid-ads', records: readonly object[]): Promise<void> {
  using folder = openFolder()
  const path = folder.write(`${kind}.json`, JSON.stringify(records))
  const order = { kind, paths: [path], directory: folder.path, rejectedFile: join(folder.path, 'rejected') }
  assert.equal((await runImport(db, order, () => {})).stored, records.length)
}

/** A worker in a process of its own that is killed once something has come true, in the middle of its work. */
async function killedOnce(
  { store, folder }: Installation,
  work: MediaWork,
  inTheMiddle: () => boolean,
): Promise<void> {
  const program = fileURLToPath(new URL('../support/media-worker.ts', import.meta.url))
  const args = [program, '--store', JSON.stringify(store), '--work', JSON.stringify(work)]
  // What it leaves behind goes with the installation.
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    await until(async () => inTheMiddle(), Boolean)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
}

/** Works as a process that is started after another was killed, until something has come true. */
async function workedOn(store: Store, work: MediaWork, comesTrue: () => Promise<boolean>): Promise<void> {
  await using _ = await workWithMedia(store, work)
  await until(comesTrue, Boolean)
}

describe('A worker that is killed', { timeout: 400_000 }, () => {
  test('in the middle of copying media: what was copied stays, and only what broke off is fetched again', async () => {
    await using installation = await openInstallation()
    await using hosts = await playHosts()
    const names = [1, 2, 3, 4].map((at) => `${host}/${at}.png`)
    for (const [at, name] of names.entries()) {
      const answer = sends(await png(at))
      // The third is half there when the worker dies.
      hosts.answer(name, (request, response) =>
        hosts.asked.length === 3 ? void response.writeHead(200).write('\x89PNG') : answer(request, response),
      )
    }
    const work = { mediaDirectory: join(installation.folder, 'media'), port: hosts.port }
    const media = names.map((name) => ({ kind: 'image' as const, url: `https://${name}` }))
    {
      await using store = await installation.open()
      await stored(store, 'organic', [madePost('1', { media })])
      await using queue = await openQueue(store, false, (error) => assert.fail(error))
      await store.db
        .transaction()
        .execute((transaction) => archiveMediaOf(transaction, enqueueOn(queue), { postId: 'tiktok_1' }))
    }
    await killedOnce(installation, work, () => hosts.asked.length === 3)
    const [brokenOff = ''] = hosts.asked.slice(-1)
    await using store = await installation.open()
    const copies = () =>
      rows(
        store.db,
        sql<{
          status: string
          sha256: string | null
        }>`select status, sha256 from archived_media order by status desc`,
      )
    const states = async () => (await copies()).map(({ status }) => status)
    assert.deepEqual(await states(), ['stored', 'stored', 'pending', 'pending'])
    await workedOn(store, work, async () => (await states()).every((status) => status === 'stored'))
    assert.deepEqual(hosts.asked.toSorted(), [...names, brokenOff].toSorted())
    const disk = new MediaOnDisk(work.mediaDirectory)
    for (const { sha256 } of await copies()) assert.ok(await disk.has(sha256 ?? ''))
  })

  test('in the middle of a transcript: the next one makes it, once', {
    skip: lacksVoice,
  }, async () => {
    await using installation = await openInstallation()
    await using hosts = await playHosts()
    await using services = await playServices()
    const speech = { baseUrl: services.url, model: 'whisper-1', name: 'studio-whisper', timeoutSeconds: 60 }
    const work = { mediaDirectory: join(installation.folder, 'media'), port: hosts.port, speech }
    hosts.answer(`${host}/spoken.mp4`, sends(spokenVideo('small tides every day')))
    services.hears(hangs)
    const ad = { platform: 'meta' as const, archiveId: '6001' }
    let workId: string
    {
      await using store = await installation.open()
      const media = [{ kind: 'video', url: `https://${host}/spoken.mp4` }]
      await stored(store, 'paid-ads', [{ ...ad, observedAt: '2026-03-01', creatives: [{ text: 'Hm', media }] }])
      await using queue = await openQueue(store, false, (error) => assert.fail(error))
      workId = (await askForTranscript(store.db, enqueueOn(queue), ad, { language: null }, false)).workId
    }
    await killedOnce(installation, work, () => services.asked.length === 1)
    services.hears(heard({ start: 0, end: 3, text: 'Small tides, every day.' }))
    await using store = await installation.open()
    await workedOn(store, work, async () => (await workById(store.db, workId))?.status === 'succeeded')
    assert.equal(services.asked.length, 2)
    const transcripts = await rows(store.db, sql<{ outcome: string }>`select outcome from ad_transcripts`)
    assert.deepEqual(transcripts, [{ outcome: 'available' }])
  })
})

const runOfAds = async (store: Store) => {
  await using queue = await openQueue(store, false, (error) => assert.fail(error))
  const account = await ensureAccount(store.db, uuidv7(), 'test')
  const asked = { platform: 'meta' as const, query: { terms: ['tides'], limit: 500 }, records: null }
  return startRun(store.db, enqueueOn(queue), { accountId: account, door: 'http' }, asked)
}

/** Posts whose ids, authors and figures tell them apart. */
const posts = (count: number): MadePost[] =>
  Array.from({ length: count }, (_, at) =>
    madePost(String(100_000 + at), {
      author: { handle: `maker${at % 50}`, followers: at },
      text: `Post ${at} of many, https://apps.apple.com/app/id${6_000_000 + (at % 20)} #day${at % 7}`,
      metrics: { views: 1_000 + at, likes: at },
    }),
  )

const ads = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    platform: 'meta',
    archiveId: String(700_000 + at),
    advertiser: { id: String(at % 9), name: `Maker ${at % 9}` },
    creatives: [
      { text: `Ad ${at}`, linkUrl: `https://apps.apple.com/app/id${6_000_000 + (at % 20)}`, media: [] },
    ],
    startedOn: '2026-02-20',
    active: true,
    observedAt: '2026-03-01T06:00:00Z',
  }))

/** What follows from a whole import of these, told apart by nothing but what the records say. */
async function asIfImportedAlone(kind: 'organic' | 'paid-ads', records: readonly object[]) {
  await using world = await openWorld()
  await stored(world.store, kind, records)
  return await derivedState(world.store.db)
}

describe('Processes on a bad day', { timeout: 400_000, concurrency: true }, () => {
  test('two work on one run: every page is asked for once, and every ad seen once', async () => {
    await using installation = await openInstallation()
    await using played = await startAdLibraries(playedAds(60))
    played.mostAtOnce = 15
    const config = installation.configure({ sources: playedLibrarySources(played) })
    await using store = await installation.open()
    const runId = await runOfAds(store)
    const tokens = { RIVALSCOPE_META_TOKEN: played.tokens.meta[0] }
    await using one = startWork(installation, config, tokens)
    await using other = startWork(installation, config, tokens)
    await until(
      () => workById(store.db, runId),
      (work) => work?.finishedAt != null,
    )
    const state = await runState(store.db, runId)
    assert.deepEqual([state?.read, state?.stored, state?.unchanged], [60, 60, 0])
    const [seen] = await rows(
      store.db,
      sql<{ ads: number; observations: number }>`
        select count(distinct ad_number)::int as ads, count(*)::int as observations from ad_observations`,
    )
    assert.deepEqual(seen, { ads: 60, observations: 60 })
    const pages = played.requests.map(({ path }) => path)
    assert.deepEqual(pages, [...new Set(pages)])
    for (const worker of [one, other]) {
      worker.child.kill('SIGTERM')
      assert.equal((await worker.ended).code, 0, worker.said.err)
    }
  })

  test('the database goes away in the middle of an import of posts: it says so, and the same command completes it', async () => {
    await using installation = await openInstallation()
    await using way = await cuttableWayTo(installation.databaseUrl)
    using folder = openFolder()
    const made = posts(2_500)
    const path = folder.write('posts.ndjson', made.map((post) => JSON.stringify(post)).join('\n'))
    const rejected = join(folder.path, 'rejected.ndjson')
    const importing = ['import', 'organic', path, '--json', '--rejected', rejected, '--database-url']
    await using store = await installation.open()
    const kept = async () =>
      (await rows(store.db, sql<{ posts: number }>`select count(*)::int as posts from posts`))[0]?.posts ?? 0
    await using cut = start([...importing, way.url])
    await until(kept, (count) => {
      assert.equal(cut.child.exitCode, null, cut.said.err)
      return count > 0
    })
    way.cut()
    const { code, err } = await cut.ended
    assert.equal(code, 1)
    assert.match(err, /database|ECONNREFUSED|ECONNRESET|connection/i)
    const before = await kept()
    assert.ok(before < made.length, `cut in the middle, with ${before} posts`)
    const { out } = await run([...importing, installation.databaseUrl])
    const summary = JSON.parse(out) as { stored: number; unchanged: number }
    assert.deepEqual([summary.stored, summary.unchanged], [made.length - before, before])
    assert.deepEqual(await derivedState(store.db), await asIfImportedAlone('organic', made))
  })

  for (const [kind, records] of [
    ['organic', posts(600)],
    ['paid-ads', ads(600)],
  ] as const)
    test(`two import the same ${kind} at once: both end well, and nothing is there twice`, async () => {
      await using installation = await openInstallation()
      await using store = await installation.open()
      using folder = openFolder()
      // In opposite orders, so that each meets rows the other has locked.
      const orders = [records, records.toReversed()].map((order, at) => {
        const path = folder.write(`${at}.ndjson`, order.map((record) => JSON.stringify(record)).join('\n'))
        const rejected = join(folder.path, `rejected-${at}.ndjson`)
        return run(['import', kind, path, '--json', '--rejected', rejected, ...installation.location])
      })
      for (const { code, out, err } of await Promise.all(orders)) {
        assert.equal(code, 0, err)
        const { stored, repeated, rejected } = JSON.parse(out) as Record<string, number>
        assert.deepEqual([(stored ?? 0) + (repeated ?? 0), rejected], [records.length, 0])
      }
      assert.deepEqual(await derivedState(store.db), await asIfImportedAlone(kind, records))
    })
})

test('what people keep survives replays in the middle of saves, searches and imports, and still fits', {
  timeout: 400_000,
}, async () => {
  await using hosts = await playHosts()
  await using world = await openWorld({ network: hosts.network })
  await using onFile = adsOnFile(world)
  const { db } = world.store
  const captions = {
    language: 'en',
    segments: [{ startSeconds: 0, endSeconds: 2, text: 'I gave up on tides.' }],
  }
  const ad = { platform: 'meta', archiveId: '800' }
  hosts.answer(`${host}/kept.png`, sends(await png(9)))
  await onFile.import({
    archiveId: '800',
    media: [
      { kind: 'video', url: 'https://media.example.com/v.mp4', captions },
      { kind: 'image', url: `https://${host}/kept.png` },
    ],
  })
  await importPosts(world, posts(60))
  await world.call('save_paid_ad', { ...ad, note: 'Look at the hook', tags: ['hook'] })
  await world.call('save_organic_content', { postId: 'tiktok_100003', note: 'And at this' })
  await world.call('admin_link_paid_ads', {
    platform: 'meta',
    advertiserId: '5001',
    competitor: '6000001',
    action: 'unlink',
  })
  await world.call('generate_paid_ad_transcript', ad)
  await world.call('analyze_paid_ad_creative', ad)
  await worked(world)
  const shown = async () => {
    const { body: one } = await world.call('get_paid_ad', ad)
    const { body: saved } = await world.call('list_saved_organic_content')
    const { body: found } = await world.call('search_paid_ads', { saved: true, tag: 'hook' })
    return { one, saved, found: found.items }
  }
  const before = await shown()
  assert.equal(before.one.transcript.result.outcome, 'available')
  assert.ok(before.one.analysis.result.reading)
  assert.equal(before.one.creatives[0].media[1].kept.status, 'stored')
  const replays = async () => {
    for (let round = 0; round < 4; round++) await replay(db, () => {}, patient)
  }
  const asks = async () => {
    for (let round = 0; round < 12; round++) {
      const postId = `tiktok_${100_010 + round}`
      const { status } = await world.call('save_organic_content', { postId, tags: ['later'] })
      assert.ok(status === 201 || status === 404, String(status))
      for (const tool of ['search_organic_content', 'search_paid_ads'] as const)
        assert.equal((await world.call(tool, { q: 'many' })).status, 200)
    }
  }
  const imports = async () => {
    for (let round = 0; round < 4; round++) {
      await importPosts(
        world,
        posts(60).map((post) => ({ ...post, observedAt: `2026-03-0${round + 4}T00:00:00Z` })),
      )
      await onFile.import({ archiveId: `81${round}` }, { archiveId: `82${round}` })
    }
  }
  await Promise.all([replays(), asks(), imports()])
  const after = await shown()
  assert.deepEqual(after.one, before.one)
  assert.deepEqual(after.found, before.found)
  assert.ok(after.saved.items.some(({ note }: { note: string }) => note === 'And at this'))
  const state = await derivedState(db)
  await replay(db, () => {}, patient)
  assert.deepEqual(await derivedState(db), state)
})

/** Does all work that waits. */
async function worked(world: World): Promise<void> {
  const waiting = await rows(
    world.store.db,
    sql<{ workId: string; kind: string }>`
      select work_id as "workId", kind from work where status = 'queued' order by created_at`,
  )
  for (const { workId, kind } of waiting) {
    const row = jobKinds.find(({ name }) => name === kind) ?? assert.fail(kind)
    await row.performer(jobPartsOf(world))({ workId }, patient)
  }
}

test('a directory of media that cannot be written to is told, and once it can be, copies are made', async () => {
  await using hosts = await playHosts()
  await using world = await openWorld()
  using folder = openFolder()
  const directory = join(folder.path, 'media')
  // Not even the superuser can make a folder below a file.
  writeFileSync(directory, '')
  const { db } = world.store
  const archive = mediaArchiveOn(new MediaOnDisk(directory), Media.parse({}), hosts.network)
  hosts.answer(`${host}/late.png`, sends(await png(4)))
  const postId = 'tiktok_900'
  await importPosts(world, [madePost('900', { media: [{ kind: 'image', url: `https://${host}/late.png` }] })])
  await keep(world, { postId })
  const [{ workId } = { workId: '' }] = await rows(
    db,
    sql<{ workId: string }>`select work_id as "workId" from work where subject = ${`post ${postId}`}`,
  )
  const task = workTask(db, archiveMedia, makeMediaCopies(db, archive))
  await assert.rejects(task({ workId }, patient), /store of media/)
  const work = await workById(db, workId)
  assert.equal(work?.lastErrorCode, 'media-store')
  assert.equal(work?.lastErrorMessage, 'The store of media cannot be written to (ENOTDIR).')
  const { body } = await world.call('get_organic_content', { postId })
  assert.equal(body.media[0].kept.status, 'pending')
  rmSync(directory)
  await task({ workId }, patient)
  assert.equal((await workById(db, workId))?.status, 'succeeded')
  const { body: later } = await world.call('get_organic_content', { postId })
  assert.equal(later.media[0].kept.status, 'stored')
})
