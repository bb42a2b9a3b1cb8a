import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { ImportSummary } from '../../src/imports/run-import.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { appLine, appLines } from '../support/app-lines.ts'
import { firstKeyOf, type Running, serve, start } from '../support/command-line.ts'
import { openFolder, rejectedLines } from '../support/files.ts'
import { run } from '../support/in-process.ts'
import { openInstallation } from '../support/installation.ts'
import { pause } from '../support/pause.ts'
import { untilTrue } from '../support/until.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

const scopes = ['--scopes', 'context:read,content:write']

const dated = ['--observed-at', '2026-03-01']

let directories = 0
async function dataDirectory(): Promise<string> {
  const path = join(folder.path, `store-${++directories}`)
  await makeDataDirectory(path)
  return path
}

async function get(address: string, path: string, key: string) {
  const reply = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } })
  // biome-ignore lint/suspicious/noExplicitAny: replies of any operation, looked at by tests that know which
  return { status: reply.status, body: (await reply.json()) as any }
}

describe('Beside a service on the same embedded store', () => {
  let dataDir: string
  let service: Running & { address: string }
  let key: string
  before(async () => {
    dataDir = await dataDirectory()
    service = await serve(dataDir)
    key = (await run(['keys', 'create', '--name', 'reader', ...scopes, '--data-dir', dataDir])).out.trim()
  })
  after(() => service[Symbol.asyncDispose]())

  test('its first start kept a key for its owner in a file, since nobody sat at a terminal to see it', async () => {
    const written = firstKeyOf(service)
    assert.equal((await get(service.address, '/v1/competitors/categories', written)).status, 200)
    assert.ok(!`${service.said.out}${service.said.err}`.includes('rsk_'))
    assert.equal(statSync(join(dataDir, 'first-key')).mode & 0o777, 0o600)
  })

  test('keys are made, listed and ended from another terminal', async () => {
    const createdKey = await run(['keys', 'create', '--name', 'script', ...scopes, '--data-dir', dataDir])
    assert.equal(createdKey.code, 0)
    assert.match(createdKey.out, /^rsk_[\w-]+\n$/, 'the key stands alone on standard output')
    const made = createdKey.out.trim()
    assert.equal((await get(service.address, '/v1/competitors', made)).status, 200)

    const list = async () => (await run(['keys', 'list', '--data-dir', dataDir])).out
    assert.match(await list(), /valid +default {2}script {2}context:read,content:write/)
    assert.ok(!(await list()).includes(made))
    const listed = JSON.parse((await run(['keys', 'list', '--json', '--data-dir', dataDir])).out)
    assert.ok(listed.some((one: { name: string }) => one.name === 'script'))

    const revoked = await run(['keys', 'revoke', 'script', '--data-dir', dataDir])
    assert.equal(revoked.code, 0)
    assert.match(revoked.out, /^revoked [0-9a-f-]{36} {2}default {2}script\n$/)
    await untilTrue(async () => (await get(service.address, '/v1/competitors', made)).status === 401)
    assert.match(await list(), /revoked +default {2}script/)
    const unknown = await run(['keys', 'revoke', 'nobody', '--data-dir', dataDir])
    assert.deepEqual([unknown.code, unknown.out], [1, ''])
    assert.match(unknown.err, /No valid key has the id or name "nobody"/)
  })

  test('a key with an end or an account of its own keeps both', async () => {
    const expired = ['--expires', '2020-01-01', '--account', 'agency']
    const { out } = await run(['keys', 'create', '--name', 'old', ...scopes, ...expired, '--data-dir', dataDir])
    assert.equal((await get(service.address, '/v1/competitors', out.trim())).status, 401)
    assert.match((await run(['keys', 'list', '--data-dir', dataDir])).out, /expired +agency {2}old/)
  })

  test('files are imported from the directory the command is given in, and what is refused is written there', async () => {
    folder.write('here/apps.ndjson', `${appLine(11)}{"trackId":12}\n${appLine(13)}`)
    const imported = await run(['import', 'catalogue', 'apps.ndjson', ...dated, '--data-dir', dataDir], {
      cwd: join(folder.path, 'here'),
    })
    assert.equal(imported.code, 0, imported.err)
    assert.equal(imported.out, 'catalogue: read 3, stored 2, unchanged 0, rejected 1 apps from 1 file\n')
    const [rejected] = readdirSync(join(folder.path, 'here')).filter((name) => name.startsWith('rejected-'))
    assert.ok(rejected && imported.err.includes(rejected))
    assert.equal(rejectedLines(join(folder.path, 'here', rejected))[0]?.position, 'line 2')
    assert.equal((await get(service.address, '/v1/competitors/ios/11', key)).body.name, 'App number 11')
    const again = await run(['import', 'catalogue', 'here/apps.ndjson', ...dated, '--data-dir', dataDir], {
      cwd: folder.path,
    })
    assert.match(again.out, /read 3, stored 0, unchanged 2, rejected 1 apps from 1 file \(nothing new\)/)
  })

  test('standard input is read, and the summary can be JSON', async () => {
    const flags = ['--json', '--country', 'de', '--rejected', 'refused.ndjson', ...dated, '--data-dir', dataDir]
    const piped = await run(['import', 'catalogue', '-', ...flags], {
      cwd: folder.path,
      input: `${appLine(21)}oops\n`,
    })
    assert.equal(piped.code, 0, piped.err)
    const { rejectedFile, ...summary } = JSON.parse(piped.out) as ImportSummary
    assert.deepEqual(summary, {
      kind: 'catalogue',
      files: 1,
      read: 2,
      stored: 1,
      unchanged: 0,
      rejected: 1,
      unreadable: {},
      firstRejection: { file: '-', position: 'line 2', reason: summary.firstRejection?.reason },
      weaklyDated: 0,
      notes: [],
    })
    assert.equal(rejectedFile, join(folder.path, 'refused.ndjson'))
    assert.equal((await get(service.address, '/v1/competitors/ios/21?country=de', key)).body.country, 'de')
  })

  test('charts are imported with a mapping', async () => {
    folder.write(
      'map.json',
      JSON.stringify({ fields: { storeId: 'link' }, constants: { chart: 'top-free', category: 6002 } }),
    )
    const list = folder.write('list.json', JSON.stringify([{ link: 'https://apps.apple.com/jp/app/x/id11' }]))
    const flags = ['--map', 'map.json', '--country', 'jp', ...dated, '--data-dir', dataDir]
    const imported = await run(['import', 'charts', list, ...flags], { cwd: folder.path })
    assert.equal(
      imported.out,
      'charts: read 1, stored 1, unchanged 0, rejected 0 chart places from 1 file\n',
      imported.err,
    )
    assert.equal(
      (await get(service.address, '/v1/charts?country=jp&categoryId=6002', key)).body.items[0].app.storeId,
      '11',
    )
  })

  test('an import that cannot be says why and ends with 1, and the service goes on', async () => {
    const file = folder.write('one.ndjson', appLine(31))
    const bad = folder.write('bad-map.json', '{"fields":{"nmae":"x"}}')
    const failing: [args: string[], says: RegExp][] = [
      [['absent.ndjson'], /ENOENT.*absent\.ndjson/],
      [[file, '--map', bad], /names the field "nmae"[\s\S]*storeId: Apple's app id/],
      [[file, '--map', 'absent.json'], /mapping .*absent\.json cannot be read/],
      [
        [folder.write('broken.json', '{"results":['), '--rejected', join(folder.path, 'no', 'such', 'place')],
        /ENOENT.*no\/such\/place/,
      ],
      [[folder.write('page.html', '<html>')], /Rejected records and why/],
    ]
    for (const [args, says] of failing) {
      const failed = await run(['import', 'catalogue', ...args, ...dated, '--data-dir', dataDir], {
        cwd: folder.path,
      })
      assert.equal(failed.code, 1, args.join(' '))
      assert.match(failed.err, says)
    }
    assert.equal((await get(service.address, '/readyz', key)).status, 200)
  })

  test('the schema is brought up to date, and there is nothing left to do', async () => {
    const migrated = await run(['migrate', '--data-dir', dataDir])
    assert.deepEqual([migrated.code, migrated.out], [0, 'the store is up to date\n'], migrated.err)
  })

  test('a replay runs from another terminal', async () => {
    const replayed = await run(['replay', '--json', '--data-dir', dataDir])
    assert.equal(replayed.code, 0, replayed.err)
    assert.equal(JSON.parse(replayed.out).refused, 0)
    assert.equal((await get(service.address, '/v1/competitors/ios/11', key)).body.name, 'App number 11')
  })

  test('told to end, it answers what is under way and ends with 0, and the next start shows no key again', async () => {
    const reply = slowRequest(service.address)
    await reply.begun
    service.child.kill('SIGTERM')
    await pause(200, 'it is stopping by then')
    reply.finish()
    assert.ok((await reply.status) >= 400, 'a request without a key is answered, not cut off')
    const { code, err } = await service.ended
    assert.equal(code, 0, err)
    await using second = await serve(dataDir)
    assert.equal(firstKeyOf(second), '')
    second.child.kill('SIGINT')
    assert.equal((await second.ended).code, 0)
  })
})

describe('Without a service', () => {
  test('an import that is interrupted ends with 1 and keeps whole what it stored', async () => {
    await using installation = await openInstallation()
    await using sender = start(['import', 'catalogue', '-', ...dated, ...installation.location])
    await new Promise((resolve) => sender.child.stdin?.write(appLines(1, 2_000), resolve))
    sender.child.kill('SIGINT')
    const { code, err } = await sender.ended
    assert.equal(code, 1)
    assert.match(err, /^Interrupted\. What was stored stays; run the same command again to go on\.$/m)
    await using store = await installation.open()
    const { rows } = await sql`
      select 1 from readings r left join payloads p using (payload_hash, month) where p.payload_hash is null`.execute(
      store.db,
    )
    assert.deepEqual(rows, [])
  })

  test('keys are made and listed in the store itself', async () => {
    const dataDir = await dataDirectory()
    const listed = await run(['keys', 'list', '--data-dir', dataDir])
    assert.match(listed.out, /No keys yet/)
    assert.match(
      (await run(['keys', 'create', '--name', 'a', ...scopes, '--data-dir', dataDir])).out,
      /^rsk_[\w-]+\n$/,
    )
  })

  test('a store of a newer version is refused with what to do', async () => {
    await using installation = await openInstallation()
    {
      await using store = await installation.open()
      await sql`insert into kysely_migration (name, timestamp) values ('0999_future', '2030-01-01')`.execute(
        store.db,
      )
    }
    for (const args of [['migrate'], ['serve', '--port', '0'], ['keys', 'list']]) {
      const refused = await run([...args, ...installation.location])
      assert.deepEqual([refused.code, refused.out], [1, ''])
      assert.equal(
        refused.err,
        'The store was written by a newer version of Rivalscope (it has 0999_future). Run that version, or restore a backup.\n',
      )
    }
  })

  test('wrong usage ends with 2, says what is wrong, and touches no store', async () => {
    const dataDir = join(folder.path, 'untouched')
    const file = folder.write('usage.ndjson', appLine(1))
    const client = ['--jwt-audience', 'a', '--oidc-client-id', 'rivalscope']
    const wrong: [args: string[], says: RegExp][] = [
      [['frobnicate'], /unknown command 'frobnicate'/],
      [['serve', '--prot', '1'], /unknown option '--prot'/],
      [['serve', '--port', '99999'], /whole number from 0 to 65535/],
      [
        ['serve', '--jwt-issuer', 'https://issuer.example', '--data-dir', dataDir],
        /--jwt-issuer and --jwt-audience go together/,
      ],
      [
        ['serve', '--oidc-client-id', 'rivalscope', '--data-dir', dataDir],
        /--oidc-client-id goes with --jwt-issuer/,
      ],
      [
        ['serve', ...client, '--jwt-issuer', 'http://localhost.example', '--data-dir', dataDir],
        /asked over https/,
      ],
      [['serve', ...client, '--jwt-issuer', 'issuer.example', '--data-dir', dataDir], /asked over https/],
      [
        ['serve', ...client, '--jwt-issuer', 'http://localhost:1', '--oidc-scopes', 'a', '--data-dir', dataDir],
        /--oidc-scopes must name openid/,
      ],
      [['import', 'catalogue'], /missing required argument 'files'/],
      [['import', 'sprockets', file], /no file or directory sprockets.*kinds are catalogue, charts/],
      [['import', 'catalogue', file, '--country', 'zz'], /"zz" is not a country with an App Store/],
      [['import', 'catalogue', file, '--format', 'xml'], /Allowed choices/],
      [
        ['import', 'catalogue', file, '--observed-at', '2026-02-30'],
        /"2026-02-30" is no date or RFC 3339 time/,
      ],
      [['import', 'catalogue', file, '--observed-at', '2026-03-01T25:00:00Z'], /is no date or RFC 3339 time/],
      [['import', 'catalogue', file, '--chart', 'top-free'], /unknown option '--chart'/],
      [['keys', 'create', '--name', 'a'], /--scopes <list>' not specified/],
      [['keys', 'create', '--name', 'a', '--scopes', 'context:write'], /"context:write" is not a scope/],
      [
        ['keys', 'create', '--name', 'a', '--scopes', 'context:read', '--expires', '2026-03-01T99:00Z'],
        /is no date or RFC 3339 time/,
      ],
    ]
    const outcomes = await Promise.all(wrong.map(([args]) => run(args, { cwd: folder.path })))
    for (const [index, { code, out, err }] of outcomes.entries()) {
      const [args, says] = wrong[index] ?? [[], /./]
      assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`)
      assert.match(err, says)
    }
    assert.ok(!existsSync(dataDir) && !existsSync(join(folder.path, '.rivalscope')))
  })

  test('help and the version are answered on standard output with 0', async () => {
    const [help, version] = await Promise.all([run(['--help']), run(['--version'])])
    assert.deepEqual([help.code, version.code], [0, 0])
    assert.match(help.out, /import.*import files/)
    const { version: stated } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.equal(version.out, `${stated}\n`)
  })
})

/** A request whose body is still on its way. */
function slowRequest(address: string) {
  const body = JSON.stringify({ kinds: ['record'] })
  const call = request(`${address}/v1/competitors/ios/1/data-requests`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  const status = new Promise<number>((resolve, reject) => {
    call.on('response', (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    call.on('error', reject)
  })
  const begun = new Promise((resolve) => call.on('continue', resolve))
  call.flushHeaders()
  return { status, begun, finish: () => call.end(body) }
}
