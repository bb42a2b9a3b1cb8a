import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import type { CalibrationVerdict, FilePreview, ListedFileImport } from '../src/api/file-imports.ts'
import { createKey } from '../src/domain/accounts/keys.ts'
import { lockForCalibration } from '../src/domain/estimates/calibrate.ts'
import { startWork } from '../src/domain/work/queries.ts'
import { jobKinds } from '../src/jobs/job-kinds.ts'
import { firstRow, inTransaction, rows } from '../src/storage/database.ts'
import { appLines } from './support/app-lines.ts'
import { jobPartsOf } from './support/collecting.ts'
import { openFolder } from './support/files.ts'
import type { Seen } from './support/seen.ts'
import { storeTracked } from './support/tracking.ts'
import { untilTrue } from './support/until.ts'
import { openWorld, sharedData, type World } from './support/world.ts'

const folder = openFolder()
let world: World
let admin: string
before(async () => {
  world = await openWorld()
  admin = await keyOf('studio', { administers: true })
})
after(async () => {
  await world[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const keyOf = (account: string, rights: { administers?: boolean; bringsEvidence?: boolean } = {}) =>
  createKey(world.store.db, { name: 'test', scopes: ['context:read', 'content:write'], account, ...rights })

type Problem = { code: string; detail: string; errors?: { pointer: string; message: string }[] }
type Sent<Body> = Promise<{ status: number; body: Seen<Body & Problem> }>

const post = <Body>(path: string, name: string, content: string | Buffer, key = admin, said: object = {}) =>
  world.request<Body>({
    ...{ method: 'POST', url: `${path}?${new URLSearchParams({ name, ...said })}`, payload: content },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
  }) as unknown as Sent<Body>
const preview = (...file: [name: string, content: string | Buffer, key?: string, said?: object]) =>
  post<FilePreview>('/file-imports/preview', ...file)
const bring = (...file: [name: string, content: string | Buffer, key?: string, said?: object]) =>
  post<ListedFileImport>('/file-imports', ...file)

async function listed(key = admin): Promise<ListedFileImport[]> {
  const { body } = await world.request<{ items: ListedFileImport[] }>({
    ...{ url: '/file-imports', headers: { authorization: `Bearer ${key}` } },
  })
  return (body as { items: ListedFileImport[] }).items
}

/** Performs an import, as a worker does. @returns it as it is listed then */
async function perform(importId: string, key = admin): Promise<ListedFileImport> {
  const kind = jobKinds.find(({ name }) => name === 'file-import') ?? assert.fail('no such job')
  await kind.performer(jobPartsOf(world))({ workId: importId }, new AbortController().signal)
  return (await listed(key)).find((one) => one.importId === importId) ?? assert.fail('not listed')
}

const counts = ({ imports }: ListedFileImport) =>
  imports.map(({ kind, read, stored, unchanged, rejected }) => [kind, read, stored, unchanged, rejected])

const sales = (days: number, downloads = 40) =>
  [
    'date,app,country,downloads',
    ...Array.from(
      { length: days },
      (_, day) => `2026-03-${String(day + 1).padStart(2, '0')},6551000001,us,${downloads + day}`,
    ),
  ].join('\n')

const waiting = async () =>
  (await firstRow(world.store.db, sql<{ parts: number }>`select count(*)::int as parts from file_import_parts`))
    ?.parts

/** Has the store refuse some writes as it does while it shuts down, until it is disposed of. */
async function shuttingDown(before: string): Promise<AsyncDisposable> {
  await sql
    .raw(`
      create function away() returns trigger language plpgsql as
        $$ begin raise 'the database system is shutting down' using errcode = '57P03'; end $$;
      create trigger away before ${before} execute function away()`)
    .execute(world.store.db)
  const dropped = sql`drop function away cascade`
  return { [Symbol.asyncDispose]: async () => void (await dropped.execute(world.store.db)) }
}

test('a file is recognised and previewed, imported once, and listed with what came of it to its account alone', async () => {
  const content = `${sales(3)}\n2026-02-31,6551000001,us,5`
  const { status, body } = await preview('own.csv', content)
  assert.equal(status, 200)
  assert.deepEqual([body.kind, body.importable, body.refusal], ['sales', true, null])
  assert.equal(body.found?.records, 4)
  assert.equal(body.found?.refused, 1)
  assert.match(body.found?.firstRefusal?.reason ?? '', /2026-02-31/)
  assert.deepEqual([body.found?.firstDay, body.found?.lastDay], ['2026-03-01', '2026-03-03'])
  assert.deepEqual(await listed(), [], 'a preview stores nothing')

  const { status: accepted, body: begun } = await bring('own.csv', content)
  assert.deepEqual([accepted, begun.status, begun.name], [202, 'queued', 'own.csv'])
  // Two tabs, or a reply that was lost: the same file is the same import.
  assert.equal((await bring('own.csv', content)).body.importId, begun.importId)
  const other = await bring('other.csv', sales(2))
  assert.deepEqual([other.status, other.body.code], [409, 'import-under-way'])
  assert.match(other.body.detail, /"own\.csv"/)

  const ended = await perform(begun.importId)
  assert.equal(ended.status, 'partial')
  assert.deepEqual(counts(ended), [['sales', 4, 3, 0, 1]])
  assert.match(ended.imports[0]?.rejections[0]?.reason ?? '', /2026-02-31/)
  assert.equal(await waiting(), 0, 'the bytes of an ended import are gone')

  const again = await bring('own.csv', content)
  assert.deepEqual(counts(await perform(again.body.importId)), [['sales', 4, 0, 3, 1]])
  assert.equal((await listed()).length, 2)
  assert.deepEqual(await listed(await keyOf('other studio', { administers: true })), [])
})

test('evidence that all accounts see is for admins who may bring evidence; what is of an account is for who writes there', async () => {
  const plain = await keyOf('studio')
  const { body: seen } = await preview('own.csv', sales(2), plain)
  assert.deepEqual([seen.kind, seen.refusal?.code], ['sales', 'not-an-admin'])
  const refused = await bring('own.csv', sales(2), plain)
  assert.deepEqual([refused.status, refused.body.code], [403, 'not-an-admin'])
  const barred = await keyOf('studio', { administers: true, bringsEvidence: false })
  assert.equal((await bring('own.csv', sales(2), barred)).body.code, 'evidence-not-allowed')
  const calibration = await world.request<Problem>({
    ...{ method: 'POST', url: '/file-imports/calibration', headers: { authorization: `Bearer ${plain}` } },
  })
  assert.equal((calibration.body as Problem).code, 'not-an-admin')

  await storeTracked(world, { storeId: '6551000002', account: 'studio' })
  const keywords = 'keyword,tags\nplanner,core\ndiary,core\n'
  const { body: begun } = await bring('keywords.csv', keywords, plain)
  assert.equal(begun.kind, 'keywords')
  assert.deepEqual(counts(await perform(begun.importId)), [['keywords', 2, 2, 0, 0]])

  const reader = await world.key(['context:read'], 'studio')
  const withoutScope = await bring('keywords.csv', keywords, reader)
  assert.deepEqual([withoutScope.status, withoutScope.body.code], [403, 'scope-missing'])
  assert.equal((await world.request({ method: 'POST', url: '/file-imports', payload: '' })).status, 401)
})

test('what is no file of ours, empty, cut off or too large is refused by name, and nothing is stored', async () => {
  const why = async (name: string, content: string | Buffer) => (await preview(name, content)).body.why ?? ''
  const before = (await listed()).length
  assert.match(await why('empty.csv', ''), /is empty/)
  assert.match(
    await why('table.xlsx', Buffer.from('PK\u0003\u0004 [Content_Types].xml', 'latin1')),
    /Excel workbook/,
  )
  assert.match(await why('photo.png', Buffer.from('89504e470d0a1a0a0000', 'hex')), /./)
  const cut = gzipSync(sales(20)).subarray(0, 30)
  const { body } = await preview('own.csv.gz', cut)
  assert.ok(body.why ?? body.found?.firstRefusal, 'a file that is cut off is told')
  const refused = await bring('empty.csv', '')
  assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-request'])
  assert.match(refused.body.detail, /Nothing was stored.*empty/)
  assert.match(
    (await bring('own.csv', 'date,app,country,downloads\n2026-02-31,1,us,4')).body.detail,
    /All of it/,
  )

  // A file that is packed in pieces, and repeats what no pattern is in: no more than real ones shrink.
  const block = Buffer.alloc(8 * 1024 * 1024, `${sales(1)}\n${randomBytes(10_000).toString('hex')}\n`)
  const piece = gzipSync(block)
  const bomb = Buffer.concat(Array.from({ length: 70 }, () => piece))
  assert.match(JSON.stringify((await preview('bomb.csv.gz', bomb)).body), /512 MiB that are taken here/)
  for (const [said, pointer] of [
    [{ country: 'xx' }, '/query/country'],
    [{ kind: 'everything' }, '/query/kind'],
    [{ account: 'other' }, '/query/account'],
  ] as const)
    assert.equal((await preview('own.csv', sales(1), admin, said)).body.errors?.[0]?.pointer, pointer)
  const json = await world.request<Problem>({
    ...{ method: 'POST', url: '/file-imports?name=a', payload: {} },
    headers: { authorization: `Bearer ${admin}` },
  })
  assert.equal(json.status, 415)
  assert.equal((await listed()).length, before)
})

test('a name is a name and no path, and what it tells counts', async () => {
  const { body } = await preview('../../etc/S_D_own\u0007.csv', sales(1))
  assert.equal(body.name, 'S_D_own.csv')
  assert.equal((await preview('..', sales(1))).body.name, 'file')
  assert.equal(Buffer.byteLength((await preview('日'.repeat(200), sales(1))).body.name), 198)
})

test('a file may be called as the file of its rejected records is', async () => {
  const record = (date: string) => JSON.stringify({ date, app: '6551000001', country: 'us', downloads: 9 })
  const content = `${record('2026-04-01')}\n${record('2026-02-31')}\n`
  const { body } = await bring('rejected-sales.ndjson', content, admin, { kind: 'sales' })
  const ended = await perform(body.importId)
  assert.deepEqual(counts(ended), [['sales', 2, 1, 0, 1]], ended.failure ?? '')
  assert.match(ended.imports[0]?.rejections[0]?.reason ?? '', /2026-02-31/)
})

test('a note of an import names no folder of the service and no file that is not kept', async () => {
  const record = (trackId: number | null, description: string) =>
    JSON.stringify({
      ...{ wrapperType: 'software', kind: 'software', trackId },
      trackName: 'Planner',
      description,
    })
  const refused = Array.from({ length: 200 }, () => record(null, 'x'.repeat(90_000)))
  const content = [record(6551000005, 'Plans.'), ...refused].join('\n')
  const said = { kind: 'catalogue', country: 'us', observedAt: '2026-04-02T10:00:00Z' }
  const { body } = await bring('long.ndjson', content, admin, said)
  assert.equal(body.kind, 'catalogue', JSON.stringify(body))
  const ended = await perform(body.importId)
  assert.deepEqual([counts(ended), ended.imports[0]?.notes], [[['catalogue', 201, 1, 0, 200]], []])
})

test('a file that says it has 2 GB is refused before it arrives, and an upload that breaks off leaves nothing', async () => {
  await world.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.server.server.address() as AddressInfo
  const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/octet-stream' }
  const sendTo = (length: number) =>
    send({
      ...{ port, method: 'POST', path: '/file-imports?name=own.csv' },
      headers: { ...headers, 'content-length': length },
    })
  const large = sendTo(2 * 1024 ** 3)
  large.on('error', () => {})
  large.write('date,app')
  const [answer] = await once(large, 'response')
  assert.equal(answer.statusCode, 413)
  large.destroy()

  const begun = world.server.server
  const seen = once(begun, 'request')
  const broken = sendTo(1_000)
  broken.on('error', () => {})
  broken.write('date,app,country')
  const [request] = await seen
  request.on('error', () => {})
  broken.destroy()
  await untilTrue(async () => (await preview('own.csv', sales(1))).body.kind === 'sales')
  assert.equal(await waiting(), 0)
})

test('an import whose process is killed goes on, does nothing twice, and says so', async () => {
  const { body } = await bring('once.csv', sales(9, 700))
  // The first attempt stored a part and was killed: another process begins it again.
  await world.importFile({
    ...{ folder: folder.path, account: 'studio', createdAt: new Date(), progress: () => {} },
    input: {
      name: `once-${process.pid}.csv`,
      bytes: 1,
      sha256: '',
      modifiedAt: null,
      kind: 'sales',
      of: '',
      said: {},
    },
    content: (async function* () {
      yield Buffer.from(sales(9, 700))
    })(),
    signal: new AbortController().signal,
  })
  await startWork(world.store.db, body.importId)
  const ended = await perform(body.importId)
  assert.deepEqual(counts(ended), [['sales', 9, 0, 9, 0]])
  assert.equal(ended.wasInterrupted, true)
})

test('an import whose outcome could not be stored is made again from its bytes, and one whose bytes are gone says so', async () => {
  const { body } = await bring('outcome.csv', sales(8, 300))
  {
    await using _ = await shuttingDown('update on work for each row when (new.finished_at is not null)')
    await assert.rejects(perform(body.importId), /shutting down/)
  }
  const ended = await perform(body.importId)
  assert.deepEqual([ended.status, counts(ended)], ['succeeded', [['sales', 8, 0, 8, 0]]])
  assert.equal(await waiting(), 0)

  const { body: other } = await bring('gone.csv', sales(7, 200))
  await sql`delete from file_import_parts`.execute(world.store.db)
  const gone = await perform(other.importId)
  assert.deepEqual([gone.status, gone.imports], ['failed', []])
  assert.match(gone.failure ?? '', /no longer stored in full: 0 of \d+ bytes/)
})

test('an import that meets a store which is away waits until it is back, of whatever kind it is', async () => {
  const key = await keyOf('patient', { administers: true })
  await storeTracked(world, { storeId: '6551000004', account: 'patient' })
  const onceStored = 'insert on word_weight_runs for each row'
  for (const [name, content, before, outcome] of [
    ['apps.ndjson', appLines(6551000100, 6551000106), onceStored, ['catalogue', 6, 0, 6, 0]],
    [
      ...['keywords.csv', 'keyword\nplanner\ndiary\n'],
      ...['insert on tracked_keywords for each row', ['keywords', 2, 2, 0, 0]],
    ],
  ] as const) {
    const { body } = await bring(name, content, key)
    {
      await using _ = await shuttingDown(before)
      await assert.rejects(perform(body.importId, key), /shutting down/)
    }
    const [meanwhile] = await listed(key)
    assert.deepEqual([meanwhile?.status, meanwhile?.failure, await waiting()], ['queued', null, 1], name)
    const ended = await perform(body.importId, key)
    assert.deepEqual([ended.status, counts(ended)], ['succeeded', [outcome]])
  }
})

test('lines that could be anything are what a person says they are', async () => {
  const list = 'habit tracker\nmeal planner\n'
  const key = await keyOf('lister')
  await storeTracked(world, { storeId: '6551000003', account: 'lister' })
  assert.match((await preview('words.txt', list, key)).body.why ?? '', /if they are keywords/)
  const { body } = await preview('words.txt', list, key, { kind: 'keywords' })
  assert.deepEqual([body.kind, body.found?.records, body.importable], ['keywords', 2, true])
  const { body: begun } = await bring('words.txt', list, key, { kind: 'keywords' })
  assert.deepEqual(counts(await perform(begun.importId, key)), [['keywords', 2, 2, 0, 0]])
})

test('own sales are calibrated with a verdict for each chart, and without charts it says on how many days it looked', async () => {
  const calibrate = () =>
    world.request<CalibrationVerdict & Problem>({
      ...{ method: 'POST', url: '/file-imports/calibration', headers: { authorization: `Bearer ${admin}` } },
    })
  await inTransaction(world.store.db, async (other) => {
    assert.equal(await lockForCalibration(other), true)
    const refused = await calibrate()
    assert.deepEqual([refused.status, (refused.body as Problem).code], [409, 'import-under-way'])
  })
  const recorded = async () =>
    (await rows(world.store.db, sql`select from audit_events where operation = 'calibrate'`)).length
  assert.equal(await recorded(), 0)
  const { status, body } = await calibrate()
  assert.equal(status, 200)
  assert.equal(await recorded(), 1)
  assert.ok((body as CalibrationVerdict).ownDays >= 9)
  assert.deepEqual((body as CalibrationVerdict).charts, [])
})

describe('real files', { skip: existsSync(sharedData) ? false : 'shared/data is not here' }, () => {
  const real = (path: string) => readFileSync(join(sharedData, path))

  test('charts, posts and ads of other tools come in as they are', async () => {
    const [chart = ''] = readdirSync(join(sharedData, 'apple/charts/jp-finance-daily')).filter((name) =>
      name.endsWith('.json'),
    )
    for (const [path, kind, said] of [
      ['apple/charts/rss-v1-hk-2019/top100.json', 'charts', {}],
      [
        `apple/charts/jp-finance-daily/${chart}`,
        'charts',
        { country: 'jp', chart: 'top-free', category: '6015', device: 'iphone' },
      ],
      ['social/tiktok-trending-2020.json', 'organic', {}],
      ['ads/meta/ads_archive_political_2021.json', 'paid-ads', {}],
    ] as const) {
      const name = path.split('/').at(-1) ?? ''
      const { body } = await preview(name, real(path), admin, said)
      assert.deepEqual([body.kind, body.importable], [kind, true], JSON.stringify(body))
      const { body: begun } = await bring(name, real(path), admin, said)
      const ended = await perform(begun.importId)
      assert.deepEqual(
        ended.imports.map((one) => one.kind),
        [kind],
      )
      assert.ok((ended.imports[0]?.stored ?? 0) > 0, JSON.stringify(ended))
      assert.equal(ended.imports[0]?.read, body.found?.records, path)
      assert.equal(ended.imports[0]?.rejected, body.found?.refused, path)
    }
  })

  test('an error that a service answered is told in its words', async () => {
    const errors = readdirSync(join(sharedData, 'ads/tiktok')).filter((name) => /err|fail/.test(name))
    for (const name of errors) {
      const { body } = await preview(name, real(`ads/tiktok/${name}`))
      assert.equal(body.importable, false)
      assert.match(body.why ?? '', /./)
    }
    const { body } = await preview('broken.json', real('apple/search/broken_2022-06-27.json'))
    assert.ok(body.why !== null || (body.found?.refused ?? 0) > 0, JSON.stringify(body))
  })
})
