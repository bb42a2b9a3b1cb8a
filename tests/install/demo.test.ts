import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { documentsOf } from '../../sample/demo/evidence.ts'
import { Rivalscope } from '../../src/client/client.ts'
import { contract } from '../../src/contract/contract.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { openStore } from '../../src/storage/open-store.ts'
import { type Running, start } from '../support/command-line.ts'
import { openFolder } from '../support/files.ts'
import { run } from '../support/in-process.ts'

/** Who must never hear from a demo: everything a real installation's environment can point at. */
const asked: string[] = []
const outside = createServer((request, reply) => {
  asked.push(`${request.method} ${request.url}`)
  reply.writeHead(500).end()
})
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const folder = parts.use(openFolder())
const dataDir = join(folder.path, 'demo')
let environment: Record<string, string>

before(async () => {
  await new Promise<void>((ready) => outside.listen(0, '127.0.0.1', ready))
  parts.defer(() => void outside.close())
  const address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const source = { baseUrl: address }
  const config = folder.write(
    'rivalscope.json',
    JSON.stringify({
      sources: { itunes: source, 'apple-rss-legacy': source, 'meta-ad-library': source },
      schedule: { charts: [{ countries: ['us'], everyHours: 1 }] },
      model: { baseUrl: address, name: 'real' },
    }),
  )
  environment = {
    RIVALSCOPE_DATABASE_URL: 'postgres://real@127.0.0.1:1/real',
    RIVALSCOPE_DATA_DIR: join(folder.path, 'real'),
    RIVALSCOPE_MEDIA_DIR: join(folder.path, 'real-media'),
    RIVALSCOPE_CONFIG: config,
    RIVALSCOPE_META_TOKEN: 'EAAreal',
    RIVALSCOPE_HOST: '0.0.0.0',
    RIVALSCOPE_PORT: '1',
    RIVALSCOPE_WORK: 'off',
    RIVALSCOPE_JWT_ISSUER: address,
    HTTP_PROXY: address,
    NODE_USE_ENV_PROXY: '1',
  }
})

async function startDemo(): Promise<Running & { address: string; key: string }> {
  const demo = start(['demo', '--data-dir', dataDir, '--port', '0'], { env: environment })
  const [, address = ''] = await demo.says(/^ready (http\S+)$/m)
  const [, key = ''] = /^ {2}key +(\S+)$/m.exec(demo.said.out) ?? []
  return { ...demo, address, key }
}

/** Starts a demo and ends it as soon as it says so, which is while its store is being filled unless told otherwise. */
async function endWhenItSays(
  signal: NodeJS.Signals,
  said = / of \d+.*sample evidence/,
): Promise<Awaited<Running['ended']>> {
  const demo = start(['demo', '--data-dir', dataDir, '--port', '0'], { env: environment })
  await demo.says(said)
  demo.child.kill(signal)
  return demo.ended
}

/** The call of an example as a program makes it. */
function addressOf(operation: Operation): string {
  const { params = {}, query = {} } = operation.example
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
  const asked = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  )
  return `${path}?${new URLSearchParams(asked)}`
}

test('the demo is its own: its store, its sources and its key, whatever the environment says', {
  timeout: 1_200_000,
}, async (t) => {
  await endWhenItSays('SIGKILL')
  const stopped = await endWhenItSays('SIGINT')
  assert.equal(stopped.code, 130)
  assert.match(stopped.err, /Interrupted\. Start it again, and it goes on from here\./)
  await endWhenItSays('SIGINT', /^ready /m)
  const demo = await startDemo()
  t.after(() => demo[Symbol.asyncDispose]())
  const rivalscope = new Rivalscope({ server: demo.address, key: demo.key })
  const page = (path: string, accept: string) =>
    fetch(demo.address + path, { headers: { accept }, redirect: 'manual' })

  await t.test('it listens on loopback, and its own address leads people and programs on', async () => {
    assert.match(demo.address, /^http:\/\/127\.0\.0\.1:/)
    const welcome = await page('/', 'text/html,*/*;q=0.8')
    assert.equal(welcome.status, 200)
    assert.match(await welcome.text(), /<title>Rivalscope<\/title>[\s\S]*<div id="root">/)
    const { name, reference } = (await (await page('/', 'application/json')).json()) as Record<string, string>
    assert.deepEqual({ name, reference }, { name: 'Rivalscope', reference: '/docs/reference' })
  })

  await t.test('its documentation is built when it is asked for, and says so until then', async () => {
    const { status } = await page('/docs/', 'text/html')
    assert.ok(status === 503 || status === 200, String(status))
  })

  await t.test(
    'what is not worked out yet is said to wait, and all is there in the end, nothing twice',
    async () => {
      const { refresh } = await rivalscope.getCompetitorEstimateHistory({
        platform: 'ios',
        storeId: '9000000002',
        country: 'us',
        from: '2026-11-01',
        to: '2026-11-20',
      })
      // Whatever was interrupted before, nothing of it holds up the first page. A slow reader finds it done.
      assert.match(String(refresh?.status), /queued|running|succeeded/)
      await demo.says(/^Everything is there now/m)
      await using store = await openStore({ dataDir }, 'test')
      const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from readings where origin = 'sample') as documents,
        (select count(*)::int from readings where origin = 'sample') - (
          select count(distinct identity)::int from readings where origin = 'sample') as twice,
        (select count(*)::int from tracked_apps) as tracked,
        (select count(*)::int from saved_ads) as ads,
        (select count(*)::int from saved_posts) as posts,
        (select count(*)::int from ad_analyses) as analyses,
        (select count(distinct status)::int from data_requests) as states,
        (select count(*)::int from work where status in ('queued', 'running', 'failed')) as left`.execute(
        store.db,
      )
      assert.deepEqual(rows[0], {
        documents: documentsOf.whole,
        twice: 0,
        tracked: 8,
        ads: 8,
        posts: 6,
        analyses: 8,
        states: 3,
        left: 0,
      })
      const events = await sql`select 1 from watch_events`.execute(store.db)
      assert.ok(events.rows.length > 0)
    },
  )

  await t.test('every read that the reference shows as an example answers', async () => {
    const failing: string[] = []
    for (const [tool, operation] of Object.entries<Operation>(contract)) {
      if (operation.method !== 'GET') continue
      const headers = { authorization: `Bearer ${demo.key}` }
      const reply = await fetch(demo.address + addressOf(operation), { headers })
      if (reply.status !== 200) failing.push(`${tool} ${reply.status}: ${await reply.text()}`)
    }
    assert.deepEqual(failing, [])
  })

  await t.test('every command it prints works as it is printed', async () => {
    const printed = [...demo.said.out.matchAll(/^ {2}bin\/rivalscope (.+)$/gm)].map(([, words = '']) => words)
    assert.ok(printed.length >= 5, demo.said.out)
    const env = { RIVALSCOPE_SERVER: demo.address, RIVALSCOPE_KEY: demo.key }
    for (const line of printed) {
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
      const { code, err } = await run(words, { env })
      assert.equal(code, 0, `${line}: ${err}`)
    }
  })

  await t.test('an app that is not stored is found, taken in and tracked', async () => {
    const found = await rivalscope.searchIosApps({ term: 'tidesong', country: 'us', live: true })
    assert.equal(found.answeredFrom, 'live')
    assert.equal(found.items[0]?.app.name, 'Tidesong: Sea Sounds')
    const taken = await rivalscope
      .requestIosCompetitor({ app: 'example.larkandloam.tidesong', country: 'us' })
      .ended()
    assert.equal(taken.status, 'succeeded')
    const { appId } = await rivalscope.trackAsoApp({ app: '9000002001', country: 'us', role: 'watched' })
    await rivalscope.addAsoKeywords({ appId, terms: ['sleep sounds', 'sea sounds'] })
    const refreshed = await rivalscope.refreshAsoApp({ appId }).ended()
    assert.equal(refreshed.status, 'succeeded')
    const { keywords } = await rivalscope.getAsoWorkstation({ appId })
    assert.ok(keywords.every(({ rank }) => rank.state !== 'not-measured'))
    assert.ok(keywords.some(({ rank }) => rank.state === 'measured'))
  })

  await t.test('emerging apps are looked for, and ads previewed and imported', async () => {
    const run = await rivalscope.discoverEmergingIosCompetitors({ country: 'us', windowDays: 21 }).ended()
    assert.equal(run.status, 'succeeded')
    for (const platform of ['meta', 'tiktok'] as const) {
      const asked = { platform, terms: ['free'], limit: 60 }
      const preview = await rivalscope.adminPreviewPaidAds(asked)
      assert.ok(preview.examined.ads > 0 && preview.examined.new > 0, JSON.stringify(preview.examined))
      const imported = await rivalscope.adminImportPaidAds({ previewToken: preview.previewToken }).ended()
      assert.equal(imported.status, 'succeeded')
    }
    const { lookups } = await rivalscope.adminSearchPaidAdAdvertisers({ q: 'a' })
    assert.ok(lookups.some(({ platform, outcome }) => platform === 'tiktok' && outcome === 'answered'))
  })

  await t.test('the link it prints signs in to the web pages, once', async () => {
    const [link = ''] = /http:\S+\/session\/link\/\S+/.exec(demo.said.out) ?? []
    const press = () => fetch(link, { method: 'POST', redirect: 'manual' })
    const first = await press()
    const [cookie = ''] = first.headers.getSetCookie()
    assert.deepEqual([first.status, first.headers.get('location')], [303, '/'])
    const session = await fetch(`${demo.address}/session`, {
      headers: { cookie: cookie.split(';', 1)[0] ?? '' },
    })
    assert.equal(((await session.json()) as { signedIn: boolean }).signedIn, true)
    assert.equal((await press()).headers.get('location'), '/sign-in?problem=link-used')
  })

  await t.test('its key is kept where only its owner reads it, and holds after a restart', async () => {
    const file = join(dataDir, 'demo-key')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(readFileSync(file, 'utf8').trim(), demo.key)
    assert.ok(demo.said.out.includes(file))
    demo.child.kill('SIGINT')
    await demo.ended
    const again = await startDemo()
    t.after(() => again[Symbol.asyncDispose]())
    assert.equal(again.key, demo.key)
    assert.ok((await new Rivalscope({ server: again.address, key: demo.key }).listAsoApps({})).items.length > 0)
    again.child.kill('SIGINT')
    await again.ended
  })

  await t.test('nobody else was asked, and nothing else was touched', () => {
    assert.deepEqual(asked, [])
    assert.throws(() => statSync(join(folder.path, 'real')), /ENOENT/)
    assert.throws(() => statSync(join(folder.path, 'real-media')), /ENOENT/)
  })

  await t.test('a real service does not work on its store, and it does not settle in a real one', async () => {
    for (const command of [['serve'], ['work'], ['collect', 'apps', '9000000001']]) {
      const refused = await run([...command, '--data-dir', dataDir])
      assert.equal(refused.code, 2, refused.err)
      assert.match(refused.err, /is the demo's.*rivalscope demo/)
    }
    const real = join(folder.path, 'another')
    assert.equal((await run(['migrate', '--data-dir', real])).code, 0)
    const refused = await run(['demo', '--data-dir', real, '--port', '0'])
    assert.equal(refused.code, 2)
    assert.match(refused.err, /holds a store that is not the demo's/)
  })
})

test('a port that is taken is told before anything is made', async () => {
  const { port } = outside.address() as AddressInfo
  const dataDir = join(folder.path, 'never')
  const { code, err } = await run(['demo', '--data-dir', dataDir, '--port', String(port)])
  assert.equal(code, 1)
  assert.match(err, new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is taken by another process\\.`))
  assert.equal(existsSync(dataDir), false)
})

const isRoot = process.getuid?.() === 0
/** Runs a command of the shell with a disk of its own at a folder; mounts are not everybody's to make. */
const withDisk = (megabytes: number, mount: string, command: string) =>
  spawnSync(
    'unshare',
    [isRoot ? '-m' : '-rm', 'sh', '-c', `mount -t tmpfs -o size=${megabytes}m tmpfs '${mount}' && ${command}`],
    { encoding: 'utf8' },
  )
const mounts = withDisk(20, folder.path, 'true').status === 0
const program = new URL('../../bin/rivalscope', import.meta.url).pathname

test('a disk without room for it is told before anything is made', {
  skip: !mounts && 'no mounts here',
}, () => {
  const { status, stderr } = withDisk(
    20,
    folder.path,
    `'${program}' demo --port 0 --data-dir '${folder.path}/small'`,
  )
  assert.equal(status, 2, stderr)
  assert.match(
    stderr,
    /^error: the demo takes 700 MB, and \S+ has \d+ MB left\. Make room, or name another directory/m,
  )
})

test('a disk that fills up midway is told in a sentence, and with room again the demo goes on', {
  // PostgreSQL is started as another user, whom a mount of one user's own does not know.
  skip: !(mounts && isRoot) && 'no mounts here',
}, () => {
  const disk = join(folder.path, 'disk')
  mkdirSync(disk)
  const script = folder.write(
    'fill-midway.sh',
    `cd '${disk}'
start() { '${program}' demo --port 0 --data-dir store >out 2>err & demo=$!; }
says() { until grep -q "$1" out err || ! kill -0 $demo 2>/dev/null; do sleep 0.1; done; }
start; says 'Making sample evidence'
dd if=/dev/zero of=ballast bs=1M 2>/dev/null
wait $demo; echo "ended with $?"; cat err
rm ballast
start; says '^ready '
kill -TERM $demo; wait $demo; grep -o '^ready' out`,
  )
  const { stdout } = withDisk(900, disk, `sh '${script}'`)
  assert.match(stdout, /^ended with 1$/m)
  assert.match(stdout, /[Dd]isk.*full|full.*disk/)
  assert.doesNotMatch(stdout, /^\s+at |node:internal/m)
  assert.match(stdout, /^ready$/m)
})
