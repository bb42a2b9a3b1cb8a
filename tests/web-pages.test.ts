import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { renameSync, rmSync } from 'node:fs'
import { type IncomingHttpHeaders, request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { pagePrefixes, webPages } from '../src/http/web-pages.ts'
import { welcomeRoute } from '../src/http/welcome.ts'
import { openFolder } from './support/files.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
const place = '<script id="session" type="application/json">null</script>'
const style = 'body{margin:0}'
const shellWith = (title: string) =>
  `<!doctype html><meta property="csp-nonce" content="{{nonce}}"><title>${title}</title><style>${style}</style>${place}<script type="module" src="/assets/app-1a2b.js"></script>`
/** As it is served to somebody who is not signed in. */
const pageWith = (title: string) => shellWith(title).replace('>null<', '>{"signedIn":false,"provider":null}<')
const script = `console.log(${JSON.stringify('pages '.repeat(400))})`
folder.write('web/index.html', shellWith('Rivalscope'))
folder.write('web/assets/app-1a2b.js', script)
folder.write('web/assets/app-1a2b.js.br', brotliCompressSync(script))
folder.write('web/assets/app-1a2b.js.gz', gzipSync(script))
folder.write('web/assets/.hidden', 'of nobody')
folder.write('web/files.json', '[]')
folder.write('secret.txt', 'of nobody')
const world = parts.use(await openWorld({ webDirectory: join(folder.path, 'web') }))
const unbuilt = parts.use(await openWorld({ webDirectory: join(folder.path, 'nowhere') }))
after(() => parts.disposeAsync())
const address = await world.server.listen({ host: '127.0.0.1', port: 0 })

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Sends the path as it is written, as no client with manners would. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(address, { path, headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject).end()
  })
/** As it was built. */
const withoutNonce = (page: Buffer) => page.toString().replace(/content="[\w-]{22}"/, 'content="{{nonce}}"')
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('the one page answers at every address of a page, and nowhere else', async () => {
  for (const path of [
    '/',
    ...pagePrefixes,
    '/apps/9000000001?country=jp',
    '/creatives/ads/meta/1/side-by-side',
  ]) {
    const { status, headers, body } = await ask(path, asBrowser)
    assert.equal(status, 200, path)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(withoutNonce(body), pageWith('Rivalscope'))
  }
  for (const path of ['/v2', '/appsandmore', '/index.html', '/files.json', '/session/x', '/assets', '/assets/'])
    assert.equal((await ask(path, asBrowser)).status, 404, path)
  assert.match((await ask('/docs/reference', asBrowser)).body.toString(), /Reference · Rivalscope/)
  assert.equal(JSON.parse((await ask('/v1/charts', asBrowser)).body.toString()).code, 'unauthenticated')
})

test('programs get the list of addresses where browsers get the page', async () => {
  const { headers, body } = await ask('/', { accept: 'application/json' })
  assert.equal(JSON.parse(body.toString()).operations, '/v1')
  assert.equal(headers.vary, 'Accept')
  assert.match(String((await ask('/', asBrowser)).headers.vary), /Accept, Accept-Encoding/)
})

test('the page may run nothing but scripts of this origin, and of inline styles only its own', async () => {
  const { headers, body } = await ask('/apps', asBrowser)
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = String(headers['content-security-policy'])
  const [, nonce = ''] = /'nonce-([\w-]{22})'/.exec(policy) ?? []
  assert.deepEqual(
    policy.split('; ').filter((line) => /^(default|script|style|connect|frame)/.test(line)),
    [
      "default-src 'none'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}' 'sha256-${hash}'`,
      "connect-src 'self'",
      "frame-src 'self'",
      "frame-ancestors 'none'",
    ],
  )
  assert.doesNotMatch(policy, /unsafe|\*|https?:/)
  assert.ok(body.includes(`content="${nonce}"`))
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal(headers['referrer-policy'], 'same-origin')
  assert.match(String(headers['permissions-policy']), /camera=\(\)/)
  assert.equal(headers['cache-control'], 'no-cache, private')
})

test('the page is compressed as the browser allows, and no two answers have one nonce', async () => {
  const plain = pageWith('Rivalscope')
  const brotli = await ask('/apps', { ...asBrowser, 'accept-encoding': 'gzip, deflate, br, zstd' })
  assert.equal(brotli.headers['content-encoding'], 'br')
  const fromBrotli = brotliDecompressSync(brotli.body)
  assert.equal(withoutNonce(fromBrotli), plain)
  const gzipped = await ask('/apps', { ...asBrowser, 'accept-encoding': 'gzip, br;q=0' })
  assert.equal(gzipped.headers['content-encoding'], 'gzip')
  const fromGzip = gunzipSync(gzipped.body)
  assert.equal(withoutNonce(fromGzip), plain)
  assert.notEqual(fromGzip.toString(), fromBrotli.toString())
  const tag = { ...asBrowser, 'accept-encoding': 'br', 'if-none-match': String(brotli.headers.etag) }
  assert.equal((await ask('/apps', tag)).status, 200, 'a page that was kept has a nonce that no longer holds')
  const head = await ask('/apps', asBrowser, 'HEAD')
  assert.deepEqual([head.status, head.body.length], [200, 0])
  assert.equal(head.headers['content-length'], String(fromGzip.length))
})

test('other methods are refused, with those there are', async () => {
  for (const path of ['/apps', '/apps/1', '/']) {
    const { status, headers } = await ask(path, {}, 'POST')
    assert.deepEqual([status, headers.allow], [405, 'GET, HEAD'], path)
  }
})

test('texts in a session cannot end the script that carries them', async () => {
  const hostile = { name: '</script><script>alert(1)</script><!--\u2028 $& $1 &amp;' }
  const server = parts.adopt(Fastify(), (open) => open.close())
  await webPages(server, { directory: join(folder.path, 'web'), sessionOf: async () => hostile })
  const { payload } = await server.inject('/apps')
  const [, json = ''] = /<script id="session" type="application\/json">(.*?)<\/script>/.exec(payload) ?? []
  assert.doesNotMatch(json, /[<>&\u2028]/)
  assert.deepEqual(JSON.parse(json), hostile)
  assert.equal(payload.match(/<script/g)?.length, 2)
})

test('files of the app come compressed as they were built, and may be kept for ever', async () => {
  const brotli = await ask('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br' })
  assert.equal(brotli.status, 200)
  assert.equal(brotli.headers['content-encoding'], 'br')
  assert.match(String(brotli.headers['content-type']), /^(text|application)\/javascript/)
  assert.equal(brotliDecompressSync(brotli.body).toString(), script)
  assert.equal(brotli.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(brotli.headers['x-content-type-options'], 'nosniff')
  assert.match(String(brotli.headers.vary), /accept-encoding/i)
  const gzipped = await ask('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' })
  assert.equal(gunzipSync(gzipped.body).toString(), script)
  const plain = await ask('/assets/app-1a2b.js')
  assert.equal(plain.body.toString(), script)
  const head = await ask('/assets/app-1a2b.js', {}, 'HEAD')
  assert.deepEqual(
    [head.status, head.body.length, head.headers['content-length']],
    [200, 0, String(script.length)],
  )
  const again = await ask('/assets/app-1a2b.js', { 'if-none-match': String(plain.headers.etag) })
  assert.deepEqual([again.status, again.body.length], [304, 0])
})

test('nothing beside the files of the app can be reached through their address', async () => {
  const paths = ['/assets/../index.html', '/assets/../../secret.txt', '/assets/%2e%2e/%2e%2e/secret.txt']
  paths.push('/assets/..%2f..%2fsecret.txt', '/assets/..%5c..%5csecret.txt', '/assets//../files.json')
  paths.push(
    '/assets/%2fetc%2fpasswd',
    '/assets/app-1a2b.js%00.txt',
    '/assets/./../files.json',
    '/assets/.hidden',
  )
  for (const path of paths) {
    const { status, body } = await ask(path)
    assert.ok(status === 404 || status === 400, `${path} answered ${status}`)
    assert.doesNotMatch(body.toString(), /of nobody|root:|<title>|^\[\]$/, path)
  }
})

test('a page that was answered leaves no fault in the log', async () => {
  const logged: string[] = []
  const stream = { write: (line: string) => logged.push(line) }
  await using server = Fastify({ logger: { level: 'warn', stream } })
  welcomeRoute(server, await webPages(server, { directory: join(folder.path, 'web') }))
  const pages = await server.listen({ host: '127.0.0.1', port: 0 })
  for (const path of ['/', '/apps', '/apps/1'])
    assert.match(await (await fetch(`${pages}${path}`, { headers: asBrowser })).text(), /<title>/)
  assert.deepEqual(logged, [])
})

test('a person at an address that is not there sees a page that says so, a program a problem', async () => {
  const page = await ask('/libraries', asBrowser)
  assert.equal(page.status, 404)
  assert.match(page.body.toString(), /<title>/)
  for (const [path, headers] of [
    ['/libraries', {}],
    ['/v1/library', asBrowser],
    ['/assets/none.js', asBrowser],
  ] as const) {
    const { status, body } = await ask(path, headers)
    assert.deepEqual([status, JSON.parse(body.toString()).code], [404, 'route-not-found'], path)
  }
})

test('other words for a page lead there, with what follows them, and never to another host', async () => {
  for (const [from, to] of [
    ['/library', '/creatives/ads'],
    ['/library/meta/12?country=jp', '/creatives/ads/meta/12?country=jp'],
    ['/competitors/9000000001/ranks?country=de', '/apps/9000000001/ranks?country=de'],
    ['/keywords/budget%20planner', '/aso/keywords/budget%20planner'],
    ['/home', '/'],
    ['/home//elsewhere.example', '/'],
    ['/report', '/alerts/report'],
    ['/home/..//elsewhere.example', '/'],
    ['/search//elsewhere.example', '/apps//elsewhere.example'],
  ] as const) {
    const { status, headers } = await ask(from, asBrowser)
    assert.deepEqual([status, headers.location], [302, to], from)
  }
  assert.equal((await ask('/libraryandmore', asBrowser)).status, 404)
  assert.equal((await ask('/library', {}, 'POST')).status, 405)
})

test('a new build is served at once, without a restart', async () => {
  folder.write('web/index.html.new', shellWith('Another build'))
  renameSync(join(folder.path, 'web/index.html.new'), join(folder.path, 'web/index.html'))
  assert.match((await ask('/apps', asBrowser)).body.toString(), /Another build/)
})

test('where the app is not built a page says how it is, until it has been', async () => {
  const before = await unbuilt.request<string>({ url: '/', headers: asBrowser })
  assert.match(before.body, /<code>npm run build<\/code> builds them/)
  const page = await unbuilt.request({ url: '/apps/1', headers: asBrowser })
  assert.deepEqual([page.status, page.body.code], [404, 'route-not-found'])
  assert.match(page.body.detail, /npm run build/)
  const index = folder.write('nowhere/index.html', shellWith('Built at last'))
  assert.match((await unbuilt.request<string>({ url: '/', headers: asBrowser })).body, /Built at last/)
  rmSync(index)
})
