import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { lint, loadConfig } from '@redocly/openapi-core'
import openapiTS, { astToString } from 'openapi-typescript'
import { z } from 'zod'
import { areas, contract } from '../src/contract/contract.ts'
import { flatArgumentsShape } from '../src/contract/flat-arguments.ts'
import type { Operation } from '../src/contract/operation.ts'
import {
  addressProblems,
  bodyProblems,
  commonProblems,
  draftProblems,
  fileImportProblems,
  idempotencyProblems,
  keyProblems,
  mcpProblems,
  operatingProblems,
  type ProblemCode,
  problems,
} from '../src/contract/problems.ts'
import { compileNormaliser, compileQueryReader } from '../src/contract/query-text.ts'
import { replyPathsOf } from '../src/contract/reply-paths.ts'
import { Problem } from '../src/contract/shapes/problem.ts'
import { type OpenApiParameter, openApiDocument } from '../src/http/openapi.ts'
import { problemExample } from '../src/http/openapi-replies.ts'
import { renderShapes, type Schema } from '../src/http/openapi-shapes.ts'
import { openFolder } from './support/files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const rows: [tool: string, row: Operation][] = Object.entries(contract)
const run = promisify(execFile)

test('a number that a model made is never called measured, and one that is counted never estimated', async () => {
  const results = join(root, 'docs/models/results')
  const counted = new Set<string>()
  for (const name of await readdir(results)) {
    const { outcome } = JSON.parse(await readFile(join(results, name), 'utf8'))
    if (outcome.state === 'definition') counted.add(name.replace(/\.json$/, ''))
  }
  const seen = { measured: 0, estimated: 0 }
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { state, formula, version } = value as Record<string, unknown>
    const model = typeof state === 'string' && String(formula ?? version ?? '').match(/^([a-z-]+)\/\d/)?.[1]
    if (model && (state === 'measured' || state === 'estimated')) {
      assert.equal(state, counted.has(model) ? 'measured' : 'estimated', `${place}: ${model}`)
      seen[state] += 1
    }
    for (const [name, part] of Object.entries(value)) look(part, `${place}.${name}`)
  }
  for (const [tool, { example }] of rows) look(example, tool)
  assert.ok(seen.measured > 5 && seen.estimated > 20, JSON.stringify(seen))
})

test('the checked-in reference says what the contract says', async () => {
  await program('scripts/write-reference.ts', ['--check'])
})

test('the OpenAPI document passes the recommended rules of Redocly without a warning', async () => {
  const config = await loadConfig({ configPath: join(root, 'redocly.yaml') })
  const found = await lint({ ref: join(root, 'docs/api/openapi.json'), config })
  assert.deepEqual(
    found.slice(0, 10).map(({ message, location }) => `${location[0]?.pointer}: ${message}`),
    [],
  )
})

test('the OpenAPI document makes a client whose types hold', async () => {
  using opened = openFolder()
  const folder = opened.path
  const document = JSON.stringify(openApiDocument())
  // Without this the tool demands every property of a body that has a default.
  const types = await openapiTS(document, { defaultNonNullable: false })
  await writeFile(join(folder, 'rivalscope.ts'), astToString(types))
  await writeFile(join(folder, 'sample.ts'), sampleOfClient)
  const settings = {
    strict: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: [],
    exactOptionalPropertyTypes: true,
    allowImportingTsExtensions: true,
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: settings, files: ['sample.ts'] }),
  )
  await program(join(root, 'node_modules/typescript/bin/tsc'), ['-p', folder])
})

const sampleOfClient = `
import type { components, operations, paths } from './rivalscope.ts'

const query: operations['search_competitors']['parameters']['query'] = { q: 'tea', country: 'de', limit: 5 }
export const wanted: operations['request_competitor_data']['requestBody']['content']['application/json'] = { kinds: ['aso'] }
// @ts-expect-error there is no such kind
export const unknown: operations['request_competitor_data']['requestBody']['content']['application/json'] = { kinds: ['x'] }

type Search = paths['/v1/competitors']['get']['responses']
export async function prices(base: string, key: string): Promise<(number | string)[]> {
  const url = new URL('/v1/competitors?' + new URLSearchParams(Object.entries(query ?? {}).map(([k, v]) => [k, String(v)])), base)
  const response = await fetch(url, { headers: { authorization: 'Bearer ' + key } })
  if (!response.ok) {
    const problem = (await response.json()) as Search[400]['content']['application/problem+json']
    const code: 'invalid-request' | 'invalid-cursor' = problem.code
    throw new Error(code + problem.detail + (problem.errors?.[0]?.pointer ?? ''))
  }
  const page = (await response.json()) as Search[200]['content']['application/json']
  return page.items.map(priceOf)
}

function priceOf(app: components['schemas']['AppSummary']): number | string {
  switch (app.price.state) {
    case 'measured':
      return app.price.value.amount
    case 'absent':
      return app.evidence[app.price.evidence]?.observedAt ?? ''
    case 'not-measured':
      return app.price.reason
  }
}
`

const csv = join(root, '../shared/spec/operations.csv')
const noCsv = existsSync(csv) ? false : 'the folder ../shared with operations.csv is not here'

test('the operations are those of operations.csv, tool, address, scope and area', { skip: noCsv }, async () => {
  const [, ...lines] = (await readFile(csv, 'utf8')).trim().split(/\r?\n/)
  const ours = Object.entries(areas).flatMap(([area, { operations }]) =>
    Object.entries<Operation>(operations).map(([tool, { method, path, scope }]) =>
      [area, method, path, scope, tool].join(','),
    ),
  )
  assert.deepEqual(ours.sort(), lines.sort())
})

test('no two operations share a tool name or an address', () => {
  const tools = Object.values(areas).flatMap(({ operations }) => Object.keys(operations))
  assert.deepEqual(repeated(tools), [])
  assert.deepEqual(repeated(rows.map(([, { method, path }]) => `${method} ${path}`)), [])
})

test('the parameters of a path are the ones its row describes', () => {
  for (const [tool, row] of rows) {
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(inPath, Object.keys(row.params?.shape ?? {}), tool)
  }
})

test('no field name appears twice across params, query and body of one operation', () => {
  const twice = rows.flatMap(([tool, { params, query, body }]) =>
    repeated([params, query, body].flatMap((part) => Object.keys(part?.shape ?? {}))).map(
      (name) => `${tool} ${name}`,
    ),
  )
  assert.deepEqual(twice, [])
})

test('what is shown of a list at a glance is in its items, and in the words of the example too', () => {
  for (const [tool, { reply, list, example }] of rows) {
    if (!list) continue
    assert.ok(reply?.shape[list.at] instanceof z.ZodArray, tool)
    for (const path of list.leavesOut ?? [])
      assert.ok(replyPathsOf(reply).at(path.split('.')), `${tool} ${path}`)
    for (const path of list.summaryColumns)
      assert.ok(replyPathsOf(reply).at([list.at, ...path.split('.')]), `${tool} ${path}`)
    assert.ok(Array.isArray(example.reply?.[list.at]), tool)
  }
})

test('what arguments point to is a list of the reply, and what is left out for it is in the reply too', () => {
  for (const [tool, { reply, focus, query }] of rows) {
    if (!focus) continue
    const paths = replyPathsOf(...(reply ? [reply] : []))
    for (const name of focus.givenBy) assert.ok(query?.shape[name], `${tool} ${name}`)
    for (const path of focus.summaryColumns)
      assert.ok(paths.at([focus.at, ...path.split('.')]), `${tool} ${path}`)
    for (const name of focus.leavesOut ?? []) assert.ok(paths.at(name.split('.')), `${tool} ${name}`)
  }
})

test('what a reply without a list leaves out at a glance is in it', () => {
  for (const [tool, { reply, list, leavesOut }] of rows) {
    if (!leavesOut) continue
    assert.ok(reply && !list, tool)
    for (const path of leavesOut) assert.ok(replyPathsOf(reply).at(path.split('.')), `${tool} ${path}`)
  }
})

test('accepted work is shown by an operation whose arguments the call and its reply can give', () => {
  for (const [tool, { ending, shownBy, reply, ...parts }] of rows) {
    assert.equal(shownBy !== undefined, ending === 'accept', tool)
    if (!shownBy) continue
    const shows: Operation | undefined = contract[shownBy.tool as keyof typeof contract]
    const state = shows?.reply && replyPathsOf(shows.reply).at(shownBy.at ? [shownBy.at] : [])
    assert.ok(state?.at(['status']) && state.at(['finishedAt']), tool)
    const given = [
      ...Object.keys(reply?.shape ?? {}),
      ...Object.keys(flatArgumentsShape({ ending, ...parts } as Operation).shape),
    ]
    const { params, body } = shows as Operation
    for (const name of Object.keys({ ...params?.shape, ...body?.shape }))
      assert.ok(given.includes(name), `${tool} ${name}`)
  }
})

test('no shape name has two shapes', () => {
  assert.doesNotThrow(renderShapes)
})

test('every problem a row names exists, none is named twice or for every operation already', () => {
  for (const [tool, row] of rows) {
    const named: readonly ProblemCode[] = [
      ...row.problems,
      ...commonProblems,
      ...idempotencyProblems,
      ...bodyProblems,
    ]
    assert.deepEqual(
      named.filter((code) => !(code in problems)),
      [],
      tool,
    )
    assert.deepEqual(repeated(named), [], tool)
  }
})

test('every problem of the table is used, and documented', async () => {
  const used = new Set<string>([
    ...commonProblems,
    ...idempotencyProblems,
    ...bodyProblems,
    ...addressProblems,
    ...mcpProblems,
    ...keyProblems,
    ...draftProblems,
    ...fileImportProblems,
    ...operatingProblems,
  ])
  for (const [, row] of rows) for (const code of row.problems) used.add(code)
  assert.deepEqual(
    Object.keys(problems).filter((code) => !used.has(code)),
    [],
  )
  const page = await readFile(join(root, 'docs/api/problems.md'), 'utf8')
  assert.deepEqual(
    Object.keys(problems).filter((code) => !page.includes(`\n## ${code}\n`)),
    [],
  )
})

test('every problem has the shape of a problem', () => {
  for (const code of Object.keys(problems) as ProblemCode[])
    assert.deepEqual(Problem.parse(problemExample(code)), problemExample(code))
})

test('a list parameter takes one value and several', () => {
  let lists = 0
  for (const [tool, row] of rows) {
    if (!row.query) continue
    const read = compileQueryReader(row.query)
    for (const parameter of operation(row).parameters ?? []) {
      if (!('name' in parameter) || parameter.schema.type !== 'array') continue
      lists += 1
      const name = parameter.name
      const [one, other] = valuesFor(name, row)
      assert.ok(one && other, `${tool} ${name}: no values known to try`)
      assert.deepEqual(row.query.parse(read({ [name]: one }))[name], [one], `${tool} ${name}`)
      assert.deepEqual(row.query.parse(read({ [name]: [one, other] }))[name], [one, other], `${tool} ${name}`)
    }
  }
  assert.ok(lists > 0)
})

test('what callers send can be read from text and brought to its normal form', () => {
  for (const [, row] of rows) {
    if (row.params) compileQueryReader(row.params)
    if (row.query) compileQueryReader(row.query)
    for (const part of [row.params, row.query, row.body]) if (part) compileNormaliser(part)
  }
})

test('programs that make clients of the document read every type: a date is a text, a choice of types is no list', () => {
  const lists: string[] = []
  const untyped: string[] = []
  const look = (value: unknown, at: string) => {
    if (typeof value !== 'object' || value === null) return
    const { type, allOf, pattern } = value as Schema
    if (Array.isArray(type)) lists.push(at)
    if (pattern !== undefined && type !== 'string') untyped.push(at)
    if (Array.isArray(allOf) && !allOf.some((one) => '$ref' in one)) untyped.push(at)
    for (const [name, part] of Object.entries(value)) look(part, `${at}/${name}`)
  }
  const { paths, components } = openApiDocument()
  look({ paths, components }, '')
  assert.deepEqual([lists, untyped], [[], []])
  assert.equal(components.schemas.Day?.format, 'date')
})

test('every parameter says what it means', () => {
  const silent = rows.flatMap(([tool, row]) =>
    (operation(row).parameters ?? []).flatMap((parameter) =>
      'name' in parameter && parameter.description === '' ? [`${tool} ${parameter.name}`] : [],
    ),
  )
  assert.deepEqual(silent, [])
})

test('every parameter has an example that its row accepts, an empty one where it means one reply', () => {
  for (const [tool, row] of rows)
    for (const parameter of operation(row).parameters ?? []) {
      const { name, in: place, example, examples } = resolved(parameter)
      const value = example ?? (examples as { usual?: { value: unknown } } | undefined)?.usual?.value
      assert.notEqual(value, undefined, `${tool} ${name}`)
      assert.equal(example === '', name === 'cursor', `${tool} ${name}`)
      if (place === 'header') continue
      const shape = (place === 'path' ? row.params : row.query)?.shape[name] as z.ZodType | undefined
      assert.ok(shape?.safeParse(value).success, `${tool} ${name}: ${JSON.stringify(value)}`)
    }
})

test('every operation has a sample for the terminal and one for programs', () => {
  for (const [tool, row] of rows)
    assert.deepEqual(
      operation(row)['x-codeSamples'].map(({ lang }) => lang),
      ['Shell', 'TypeScript'],
      tool,
    )
})

test('the document guides through what every caller has to know, and every heading has its text', () => {
  const [, ...sections] = String(openApi.info.description).split(/^## /m)
  const titles = sections.map((section) => section.split('\n')[0])
  for (const title of ['Authentication', 'Limits', 'Pagination', 'Idempotency', 'Errors', 'Versioning'])
    assert.ok(titles.includes(title), title)
  for (const section of sections) assert.ok(section.length > 200, section)
})

test('a reply to a repeated POST is marked, and the mark is declared', () => {
  for (const [tool, row] of rows)
    for (const [status, reply] of Object.entries(operation(row).responses)) {
      if (status >= '300') continue
      const declared = 'Idempotency-Replayed' in (reply.headers as object)
      assert.equal(declared, row.method === 'POST', `${tool} ${status}`)
    }
})

test('all work has an id', () => {
  for (const [tool, { ending, reply }] of rows) if (ending === 'accept') assert.ok(reply?.shape.workId, tool)
  for (const [name, { properties = {} }] of Object.entries(openApi.components.schemas))
    if (properties.attempts && properties.status) assert.ok(properties.workId, name)
})

test('no field is called after spend, onboarding, search volume or their like', () => {
  const banned = /spend|impression|onboarding|search.?volume|\bvolume\b|popularity|traffic|budget/i
  assert.deepEqual(
    namesIn(openApiDocument()).filter((name) => banned.test(name)),
    [],
  )
})

for (const [tool, row] of rows)
  test(`the example of ${tool} has the shapes of its row`, () => {
    for (const part of ['params', 'query', 'body'] as const) {
      const example = row.example[part] ?? {}
      assert.ok(row[part] || !row.example[part], `${part} has an example but no shape`)
      assert.deepEqual({ ...row[part]?.parse(example), ...example }, row[part]?.parse(example) ?? {}, part)
    }
    assert.deepEqual(row.reply?.parse(row.example.reply), row.example.reply)
    assert.equal(row.reply === undefined, row.ending === 'remove', 'only removals answer nothing')
  })

test('what an operation does fits its method', () => {
  for (const [tool, { method, ending, body, scope }] of rows) {
    if (method === 'GET') assert.equal(ending, 'read', tool)
    if (method === 'GET' || method === 'DELETE') assert.equal(body, undefined, tool)
    assert.equal(ending === 'remove', method === 'DELETE', tool)
    if (method !== 'GET') assert.equal(scope, 'content:write', tool)
  }
})

function operation(row: Operation) {
  const found = openApi.paths[row.path]?.[row.method.toLowerCase()]
  assert.ok(found, `${row.method} ${row.path} is not in the document`)
  return found
}

const openApi = openApiDocument()

function resolved(parameter: OpenApiParameter | { $ref: string }): OpenApiParameter {
  if (!('$ref' in parameter)) return parameter
  return openApi.components.parameters?.[String(parameter.$ref).split('/').at(-1) ?? ''] as OpenApiParameter
}

/** Two values that the elements of a list parameter accept. */
function valuesFor(name: string, row: Operation): string[] {
  const words = schemaOf(name, row).items?.enum ?? []
  const tries = [...words.map(String), '1', '2', 'en', 'de', 'install-now', 'shop-now']
  return tries.filter((value) => row.query?.safeParse({ [name]: [value] }).success)
}

function schemaOf(name: string, row: Operation): Schema {
  const parameter = (operation(row).parameters ?? []).find((one) => 'name' in one && one.name === name)
  assert.ok(parameter && 'schema' in parameter)
  const reference = parameter.schema.items?.$ref?.split('/').at(-1)
  return reference ? { items: openApi.components.schemas[reference] ?? {} } : parameter.schema
}

/** Names of all properties and parameters in a document. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { properties, name } = value as Record<string, unknown>
  const own = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const parameter = typeof name === 'string' && 'in' in value ? [name] : []
  return [...own, ...parameter, ...Object.values(value).flatMap(namesIn)]
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}

/** Runs a program with this very Node, whatever the machine's own is; fails with what it said. */
async function program(file: string, args: string[]): Promise<{ stdout: string }> {
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return run(process.execPath, [file, ...args], { cwd: root, env: environment, maxBuffer: 1 << 26 }).catch(
    (error) => assert.fail(`${error.stderr || ''}${error.stdout || error.message}`.slice(0, 4000)),
  )
}
