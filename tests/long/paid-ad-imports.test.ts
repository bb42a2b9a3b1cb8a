import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { heldForMs, StoredRateLimiter } from '../../src/domain/collecting/rate-limiter.ts'
import { adImport } from '../../src/domain/paid-ads/imports/import-run.ts'
import { previewNow } from '../../src/jobs/ad-imports/preview.ts'
import { performAdImport } from '../../src/jobs/kinds/ad-import.ts'
import { workTask } from '../../src/jobs/work-tasks.ts'
import { replay } from '../../src/projections/replay.ts'
import { rows } from '../../src/storage/database.ts'
import { adLibraries } from '../../src/suppliers/ad-libraries.ts'
import {
  type LibraryRequest,
  type PlayedLibraries,
  playedAds,
  playedLibrarySources,
  startAdLibraries,
} from '../support/ad-libraries.ts'
import { patient } from '../support/collecting.ts'
import { until } from '../support/until.ts'
import { type Input, openWorld, type World } from '../support/world.ts'

let played: PlayedLibraries
let world: World
/** Each test has ads of its own. */
let next = 1_000

before(async () => {
  played = await startAdLibraries()
  world = await openWorld({ sources: playedLibrarySources(played), adTokens: played.tokens })
})

after(async () => {
  await world?.[Symbol.asyncDispose]()
  await played?.[Symbol.asyncDispose]()
})

function freshAds(count: number) {
  played.recover()
  played.requests.splice(0)
  Object.assign(played, { mostAtOnce: 1_000, extra: 0, ads: playedAds(count, next) })
  next += count
  return played.ads
}

const query = { platform: 'meta', terms: ['tides'] }
const start = (input: Input<'admin_import_paid_ads'> = query) => world.call('admin_import_paid_ads', input)
const stateOf = async (runId: string) => (await world.call('admin_get_paid_ad_import', { runId })).body

/** What a worker does with the job of a run, once. */
async function perform(runId: string, signal = patient): Promise<unknown> {
  const { store, collecting } = world
  // With circuits of its own: in tests, libraries fail more often than anybody would ask.
  const libraries = adLibraries(collecting.sources, played.tokens, new StoredRateLimiter(store.db))
  const task = workTask(store.db, adImport, performAdImport(store.db, libraries))
  return task({ workId: runId }, signal).catch((error: unknown) => error)
}

async function imported(input: Record<string, unknown> = query) {
  const { body, status } = await start(input)
  assert.equal(status, 202, JSON.stringify(body))
  await perform(body.runId)
  return stateOf(body.runId)
}

const observationsOf = (ids: readonly string[]) =>
  rows(
    world.store.db,
    sql<{ archiveId: string; observations: number; counted: number }>`
      select a.archive_id as "archiveId", count(o)::int as observations, a.observation_count as counted
      from ads a left join ad_observations o using (ad_number)
      where archive_id in (select json_array_elements_text(${JSON.stringify(ids)}::json))
      group by 1, 3 order by 1`,
  )

const isPage = ({ path }: LibraryRequest) => path.includes('ads_archive')
const noteCodes = (body: { coverage: { notes: { code: string }[] } }) =>
  body.coverage.notes.map(({ code }) => code)

describe('A preview', () => {
  test('of a query reads the first page, tells what is new, and writes nothing', async () => {
    const ads = freshAds(12)
    const { body, status } = await world.call('admin_preview_paid_ads', { ...query, countries: ['de'] })
    assert.equal(status, 200)
    assert.deepEqual(body.query, { terms: ['tides'], countries: ['de'], limit: 500 })
    assert.deepEqual(body.examined, { ads: 12, new: 12, known: 0, changed: 0, rejected: 0 })
    assert.deepEqual(body.matching, { value: 12, relation: 'at-least' })
    assert.deepEqual([body.requestsUsed, body.requestsNeeded], [1, { value: 2, relation: 'at-least' }])
    assert.equal(body.sample.length, 10)
    assert.deepEqual(body.sample[0], {
      archiveId: ads[0]?.id,
      advertiserId: ads[0]?.advertiserId,
      advertiserName: ads[0]?.advertiser,
      text: `Tidepool ${ads[0]?.text}`,
      deliveryStartedOn: '2026-02-20',
      standing: 'new',
      changes: [],
    })
    assert.deepEqual(await observationsOf(ads.map(({ id }) => id)), [])
    assert.equal((await rows(world.store.db, sql`select from readings`)).length, 0)
  })

  test('tells known from changed, and a record seen twice is known the second time', async () => {
    const [first, second, third] = freshAds(3)
    assert.ok(first && second && third)
    await imported()
    second.text = 'Another text about tides.'
    played.ads = [first, second, ...playedAds(1, next++), first]
    const { body } = await world.call('admin_preview_paid_ads', query)
    assert.deepEqual(body.examined, { ads: 4, new: 1, known: 2, changed: 1, rejected: 0 })
    const changed = body.sample.find((ad: { archiveId: string }) => ad.archiveId === second.id)
    assert.deepEqual([changed.standing, changed.changes], ['changed', ['creatives']])
  })

  test('of inline records examines all of them, with reasons for those not taken', async () => {
    const record = (id: unknown, more = {}) => ({
      id,
      ad_creative_bodies: ['Hello'],
      page_id: '12',
      page_name: 'A',
      ...more,
    })
    const records = [
      record('900000000000000001'),
      record(''),
      record('900000000000000002', { ad_delivery_start_time: '2026-02-30' }),
      { ad: { id: '5', status: 'active' }, advertiser: { business_id: '6', business_name: 'T' } },
      { something: 'else' },
    ]
    const { body, status } = await world.call('admin_preview_paid_ads', { platform: 'meta', records })
    assert.equal(status, 200)
    assert.deepEqual(body.examined, { ads: 5, new: 1, known: 0, changed: 0, rejected: 4 })
    assert.deepEqual(
      body.rejections.map(
        ({ position, reason }: { position: number; reason: string }) => `${position} ${reason}`,
      ),
      ['2 no-id', '3 impossible-date', '4 wrong-platform', '5 unknown-form'],
    )
    assert.deepEqual([body.requestsUsed, body.requestsNeeded], [0, { value: 0, relation: 'exact' }])
    assert.deepEqual([body.origin, body.query], ['records', null])
  })

  test('asks for less where the library finds it too much', async () => {
    freshAds(40)
    played.mostAtOnce = 40
    const { body } = await world.call('admin_preview_paid_ads', query)
    assert.equal(body.examined.ads, 31)
    assert.deepEqual(
      played.requests.map(({ path }) => new URL(path, played.url).searchParams.get('limit')),
      ['250', '125', '62', '31'],
    )
    assert.equal(body.requestsUsed, 4)
  })

  test('of a library that fails or whose token has expired says so, without the token', async () => {
    freshAds(1)
    played.behave(isPage, {
      does: 'fail',
      status: 401,
      error: { code: 190, message: `bad ${played.tokens.meta[0]}` },
    })
    const { body, status } = await world.call('admin_preview_paid_ads', query)
    assert.deepEqual([status, body.type.split('/').at(-1)?.split('#').at(-1)], [502, 'upstream-failed'])
    assert.match(body.detail, /RIVALSCOPE_META_TOKEN/)
    assert.doesNotMatch(JSON.stringify(body), /EAAB/)
  })
})

/** A caller who gives up as soon as such a request has arrived. */
function impatientOf(isSuch: (request: LibraryRequest) => boolean) {
  const patience = new AbortController()
  const behaves = (request: LibraryRequest) => {
    const gaveUp = isSuch(request)
    if (gaveUp) patience.abort()
    return gaveUp
  }
  return { behaves, signal: patience.signal }
}

test('a preview that met nothing in time says that, and not "at least 0"', async () => {
  freshAds(1)
  const { meta } = world.collecting.adLibraries
  assert.ok(meta)
  const look = (terms: string[]) => {
    const { behaves, signal } = impatientOf((request) => isPage(request) && request.path.includes('second'))
    played.behave(behaves, { does: 'hang' })
    return previewNow(world.store.db, meta, 'meta', { terms, limit: 5 }, signal)
  }
  const nothing = await look(['first', 'second'])
  assert.equal('failed' in nothing && nothing.failed, 'timed-out', JSON.stringify(nothing))
  const some = await look(['tides', 'second'])
  assert.deepEqual('preview' in some && some.preview.matching, { value: 1, relation: 'at-least' })
})

test('nobody waits for ever for a library that does not answer', async () => {
  freshAds(1)
  const { meta } = world.collecting.adLibraries
  assert.ok(meta)
  const { behaves, signal } = impatientOf(isPage)
  played.behave(behaves, { does: 'hang' })
  const looked = await previewNow(world.store.db, meta, 'meta', { terms: ['slow'], limit: 5 }, signal)
  assert.deepEqual(looked, { failed: 'timed-out', message: 'The library did not answer within 30 seconds.' })
})

test('a library that wants to be left alone is not asked for a preview', async () => {
  freshAds(1)
  await new StoredRateLimiter(world.store.db).hold('tiktok-ad-library', 60_000)
  const { status, body } = await world.call('admin_preview_paid_ads', { platform: 'tiktok', terms: ['a'] })
  assert.equal(status, 502)
  assert.match(body.detail, /left alone until \d{4}-/)
  assert.equal(played.requests.length, 0)
  await sql`update upstream_rate_limits set held_until = null`.execute(world.store.db)
})

describe('What cannot be asked', () => {
  const refused = async (
    tool: 'admin_preview_paid_ads' | 'admin_import_paid_ads',
    input: Record<string, unknown>,
  ) => {
    const { status, body } = await world.call(tool, input)
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()
  }
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

  test('is refused by name before anything is asked', async () => {
    freshAds(1)
    const cases: [Record<string, unknown>, string[]][] = [
      [{ platform: 'meta' }, ['/body/terms']],
      [{ platform: 'meta', terms: ['  '] }, ['/body/terms/0']],
      [{ platform: 'meta', terms: ['a'], records: [{}] }, ['/body/terms']],
      [{ platform: 'meta', limit: 5, records: [{}] }, ['/body/limit']],
      [{ platform: 'tiktok', terms: ['a'], advertiserIds: ['1'] }, ['/body/advertiserIds']],
      [{ platform: 'tiktok', terms: ['a', 'b'.repeat(51)] }, ['/body/terms/1']],
      [{ platform: 'tiktok', terms: ['a'], countries: ['de', 'us'] }, ['/body/countries/1']],
      [{ platform: 'tiktok', terms: ['a'], deliveredFrom: '2022-10-01' }, ['/body/deliveredFrom']],
      [{ platform: 'tiktok', terms: ['a'], deliveredTo: tomorrow }, ['/body/deliveredTo']],
      [
        { platform: 'meta', terms: ['a'], deliveredFrom: '2026-02-01', deliveredTo: '2026-01-01' },
        ['/body/deliveredFrom'],
      ],
    ]
    for (const [input, pointers] of cases)
      for (const tool of ['admin_preview_paid_ads', 'admin_import_paid_ads'] as const)
        assert.deepEqual(await refused(tool, input), pointers)
    assert.deepEqual(await refused('admin_import_paid_ads', { terms: ['a'] }), ['/body/platform'])
    assert.deepEqual(await refused('admin_import_paid_ads', { previewToken: 'x', ...query }), [
      '/body/platform',
      '/body/terms',
    ])
    assert.equal(played.requests.length, 0)
  })

  test('without a credential names the variable, and records work all the same', async () => {
    await using bare = await openWorld()
    for (const tool of ['admin_preview_paid_ads', 'admin_import_paid_ads'] as const) {
      const meta = await bare.call(tool, query)
      assert.equal(meta.status, 503)
      assert.match(meta.body.detail, /RIVALSCOPE_META_TOKEN/)
      assert.match(
        (await bare.call(tool, { ...query, platform: 'tiktok' })).body.detail,
        /RIVALSCOPE_TIKTOK_CLIENT_KEY/,
      )
    }
    const records = [{ id: '900000000000000077', page_id: '12', page_name: 'A', ad_creative_bodies: ['x'] }]
    const { body, status } = await bare.call('admin_preview_paid_ads', { platform: 'meta', records })
    assert.equal(status, 200)
    assert.ok(noteCodes(body).includes('source-not-configured'))
    assert.equal((await bare.call('admin_import_paid_ads', { previewToken: body.previewToken })).status, 202)
  })
})

describe('A preview token', () => {
  const previewed = async () => (await world.call('admin_preview_paid_ads', query)).body.previewToken as string
  const use = (previewToken: string, key?: string) =>
    world.call('admin_import_paid_ads', { previewToken }, key ? { key } : {})

  test('starts the run of its arguments, and answers it ever after, expired or not', async () => {
    freshAds(3)
    const previewToken = await previewed()
    assert.ok(previewToken.length <= 600)
    const first = await use(previewToken)
    assert.deepEqual([first.status, first.body.status], [202, 'queued'])
    assert.deepEqual(first.body.query, { terms: ['tides'], limit: 500 })
    assert.equal((await use(previewToken)).body.runId, first.body.runId)
    await perform(first.body.runId)
    await sql`update ad_previews set expires_at = now() - interval '1 day'`.execute(world.store.db)
    await previewed()
    const late = await use(previewToken)
    assert.deepEqual([late.body.runId, late.body.status], [first.body.runId, 'succeeded'])
  })

  test('and the arguments it is bound to start one run between them, whichever comes first', async () => {
    freshAds(2)
    const records = [{ id: '900000000000000109', page_id: '12', page_name: 'A', ad_creative_bodies: ['x'] }]
    const turned = records.map((record) => Object.fromEntries(Object.entries(record).reverse()))
    const wishes: [Record<string, unknown>, Record<string, unknown>][] = [
      [{ ...query, terms: ['both'], countries: ['de'], active: true }, {}],
      [{ platform: 'tiktok', terms: ['both'], countries: ['de', 'fr'], deliveredFrom: '2026-01-01' }, {}],
      [{ platform: 'meta', records }, { records: turned }],
    ]
    for (const [wish, otherwise] of wishes)
      for (const isTokenFirst of [true, false]) {
        const { previewToken } = (await world.call('admin_preview_paid_ads', wish)).body
        const ways = [() => use(previewToken), () => start({ ...wish, ...otherwise })]
        const runs: string[] = []
        for (const way of isTokenFirst ? ways : ways.reverse()) runs.push((await way()).body.runId)
        assert.equal(runs[0], runs[1], `${JSON.stringify(wish)} ${isTokenFirst}`)
        await perform(String(runs[0]))
      }
  })

  test('that is unknown, damaged, expired or of another account is refused alike', async () => {
    freshAds(1)
    const previewToken = await previewed()
    const other = await world.key(undefined, 'token-other')
    const refusals = [await use(`${previewToken}x`), await use('pv1.nothing'), await use(previewToken, other)]
    await sql`update ad_previews set expires_at = now() - interval '1 second' where run_id is null`.execute(
      world.store.db,
    )
    refusals.push(await use(previewToken))
    for (const { status, body } of refusals) {
      assert.equal(status, 409)
      assert.match(body.type, /preview-expired/)
    }
    assert.equal(new Set(refusals.map(({ body }) => body.detail)).size, 1)
  })

  test('carries inline records', async () => {
    const records = [{ id: '900000000000000101', page_id: '12', page_name: 'A', ad_creative_bodies: ['x'] }]
    const { body } = await world.call('admin_preview_paid_ads', { platform: 'meta', records })
    const run = await use(body.previewToken)
    await perform(run.body.runId)
    const ended = await stateOf(run.body.runId)
    assert.deepEqual(ended.counts, { read: 1, stored: 1, updated: 0, unchanged: 0, rejected: 0 })
    assert.deepEqual([ended.upstream, ended.origin, ended.status], [null, 'records', 'succeeded'])
    assert.deepEqual(ended.progress, { done: 1, total: 1, unit: 'ads' })
  })
})

describe('A run', () => {
  test('stores every page with an observation each, to the end of the library', async () => {
    const ads = freshAds(30)
    played.mostAtOnce = 12
    const run = await imported()
    assert.deepEqual([run.status, run.upstream.position], ['succeeded', 'end'])
    assert.deepEqual(run.counts, { read: 30, stored: 30, updated: 0, unchanged: 0, rejected: 0 })
    assert.deepEqual(run.progress, { done: 30, total: null, unit: 'ads' })
    const stored = await observationsOf(ads.map(({ id }) => id))
    assert.equal(stored.length, 30)
    assert.ok(stored.every(({ observations, counted }) => observations === 1 && counted === 1))
    const { body } = await world.call('get_paid_ad', { platform: 'meta', archiveId: ads[0]?.id ?? '' })
    assert.equal(body.evidence[0].source, 'meta-ad-library')
    assert.equal(body.evidence[0].origin, 'collected')
  })

  test('that is made again adds observations, and counts what has changed', async () => {
    const ads = freshAds(4)
    await imported()
    const [first] = ads
    assert.ok(first)
    first.text = 'The tides have changed.'
    const again = await imported()
    assert.deepEqual(again.counts, { read: 4, stored: 0, updated: 1, unchanged: 3, rejected: 0 })
    assert.ok((await observationsOf(ads.map(({ id }) => id))).every(({ observations }) => observations === 2))
  })

  test('stops at its limit, but keeps what came beyond it', async () => {
    freshAds(40)
    played.extra = 3
    const run = await imported({ ...query, limit: 10 })
    assert.deepEqual([run.status, run.upstream.position, run.counts.read], ['succeeded', 'limit', 13])
    assert.ok(noteCodes(run).includes('limit-reached'))
  })

  test('asked for with the same arguments while it is under way is that run, for each account its own', async () => {
    freshAds(2)
    const first = await start({ ...query, terms: ['twice'] })
    const [again, also] = await Promise.all([
      start({ terms: ['twice', 'twice'], platform: 'meta' }),
      start({ ...query, terms: ['twice'] }),
    ])
    assert.deepEqual([again?.body.runId, also?.body.runId], [first.body.runId, first.body.runId])
    const key = await world.key(undefined, 'run-other')
    const theirs = await world.call('admin_import_paid_ads', { ...query, terms: ['twice'] }, { key })
    assert.notEqual(theirs.body.runId, first.body.runId)
    for (const tool of ['admin_get_paid_ad_import', 'admin_retry_paid_ad_import'] as const)
      assert.equal((await world.call(tool, { runId: first.body.runId }, { key })).status, 404)
    await perform(first.body.runId)
    assert.notEqual((await start({ ...query, terms: ['twice'] })).body.runId, first.body.runId)
  })

  test('that is stopped anywhere goes on after the last page it stored, and loses and doubles nothing', async () => {
    const ads = freshAds(30)
    played.mostAtOnce = 11
    const { body } = await start({ ...query, terms: ['tides number'] })
    // While it asks for less and less; then within each page that follows.
    const stopsAt = [1, 3, 7]
    for (let stop = 0; stop < 8; stop++) {
      const worker = new AbortController()
      let asked = 0
      played.recover()
      played.behave(
        (request) => {
          if (isPage(request) && ++asked === (stopsAt[stop] ?? 2)) worker.abort(new Error('killed'))
          return false
        },
        { does: 'hang' },
      )
      await perform(body.runId, worker.signal)
      const { counts } = await stateOf(body.runId)
      const stored = await observationsOf(ads.map(({ id }) => id))
      assert.equal(counts.read, stored.length, 'counts and ads are stored together')
    }
    const run = await stateOf(body.runId)
    assert.deepEqual([run.status, run.counts.read, run.counts.stored], ['succeeded', 30, 30])
    const stored = await observationsOf(ads.map(({ id }) => id))
    assert.ok(stored.length === 30 && stored.every(({ observations }) => observations === 1))
  })

  test('worked on twice at once stores each page once', async () => {
    const ads = freshAds(30)
    played.mostAtOnce = 12
    const { body } = await start({ ...query, terms: ['tides number', 'small'] })
    await Promise.all([perform(body.runId), perform(body.runId), perform(body.runId)])
    const run = await stateOf(body.runId)
    assert.deepEqual([run.status, run.counts.read], ['succeeded', 60])
    assert.deepEqual([run.counts.stored, run.counts.unchanged], [30, 30])
    const stored = await observationsOf(ads.map(({ id }) => id))
    assert.ok(stored.length === 30 && stored.every(({ observations }) => observations === 2))
  })

  test('whose token has expired fails at once, and goes on when it is asked to', async () => {
    const ads = freshAds(30)
    played.mostAtOnce = 12
    const { body } = await start({ ...query, terms: ['small tides'] })
    const error = { code: 190, message: `Session of ${played.tokens.meta[0]} has expired` }
    played.behave(({ path }) => path.includes('after='), { does: 'fail', status: 401, error })
    await perform(body.runId)
    const broken = await stateOf(body.runId)
    assert.deepEqual(
      [broken.status, broken.upstream.position, broken.upstream.resumable],
      ['partial', 'failed', true],
    )
    assert.equal(broken.lastError.code, 'credential')
    assert.match(broken.lastError.message, /RIVALSCOPE_META_TOKEN/)
    assert.ok(noteCodes(broken).includes('stopped-early') && noteCodes(broken).includes('source-failing'))
    played.recover()
    const retried = await world.call('admin_retry_paid_ad_import', { runId: body.runId })
    assert.deepEqual([retried.status, retried.body.status, retried.body.counts], [202, 'queued', broken.counts])
    assert.equal((await world.call('admin_retry_paid_ad_import', { runId: body.runId })).status, 409)
    await perform(body.runId)
    const run = await stateOf(body.runId)
    assert.deepEqual([run.status, run.counts.read, run.counts.stored], ['succeeded', 30, 30])
    assert.ok(!noteCodes(run).includes('stopped-early') && !noteCodes(run).includes('source-failing'))
    assert.equal((await world.call('admin_retry_paid_ad_import', { runId: body.runId })).status, 409)
    assert.ok((await observationsOf(ads.map(({ id }) => id))).every(({ observations }) => observations === 1))
  })

  test('whose position is no longer accepted reads that search again, and known ads are unchanged', async () => {
    freshAds(30)
    played.mostAtOnce = 12
    const { body } = await start({ ...query, terms: ['tides'], limit: 30 })
    const error = { code: 100, message: 'Invalid parameter: after' }
    played.behave(({ path }) => path.includes('after='), { does: 'fail', status: 400, error }, 1)
    await perform(body.runId)
    const run = await stateOf(body.runId)
    assert.deepEqual([run.status, run.upstream.position], ['succeeded', 'limit'])
    // The least that is asked for is 10.
    assert.equal(run.counts.stored, 30)
    assert.equal(run.counts.unchanged, run.counts.read - 30)
    assert.ok(run.counts.unchanged >= 10)
  })

  test('of a library that is out of order is tried again by the queue, and ends with what it has', async () => {
    freshAds(30)
    played.mostAtOnce = 12
    const { body } = await start({ ...query, terms: ['every day'] })
    played.behave(({ path }) => path.includes('after='), { does: 'serve', status: 500, body: 'out of order' })
    for (let attempt = 1; attempt <= 4; attempt++) {
      assert.ok((await perform(body.runId)) instanceof Error)
      const waiting = await stateOf(body.runId)
      assert.deepEqual(
        [waiting.status, waiting.attempts, waiting.lastError.code],
        ['queued', attempt, 'unavailable'],
      )
    }
    await perform(body.runId)
    const run = await stateOf(body.runId)
    assert.deepEqual([run.status, run.attempts, run.upstream.resumable], ['partial', 5, true])
  })

  test('of which nothing could be read fails', async () => {
    freshAds(3)
    played.behave(isPage, { does: 'fail', status: 400, error: { code: 10, message: 'No permission' } })
    const run = await imported({ ...query, terms: ['no permission'] })
    assert.deepEqual([run.status, run.lastError.code, run.upstream.resumable], ['failed', 'permission', false])
    assert.match(run.lastError.message, /confirm its identity/)
  })

  test('that is answered with nothing where there were ads says that this is suspect', async () => {
    freshAds(3)
    const asked = { ...query, terms: ['tides number'], countries: ['fr'] }
    assert.ok(!noteCodes(await imported(asked)).includes('suspect-empty'))
    played.ads = []
    assert.ok(noteCodes(await imported(asked)).includes('suspect-empty'))
    const { body } = await world.call('admin_preview_paid_ads', asked)
    assert.ok(noteCodes(body).includes('suspect-empty'))
  })

  test('of pages that hold something else than ads refuses each of them with its reason', async () => {
    freshAds(1)
    const data = [
      { error: { code: 1 } },
      'text',
      null,
      [[]],
      { id: '900000000000000301', spend: { lower_bound: '5' } },
    ]
    played.behave(isPage, { does: 'serve', body: JSON.stringify({ data }) })
    const run = await imported({ ...query, terms: ['other things'] })
    assert.deepEqual(
      [run.status, run.counts.read, run.counts.stored + run.counts.rejected],
      ['succeeded', 5, 5],
    )
    assert.ok(run.counts.rejected >= 4)
  })

  test('led back to the same page stops and says so', async () => {
    freshAds(5)
    const lie = { data: [], paging: { cursors: { after: 'x' }, next: 'https://elsewhere.example/?after=x' } }
    const page = {
      ...lie,
      data: [{ id: '900000000000000201', page_id: '12', page_name: 'A', ad_creative_bodies: ['x'] }],
    }
    played.behave(isPage, { does: 'serve', body: JSON.stringify(page) })
    const run = await imported({ ...query, terms: ['circle'] })
    assert.deepEqual([run.status, run.counts.read], ['succeeded', 2])
    assert.ok(noteCodes(run).includes('stopped-early'))
    assert.ok(played.requests.every(({ headers }) => headers.host === new URL(played.url).host))
  })

  test('keeps the first hundred records it did not take, with places over all pages, and counts all', async () => {
    freshAds(1)
    const bad = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `x${at}`, page_id: '1', ad_creative_bodies: [] }))
    const page = (count: number, more: object) => JSON.stringify({ data: bad(count), ...more })
    played.behave(({ path }) => isPage({ path } as LibraryRequest) && path.includes('after='), {
      does: 'serve',
      body: page(30, {}),
    })
    played.behave(({ path }) => isPage({ path } as LibraryRequest) && !path.includes('after='), {
      does: 'serve',
      body: page(90, { paging: { cursors: { after: 'b' }, next: 'https://graph.facebook.com/?after=b' } }),
    })
    const run = await imported({ ...query, terms: ['bad'] })
    assert.deepEqual(run.counts, { read: 120, stored: 0, updated: 0, unchanged: 0, rejected: 120 })
    assert.equal(run.rejections.length, 100)
    assert.deepEqual([run.rejections[0].position, run.rejections.at(99).position], [1, 100])
    assert.deepEqual([run.rejections[0].archiveId, run.rejections[0].reason], [null, 'no-id'])
  })

  test('of TikTok reads ids with every digit, and says which filters it has none for', async () => {
    const ads = freshAds(60)
    const run = await imported({ platform: 'tiktok', advertiserIds: [ads[0]?.advertiserId], languages: ['de'] })
    assert.deepEqual([run.status, run.counts.stored, run.upstream.position], ['succeeded', 20, 'end'])
    assert.ok(noteCodes(run).includes('filter-not-supported'))
    const { body } = await world.call('get_paid_ad', { platform: 'tiktok', archiveId: ads[0]?.id ?? '' })
    assert.equal(body.advertiser.advertiserId, ads[0]?.advertiserId)
    assert.equal(body.reachText.value, '11K')
  })
})

test('a throttled run waits, tells until when, and goes on by itself', async () => {
  freshAds(30)
  await using working = await openWorld({
    works: true,
    sources: playedLibrarySources(played),
    adTokens: played.tokens,
  })
  played.behave(
    ({ path, body }) => path.includes('/ad/query') && !body.includes('search_id'),
    {
      does: 'fail',
      status: 200,
      error: { code: 'rate_limit_exceeded', message: 'Too many' },
      headers: { 'retry-after': '8' },
    },
    1,
  )
  const { body } = await working.call('admin_import_paid_ads', { platform: 'tiktok', terms: ['tides'] })
  const state = async () => (await working.call('admin_get_paid_ad_import', { runId: body.runId })).body
  // The pace is held before the refusal is noted.
  const waiting = await until(
    state,
    (run) => run.upstream.position === 'throttled' && noteCodes(run).includes('source-throttled'),
  )
  assert.ok(waiting.upstream.resumesAt > waiting.createdAt)
  assert.ok((await heldForMs(working.store.db, 'tiktok-ad-library')) > 0)
  const run = await until(state, ({ finishedAt }) => finishedAt !== null)
  assert.deepEqual([run.status, run.attempts, run.counts.read], ['succeeded', 1, 30])
  assert.equal(run.upstream.resumesAt, null)
})

test('a replay makes the same of all that was imported, and runs stay as they were', async () => {
  const ads = freshAds(6)
  const run = await imported()
  const dump = () =>
    rows(world.store.db, sql`select platform, archive_id, facts, observation_count from ads order by 1, 2`)
  const before = await dump()
  await replay(world.store.db, () => {}, patient)
  assert.deepEqual(await dump(), before)
  assert.ok((await observationsOf(ads.map(({ id }) => id))).every(({ observations }) => observations === 1))
  assert.deepEqual((await stateOf(run.runId)).counts, run.counts)
})
