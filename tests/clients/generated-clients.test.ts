import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from '../support/files.ts'
import { address, authorization, run, runFile } from './service.ts'

/** A program that makes a client of the document, and how such a client is called. */
interface Generator {
  /** Makes the client in the folder of the document, `openapi.json`. */
  command: readonly [name: string, ...args: string[]]
  files?: Readonly<Record<string, string>>
  /**
   * TypeScript that calls: `page` and `app` are answers to reads, `search` to a POST, and `refusal` is the problem of a read. Their types
   * have to be those of the document.
   */
  calls: string
}

const options = JSON.stringify({ baseUrl: address, headers: { authorization } })

const generators: Readonly<Record<string, Generator>> = {
  'openapi-typescript with openapi-fetch': {
    command: ['openapi-typescript', 'openapi.json', '--default-non-nullable', 'false', '-o', 'made.ts'],
    calls: `
import createClient from 'openapi-fetch'
import type { paths } from './made.ts'
const client = createClient<paths>(${options})
const path = (storeId: string) => ({ params: { path: { platform: 'ios' as const, storeId }, query: { country: 'us' as const } } })
const { data: page } = await client.GET('/v1/organic', { params: { query: { network: ['tiktok', 'youtube'], limit: 2 } } })
const { data: app } = await client.GET('/v1/competitors/{platform}/{storeId}', path('9000000074'))
const { data: search } = await client.POST('/v1/aso/app-search', { body: { term: 'focus timer', limit: 2 } })
const { error: refusal } = await client.GET('/v1/competitors/{platform}/{storeId}', path('1'))`,
  },
  '@hey-api/openapi-ts': {
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'made'],
    calls: `
import { client } from './made/client.gen.ts'
import { getCompetitor, searchIosApps, searchOrganicContent } from './made/sdk.gen.ts'
client.setConfig(${options})
const path = (storeId: string) => ({ path: { platform: 'ios' as const, storeId }, query: { country: 'us' as const } })
const { data: page } = await searchOrganicContent({ query: { network: ['tiktok', 'youtube'], limit: 2 } })
const { data: app } = await getCompetitor(path('9000000074'))
const { data: search } = await searchIosApps({ body: { term: 'focus timer', limit: 2 } })
const { error: refusal } = await getCompetitor(path('1'))`,
  },
  orval: {
    command: ['orval', '--config', 'orval.config.json'],
    files: {
      'orval.config.json': JSON.stringify({
        made: { input: './openapi.json', output: { target: './made.ts', client: 'fetch', baseUrl: address } },
      }),
    },
    calls: `
import { getCompetitor, searchIosApps, searchOrganicContent } from './made.ts'
const given = ${JSON.stringify({ headers: { authorization } })}
const right = <Reply extends { status: number }>(reply: Reply) => {
  if (reply.status !== 200) throw new Error(JSON.stringify(reply))
  return reply as Extract<Reply, { status: 200 }>
}
const { data: page } = right(await searchOrganicContent({ network: ['tiktok', 'youtube'], limit: 2 }, given))
const { data: app } = right(await getCompetitor('ios', '9000000074', { country: 'us' }, given))
const { data: search } = right(await searchIosApps({ term: 'focus timer', limit: 2 }, given))
const refused = await getCompetitor('ios', '1', { country: 'us' }, given)
const refusal = refused.status === 404 ? refused.data : undefined`,
  },
  oazapfts: {
    command: ['oazapfts', 'openapi.json', 'made.ts'],
    calls: `
import { defaults, getCompetitor, searchIosApps, searchOrganicContent } from './made.ts'
Object.assign(defaults, ${options})
const right = <Reply extends { status: number }>(reply: Reply) => {
  if (reply.status !== 200) throw new Error(JSON.stringify(reply))
  return reply as Extract<Reply, { status: 200 }>
}
const { data: page } = right(await searchOrganicContent({ network: ['tiktok', 'youtube'], limit: 2 }))
const { data: app } = right(await getCompetitor('ios', '9000000074', { country: 'us' }))
const { data: search } = right(await searchIosApps({ term: 'focus timer', limit: 2 }))
const refused = await getCompetitor('ios', '1', { country: 'us' })
const refusal = refused.status === 404 ? refused.data : undefined`,
  },
}

/** What follows the calls: it compiles only where the types are those of the document. */
const judged = `
type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Of<Value, Name extends string> = Value extends { [N in Name]?: infer Part } ? Part : never
const nextIsTextOrNull: Same<Of<NonNullable<typeof page>, 'nextCursor'>, string | null> = true
const nameIsTextOrNull: Same<Of<NonNullable<typeof app>, 'name'>, string | null> = true
const codeIsText: string | undefined = refusal?.code
console.log(JSON.stringify({
  posts: page?.items.length,
  name: app?.name,
  found: search?.items.length,
  code: codeIsText,
  checked: nextIsTextOrNull && nameIsTextOrNull,
}))
`

const folders = new DisposableStack()
after(() => folders.dispose())
let document: string
before(async () => {
  document = await (await fetch(`${address}/openapi.json`)).text()
})

const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const tsconfig = {
  compilerOptions: {
    ...{
      strict: true,
      module: 'nodenext',
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
    },
    ...{ rewriteRelativeImportExtensions: true, skipLibCheck: true, outDir: 'out' },
  },
  files: ['calls.ts'],
}

for (const [name, { command, files = {}, calls }] of Object.entries(generators))
  test(`the client that ${name} makes compiles without a warning, has the types of the document, and calls`, async () => {
    const { path: cwd, write } = folders.use(openFolder())
    symlinkSync(fileURLToPath(new URL('node_modules', import.meta.url)), join(cwd, 'node_modules'))
    write('package.json', '{ "type": "module" }')
    write('openapi.json', document)
    write('tsconfig.json', JSON.stringify(tsconfig))
    write('calls.ts', calls + judged)
    for (const [file, text] of Object.entries(files)) write(file, text)
    const [program, ...args] = command
    const made = await run(program, args, { cwd })
    assert.equal(made.code, 0, made.out + made.err)
    assert.doesNotMatch(made.out + made.err, /warn/i)
    const compiled = await runFile([tsc, '-p', '.'], { cwd })
    assert.equal(compiled.code, 0, compiled.out)
    const { out, err } = await runFile(['out/calls.js'], { cwd })
    assert.deepEqual(
      JSON.parse(out || '{}'),
      { posts: 2, name: 'Patient Bobbin', found: 2, code: 'competitor-not-found', checked: true },
      err,
    )
  })
