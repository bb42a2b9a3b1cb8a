import assert from 'node:assert/strict'
import { request } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { openFolder } from './support/files.ts'
import { openWorld } from './support/world.ts'

const parts = new AsyncDisposableStack()
const folder = parts.use(openFolder())
const long = `<!doctype html><title>Commands</title>${'commands '.repeat(400)}`
folder.write('docs/index.html', '<!doctype html><title>Start</title>')
folder.write('docs/404.html', '<!doctype html><title>Not here</title>')
folder.write('docs/cli.html', long)
folder.write('docs/cli.html.br', brotliCompressSync(long))
folder.write('docs/tutorials/index.html', '<!doctype html><title>Tutorials</title>')
folder.write('docs/tutorials/keyword-gap.html', '<!doctype html><title>Gap</title>')
folder.write('docs/site/app.1a2b.js', 'first()')
folder.write('docs/site/.hidden.js', 'of nobody')
folder.write('docs/files.json', '[]')
folder.write('secret.html', 'of nobody')
const world = parts.use(await openWorld({ documentation: { directory: join(folder.path, 'docs') } }))
const unbuilt = parts.use(await openWorld({ documentation: { directory: join(folder.path, 'nowhere') } }))
after(() => parts.disposeAsync())
const address = await world.server.listen({ host: '127.0.0.1', port: 0 })

/** Sends the path as it is written, as no client with manners would. */
const ask = (path: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(address, { path, headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })
const titleOf = ({ body }: { body: Buffer }) => /<title>(.*?)<\/title>/.exec(body.toString())?.[1]

test('each page answers at its address, folders with their first page, under a policy that allows nothing inline', async () => {
  const pages = { '': 'Start', cli: 'Commands', 'tutorials/': 'Tutorials', 'tutorials/keyword-gap': 'Gap' }
  for (const [path, title] of Object.entries(pages)) {
    const reply = await ask(`/docs/${path}?from=mail`)
    assert.equal(reply.status, 200, path)
    assert.equal(titleOf(reply), title)
    assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(reply.headers['cache-control'], 'no-cache')
    assert.match(
      String(reply.headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    )
    assert.doesNotMatch(String(reply.headers['content-security-policy']), /unsafe|nonce|https?:/)
  }
  const { status, headers } = await ask('/docs')
  assert.deepEqual([status, headers.location], [308, '/docs/'])
})

test('the reference and the problems stand beside it', async () => {
  assert.equal(titleOf(await ask('/docs/reference')), 'Reference · Rivalscope')
  assert.equal(titleOf(await ask('/docs/problems')), 'Problems · Rivalscope')
  assert.equal((await ask('/docs/assets/swagger-ui.css')).status, 200)
})

test('files under names with a hash are kept for good, pages are asked for again by their tag', async () => {
  const script = await ask('/docs/site/app.1a2b.js')
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(String(script.headers['content-type']), /javascript/)
  const first = await ask('/docs/cli')
  const etag = String(first.headers.etag)
  const again = await ask('/docs/cli', { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.status, again.body.length], [304, 0])
  folder.write('docs/cli.html', `${long} and one more`)
  assert.equal((await ask('/docs/cli', { headers: { 'if-none-match': etag } })).status, 200)
  folder.write('docs/cli.html', long)
})

test('HEAD tells what GET would, and pages go out as they were compressed', async () => {
  const { status, headers, body } = await ask('/docs/cli', { method: 'HEAD' })
  assert.deepEqual([status, headers['content-length'], body.length], [200, String(long.length), 0])
  const packed = await ask('/docs/cli', { headers: { 'accept-encoding': 'br' } })
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.equal(brotliDecompressSync(packed.body).toString(), long)
})

test('what is no page is not found, with a page that says so, and nothing beside the pages is served', async () => {
  for (const path of [
    'nothing',
    'tutorials/nothing',
    'cli/',
    'tutorials',
    'index.html',
    'files.json',
    'cli.html.br',
    'CLI',
  ]) {
    const reply = await ask(`/docs/${path}`)
    assert.equal(reply.status, 404, path)
    assert.equal(titleOf(reply), 'Not here', path)
    assert.match(String(reply.headers['content-security-policy']), /^default-src 'none'/)
  }
  for (const path of [
    '../secret',
    '..%2fsecret',
    '%2e%2e/secret',
    '..\\secret',
    'tutorials/../../secret',
    '%00',
    'site/.hidden.js',
    'site/../index.html',
    'site/',
    '%zz',
  ])
    for (const reply of [await ask(`/docs/${path}`), await ask(`/docs/site/${path}`)]) {
      assert.ok([400, 403, 404].includes(reply.status), `${path}: ${reply.status}`)
      assert.doesNotMatch(reply.body.toString(), /of nobody/, path)
    }
})

test('where it has not been built, every address says how to, and the reference is there', async () => {
  for (const path of ['/docs/', '/docs/cli']) {
    const { status, body, headers } = await unbuilt.request({ method: 'GET', url: path })
    assert.equal(status, 404)
    assert.match(String(headers['content-type']), /html/)
    assert.match(
      String(body),
      /has not been built here: <code>npm run docs<\/code>[\s\S]*href="\/docs\/reference"/,
    )
  }
  assert.equal((await unbuilt.request({ method: 'GET', url: '/docs/reference' })).status, 200)
})

test('it is built when it is first asked for: until it is there a page says so and asks again, and no request waits', async () => {
  const site = join(folder.path, 'built-later')
  const begun: string[] = []
  const end = Promise.withResolvers<void>()
  await using later = await openWorld({
    documentation: {
      directory: site,
      build: () => {
        begun.push('a build')
        return end.promise
      },
    },
  })
  const read = (url: string) => later.request({ method: 'GET', url })
  await read('/docs/reference')
  assert.deepEqual(begun, [])
  for (const path of ['/docs/', '/docs/cli']) {
    const { status, body, headers } = await read(path)
    assert.deepEqual([status, headers['retry-after']], [503, '3'])
    assert.match(String(body), /<meta http-equiv="refresh" content="3">[\s\S]*is being built/)
  }
  assert.deepEqual(begun, ['a build'])
  folder.write('built-later/index.html', '<!doctype html><title>Start</title>')
  end.resolve()
  await end.promise
  const { status, body } = await read('/docs/')
  assert.deepEqual([status, /<title>(.*?)</.exec(String(body))?.[1]], [200, 'Start'])
})

test('where it cannot be built, the page says why, and what builds it once that is mended', async () => {
  await using broken = await openWorld({
    documentation: {
      directory: join(folder.path, 'never'),
      build: () => Promise.reject(new Error('a dead link in <cli.md>')),
    },
  })
  const read = () => broken.request({ method: 'GET', url: '/docs/' })
  await read()
  const { status, body } = await read()
  assert.equal(status, 503)
  assert.match(String(body), /a dead link in &#60;cli\.md&#62;[\s\S]*npm run docs/)
})
