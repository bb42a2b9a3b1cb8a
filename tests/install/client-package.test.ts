import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openBrowser, skip } from '../support/browser.ts'
import { openFolder } from '../support/files.ts'
import { importNewestSample } from '../support/sample.ts'
import { openScriptedServer } from '../support/scripted-server.ts'
import { openWorld, type World } from '../support/world.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
/** A project of somebody else, who has the package and nothing that it is built from. */
const project = parts.use(openFolder())
let world: World
let server: string
let key: string
let page: Awaited<ReturnType<typeof openScriptedServer>>
before(async () => {
  page = parts.use(await openScriptedServer())
  page.plays((reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<p>A page.</p>'))
  world = parts.use(await openWorld({ works: true, corsOrigins: [page.address.slice(0, -1)] }))
  await importNewestSample(world.store.db, '2026-11-17')
  server = await world.server.listen({ host: '127.0.0.1', port: 0 })
  key = await world.key(undefined, 'demo')
  await run(process.execPath, ['scripts/build-client.ts'], { cwd: root })
  const installed = join(project.path, 'node_modules/rivalscope')
  await mkdir(installed, { recursive: true })
  await cp(join(root, 'package.json'), join(installed, 'package.json'))
  await cp(join(root, 'dist'), join(installed, 'dist'), { recursive: true })
  await mkdir(join(project.path, 'node_modules/@types'))
  for (const needed of ['@types/node', 'undici-types'])
    await cp(await realpath(join(root, 'node_modules', needed)), join(project.path, 'node_modules', needed), {
      recursive: true,
    })
})

const environment = () => ({ ...process.env, RIVALSCOPE_SERVER: server, RIVALSCOPE_KEY: key })
const inProject = (args: string[]) => run(process.execPath, args, { cwd: project.path, env: environment() })

/** The examples of the document: the first is how every other begins. */
async function examples(): Promise<string[]> {
  const document = await readFile(join(root, 'docs/client.md'), 'utf8')
  const [start = '', ...others] = [...document.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code ?? '')
  const beginning = start.slice(0, start.indexOf('\nconst { items'))
  return [start, ...others.map((code) => `${beginning}\n${code}`)]
}

test('the examples of docs/client.md compile in a strict project and run against the sample evidence', async () => {
  const all = await examples()
  assert.equal(all.length, 8)
  for (const [at, code] of all.entries()) project.write(`example-${at}.ts`, `${code}\nexport {}\n`)
  // The types of the package say what the contract says.
  project.write('same.ts', sameTypes)
  project.write('package.json', '{ "type": "module" }')
  project.write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        target: 'es2024',
        module: 'nodenext',
        types: ['node'],
        allowImportingTsExtensions: true,
        resolveJsonModule: true,
      },
      files: [...all.keys()].map((at) => `example-${at}.ts`).concat('same.ts'),
    }),
  )
  const tsc = await realpath(join(root, 'node_modules/typescript/bin/tsc'))
  await inProject([tsc, '-p', '.']).catch(({ stdout }) => assert.fail(stdout))
  for (const at of all.keys()) {
    const { stdout, stderr } = await inProject(['--disable-warning=ExperimentalWarning', `example-${at}.ts`])
    assert.equal(stderr, '', `example ${at}`)
    assert.notEqual(stdout.trim(), '', `example ${at} says something`)
  }
})

const sameTypes = `
import type { Operations as Written, ProblemCode as WrittenCode } from 'rivalscope/client'
import type { Operations as Derived, ProblemCode as DerivedCode } from '${root}src/client/operation-types.ts'
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type Differing = {
  [T in keyof Derived]: T extends keyof Written
    ? { [P in keyof Derived[T]]: P extends keyof Written[T] ? Same<Derived[T][P], Written[T][P]> : false }[keyof Derived[T]] extends true ? never : T
    : T
}[keyof Derived]
export const none: Same<Differing, never> = true
export const tools: Same<keyof Written, keyof Derived> = true
export const codes: Same<WrittenCode, DerivedCode> = true
`

test('the package entry works in plain JavaScript, without anything beside it', async () => {
  project.write(
    'plain.mjs',
    `import { Rivalscope } from 'rivalscope/client'
     const rivalscope = new Rivalscope({ server: process.env.RIVALSCOPE_SERVER, key: process.env.RIVALSCOPE_KEY })
     for await (const { rank } of rivalscope.getAppleCharts({ limit: 3 })) process.stdout.write(rank + ' ')`,
  )
  const { stdout } = await inProject(['plain.mjs'])
  assert.equal(stdout, '1 2 3 ')
})

test('a page imports it from the service, of its own origin or of one that is allowed', { skip }, async () => {
  const browser = await openBrowser()
  try {
    for (const origin of [`${server}/docs/problems`, page.address]) {
      const tab = await browser.newPage()
      await tab.goto(origin)
      const said = await tab.evaluate(
        `(async () => {
          const { Rivalscope } = await import('${server}/client.js')
          const rivalscope = new Rivalscope({ server: '${server}', key: '${key}' })
          const names = []
          for await (const app of rivalscope.searchCompetitors({ q: 'budget', limit: 2 })) if (names.push(app.name) === 5) break
          const saved = await rivalscope.trackAsoApp({ app: '9000000218', country: 'de', role: 'watched' })
          const removed = await rivalscope.removeAsoApp({ appId: saved.appId })
          const problem = await rivalscope.getCompetitor({ storeId: '1' }).catch(({ name, code }) => [name, code])
          const away = await new Rivalscope({ server: 'http://127.0.0.1:4', key: 'k', retries: 0 }).getAppleCharts().catch(({ name, reason }) => [name, reason])
          const pointed = new AbortController()
          const ended = rivalscope.getAppleCharts({}, { signal: pointed.signal }).catch(({ name }) => name)
          pointed.abort()
          return { names: names.length, removed: removed === undefined, problem, away, ended: await ended }
        })()`,
      )
      assert.deepEqual(said, {
        names: 5,
        removed: true,
        problem: ['RivalscopeProblem', 'competitor-not-found'],
        away: ['ServerUnreachable', 'no-connection'],
        ended: 'AbortError',
      })
    }
  } finally {
    await browser.close()
  }
})
