import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFolder } from './support/files.ts'
import { run } from './support/in-process.ts'
import { openWorld, type World } from './support/world.ts'

const folder = openFolder()
after(() => folder[Symbol.dispose]())

let world: World
let server: string
let key: string
before(async () => {
  world = await openWorld()
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key()
})
after(() => world[Symbol.asyncDispose]())

/** Answers every request the same, and remembers what it was sent. */
async function stranger(answer: { status: number; headers?: Record<string, string>; body?: string }) {
  const seen: { path: string; authorization: string | undefined }[] = []
  const listening: Server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', authorization: request.headers.authorization })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  return {
    seen,
    address: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    [Symbol.dispose]: () => void listening.close(),
  }
}

const emptyList = JSON.stringify({ items: [], total: { value: 0, relation: 'exact' }, nextCursor: null })
const listening = () =>
  stranger({ status: 200, headers: { 'content-type': 'application/json' }, body: emptyList })

let homes = 0
/** A person with a configuration directory of their own. */
function person() {
  const home = join(folder.path, `person-${++homes}`)
  mkdirSync(home)
  const file = join(home, 'rivalscope/profiles.json')
  return {
    file,
    rivalscope: (
      args: string[],
      { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
    ) => run(args, { input, env: { XDG_CONFIG_HOME: home, ...env } }),
    keep(content: unknown, mode = 0o600) {
      mkdirSync(join(home, 'rivalscope'), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      chmodSync(file, mode)
    },
  }
}

const list = ['search-competitors', '--json']

describe('A profile', { concurrency: 3 }, () => {
  test('is kept where only its owner can read it, and used from then on', async () => {
    const { rivalscope, file } = person()
    const set = await rivalscope(['profile', 'set', 'work', '--server', `${server}/`, '--key-stdin'], {
      input: `${key}\n`,
    })
    assert.deepEqual([set.code, set.out, set.err], [0, '', ''])
    assert.deepEqual([statSync(file).mode & 0o777, statSync(join(file, '..')).mode & 0o777], [0o600, 0o700])
    const listed = await rivalscope(list)
    assert.deepEqual([listed.code, JSON.parse(listed.out).items], [0, []], listed.err)
    const profiles = await rivalscope(['profile', 'list'])
    assert.equal(profiles.out, `* work  ${server}  key kept\n`)
    assert.ok(!(await rivalscope(['profile', 'list', '--json'])).out.includes(key))
  })

  test('is changed, chosen and forgotten', async () => {
    const { rivalscope, file } = person()
    const known = async () => JSON.parse((await rivalscope(['profile', 'list', '--json'])).out)
    await rivalscope(['profile', 'set', 'one', '--server', server, '--key-stdin'], { input: key })
    await rivalscope(['profile', 'set', 'two', '--server', 'https://two.example'])
    await rivalscope(['profile', 'use', 'two'])
    assert.deepEqual(await known(), [
      { name: 'one', server, key: 'kept', inUse: false },
      { name: 'two', server: 'https://two.example', key: 'none', inUse: true },
    ])
    await rivalscope(['profile', 'set', 'one', '--server', server])
    assert.equal((await known())[0].key, 'kept', 'the same server keeps its key')
    const moved = await rivalscope(['profile', 'set', 'one', '--server', 'https://one.example'])
    assert.match(moved.err, /It has no key yet/)
    assert.ok(!readFileSync(file, 'utf8').includes(key), 'another server does not get it')
    await rivalscope(['profile', 'remove', 'two'])
    assert.deepEqual(await known(), [{ name: 'one', server: 'https://one.example', key: 'none', inUse: false }])
    const unknown = await rivalscope(['profile', 'use', 'two'])
    assert.equal(unknown.code, 2)
    assert.match(unknown.err, /no profile is called "two"; there are: one/)
  })

  test('file that others can read is refused with what to do', async () => {
    const { rivalscope, file, keep } = person()
    keep({ profiles: { work: { server, key } }, current: 'work' }, 0o640)
    for (const args of [list, ['profile', 'list'], ['profile', 'set', 'x', '--server', server]]) {
      const { code, out, err } = await rivalscope(args)
      assert.deepEqual([code, out], [2, ''])
      assert.match(err, new RegExp(`Run: chmod 600 ${file}`))
    }
    const without = await rivalscope([...list, '--server', server], { env: { RIVALSCOPE_KEY: key } })
    assert.equal(without.code, 0, 'nobody needs the file who says everything')
  })

  test('file that is broken says where, and nothing of what is in it', async () => {
    const { rivalscope, keep } = person()
    const broken: [content: unknown, said: RegExp][] = [
      [`{"profiles": {\n "work": {"server": "x", "key": "${key}"},, }}`, /not valid JSON, line 2 column \d+/],
      [`{"profiles": ${key}}`, /not valid JSON/],
      [[], /must be an object with "profiles"/],
      [{ profiles: { work: { key } } }, /profile "work" has no "server"/],
      [{ profiles: { work: { server, key: 7 } } }, /"key" of profile "work" is not text/],
      [{ profiles: {}, current: 'work' }, /"current" names no profile/],
    ]
    for (const [content, said] of broken) {
      keep(content)
      const { code, err } = await rivalscope(list)
      assert.equal(code, 2)
      assert.match(err, said)
      assert.match(err, /profiles\.json/)
      assert.ok(!err.includes(key.slice(0, 12)), err)
    }
  })

  test('file that is a link stays one', async () => {
    const { rivalscope, file, keep } = person()
    keep({ profiles: {} })
    const real = folder.write('dotfiles/profiles.json', '{"profiles":{}}')
    chmodSync(real, 0o600)
    const linked = join(file, '../../linked')
    mkdirSync(join(linked, 'rivalscope'), { recursive: true })
    symlinkSync(real, join(linked, 'rivalscope/profiles.json'))
    const set = await rivalscope(['profile', 'set', 'a', '--server', server], {
      env: { XDG_CONFIG_HOME: linked },
    })
    assert.equal(set.code, 0, set.err)
    assert.ok(readFileSync(real, 'utf8').includes(server))
  })

  test('with a bad name, address or key is not kept', async () => {
    const { rivalscope, file } = person()
    const bad: [args: string[], said: RegExp, input?: string][] = [
      [['../x', '--server', server], /<name>: letters/],
      [['x', '--server', 'example.org'], /--server: .* begins with http/],
      [['x', '--server', 'https://me:secret@example.org'], /--server: .* no user name/],
      [['x', '--server', server, '--key-stdin'], /--key-stdin: that is no API key/, 'two words'],
      [['x', '--server', server, '--key-stdin'], /--key-stdin: that is no API key/],
    ]
    for (const [args, said, input = ''] of bad) {
      const { code, err } = await rivalscope(['profile', 'set', ...args], { input })
      assert.equal(code, 2)
      assert.match(err, said)
      assert.doesNotMatch(err, /secret|two words/)
    }
    assert.ok(!existsSync(file))
  })
})

describe('Which server and key are used', { concurrency: 3 }, () => {
  test('options come first, then the profile they name, then the environment, then the profile in use', async () => {
    using option = await listening()
    using named = await listening()
    using around = await listening()
    using current = await listening()
    const { rivalscope, keep } = person()
    const profiles = {
      named: { server: named.address, key: 'rsk_named' },
      current: { server: current.address, key: 'rsk_current' },
    }
    keep({ current: 'current', profiles })
    const env = { RIVALSCOPE_SERVER: around.address, RIVALSCOPE_KEY: 'rsk_around' }
    const sent = async (args: string[], env: Record<string, string>, at: typeof option) => {
      const { code, err } = await rivalscope([...list, ...args], { env })
      assert.equal(code, 0, err)
      return at.seen.at(-1)?.authorization
    }
    const both = ['--server', option.address, '--key', 'rsk_option']
    assert.equal(await sent([...both, '--profile', 'named'], env, option), 'Bearer rsk_option')
    assert.equal(await sent(['--profile', 'named'], env, named), 'Bearer rsk_named')
    assert.equal(await sent([], env, around), 'Bearer rsk_around')
    assert.equal(await sent([], { RIVALSCOPE_PROFILE: 'named' }, named), 'Bearer rsk_named')
    assert.equal(await sent([], { RIVALSCOPE_KEY: 'rsk_around' }, current), 'Bearer rsk_around')
    assert.equal(await sent([], {}, current), 'Bearer rsk_current')
  })

  test('the key of a profile goes to no other server', async () => {
    using other = await listening()
    const { rivalscope, keep } = person()
    keep({ current: 'work', profiles: { work: { server, key } } })
    for (const args of [[], ['--profile', 'work']]) {
      const { code, err } = await rivalscope([...list, '--server', other.address, ...args])
      assert.equal(code, 2)
      assert.match(err, /no key for http.*RIVALSCOPE_KEY.*rivalscope profile set/)
    }
    assert.deepEqual(other.seen, [])
  })

  test('a key comes from standard input with --key -', async () => {
    const { rivalscope } = person()
    const args = [...list, '--server', server, '--key', '-']
    assert.equal((await rivalscope(args, { input: `${key}\n` })).code, 0)
    const empty = await rivalscope(args)
    assert.equal(empty.code, 2)
    assert.match(empty.err, /--key: that is no API key/)
  })

  test('a profile that is not there, an empty address and an empty key are refused', async () => {
    const { rivalscope } = person()
    const env = { RIVALSCOPE_KEY: key }
    for (const [args, said] of [
      [['--profile', 'home'], /no profile is called "home".*there are none/],
      [['--server', ''], /--server: /],
      [['--server', 'ftp://x'], /--server: /],
      [['--key', ''], /--key: that is no API key/],
    ] as const) {
      const { code, err } = await rivalscope([...list, ...args], { env })
      assert.equal(code, 2)
      assert.match(err, said)
    }
  })

  test('a server behind a path is found there', async () => {
    using behind = await listening()
    const { rivalscope } = person()
    await rivalscope([...list, '--server', `${behind.address}/rivalscope/`, '--key', 'rsk_x'])
    assert.match(behind.seen[0]?.path ?? '', /^\/rivalscope\/v1\/competitors/)
  })
})

describe('What answers badly', { concurrency: 3 }, () => {
  const env = () => ({ RIVALSCOPE_KEY: key })

  test('nobody: the address is told, and how to start a server', async () => {
    const { rivalscope } = person()
    const { code, out, err } = await rivalscope([...list, '--server', 'http://127.0.0.1:1'], { env: env() })
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /http:\/\/127\.0\.0\.1:1\/? cannot be reached.*rivalscope serve/)
  })

  test('a redirect is told and not followed: the key goes nowhere else', async () => {
    using elsewhere = await listening()
    using pointing = await stranger({
      status: 307,
      headers: { location: `${elsewhere.address}/v1/competitors` },
    })
    const { rivalscope } = person()
    const { code, err } = await rivalscope([...list, '--server', pointing.address], { env: env() })
    assert.equal(code, 1)
    assert.ok(err.includes(elsewhere.address), err)
    assert.deepEqual(elsewhere.seen, [])
  })

  test('something that is no Rivalscope is told as such', async () => {
    using page = await stranger({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>hi</h1>' })
    const { rivalscope } = person()
    const { code, err } = await rivalscope([...list, '--server', page.address], { env: env() })
    assert.equal(code, 1)
    assert.match(err, /no answer of Rivalscope/)
    assert.ok(!err.includes(key))
  })

  test('a key over plain http to another machine is warned of', async () => {
    const { rivalscope } = person()
    const { code, err } = await rivalscope([...list, '--server', 'http://rivalscope.invalid'], { env: env() })
    assert.equal(code, 1)
    assert.match(err, /warning: the key goes to rivalscope\.invalid over plain http/)
    const near = await rivalscope([...list, '--server', server], { env: env() })
    assert.deepEqual([near.code, near.err], [0, ''])
  })
})
