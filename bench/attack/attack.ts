import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { dice } from '../../sample/dice.ts'
import { makeDataDirectory } from '../../src/storage/testing.ts'
import { playedSources, startApple } from '../../tests/support/apple.ts'
import { runProcess, start } from '../../tests/support/command-line.ts'
import { openFolder } from '../../tests/support/files.ts'
import { givePosts } from '../../tests/support/power/given-files.ts'
import { percentile, print, printTable } from '../figures.ts'
import { type Schema, Values, written } from './values.ts'

/**
 * Calls that nobody should make, drawn from the contract: wrong types, texts of a megabyte, runs of marks, forged cursors, deep
 * nesting, over HTTP and MCP, eight at a time. Reports every internal error, every answer that the contract does not declare,
 * and every period in which the service blocked all other requests.
 *
 *   bin/node bench/attack/attack.ts --calls 50000
 */
const { values: options } = parseArgs({
  options: {
    calls: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    /** Part of the calls that agents make. */
    mcp: { type: 'string', default: '0.2' },
  },
})

interface Parameter {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
  example?: unknown
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, unknown>
}

const document = JSON.parse(readFileSync(new URL('../../docs/api/openapi.json', import.meta.url), 'utf8'))
const operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
)
const draws = dice(options.seed, 'attack')
const values = new Values(draws, document.components.schemas)

using folder = openFolder()
await using apple = await startApple()
const dataDir = join(folder.path, 'store')
await makeDataDirectory(dataDir)
const config = folder.write(
  'rivalscope.json',
  JSON.stringify({ sources: playedSources(apple, { timeoutSeconds: 2 }) }),
)
const location = ['--data-dir', dataDir]
const made = await runProcess([
  'keys',
  'create',
  '--name',
  'a',
  '--scopes',
  'context:read,content:write',
  ...location,
])
const key = made.out.trim()
if (made.code !== 0) throw new Error(made.err)
await runProcess(['import', 'organic', givePosts(folder.path), ...location], { cwd: folder.path })
await using service = start(
  ['serve', ...location, '--config', config, '--port', '0', '--rate-limit', '0', '--log-level', 'error'],
  { env: { NODE_OPTIONS: `--import=${new URL('stall-watch.ts', import.meta.url)}` } },
)
const [, address = ''] = await service.says(/^ready (http\S+)$/m)
const stallsBefore = stalls().length

const faults = new Map<string, { count: number; example: string }>()
const answers = new Map<string, number>()
const times: number[] = []
let left = Number(options.calls)
const began = performance.now()
await Promise.all(Array.from({ length: 8 }, attack))

const seconds = (performance.now() - began) / 1000
const found = stalls().slice(stallsBefore)
print(`seed ${options.seed}: ${options.calls} calls in ${seconds.toFixed(0)} s`)
printTable(
  ['answers', 'calls'],
  [...answers].sort(([, one], [, other]) => other - one),
)
print(
  `milliseconds of a call: ${percentile(times, 0.5).toFixed(0)} at the median, ${percentile(times, 0.99).toFixed(0)} of 99 %, ${Math.max(...times).toFixed(0)} at most`,
)
print(`stretches over 100 ms of processor time: ${found.length}, the longest ${Math.max(0, ...found)} ms`)
for (const [what, { count, example }] of faults) print(`FAULT ${count} times ${what}\n  ${example}`)
const log = service.said.err.split('\n').filter((line) => !/^stall |^$/.test(line))
print(`lines of errors in the log: ${log.length}${log[0] ? `, the first ${log[0].slice(0, 600)}` : ''}`)
process.exitCode = faults.size > 0 || found.some((ms) => ms > 250) ? 1 : 0

function stalls(): number[] {
  return [...service.said.err.matchAll(/^stall (\d+) ms$/gm)].map(([, ms]) => Number(ms))
}

async function attack(): Promise<void> {
  while (left-- > 0) {
    const operation = draws.pick(operations)
    const since = performance.now()
    if (draws.chance(Number(options.mcp))) await callTool(operation)
    else await callRoute(operation)
    times.push(performance.now() - since)
  }
}

function fault(what: string, example: string): void {
  const known = faults.get(what)
  if (known) known.count++
  else faults.set(what, { count: 1, example: example.slice(0, 700) })
}

function counted(answer: string): void {
  answers.set(answer, (answers.get(answer) ?? 0) + 1)
}

function inputOf({ parameters = [], requestBody }: Operation) {
  const parts: Record<'path' | 'query' | 'header', Record<string, unknown>> = {
    path: {},
    query: {},
    header: {},
  }
  for (const stated of parameters) {
    const parameter: Parameter = stated.$ref
      ? document.components.parameters[stated.$ref.split('/').at(-1) ?? '']
      : stated
    if (!parameter.required && parameter.in !== 'path' && !draws.chance(0.35)) continue
    const { schema, example } = parameter
    const shown = example !== undefined && draws.chance(0.5) ? example : values.of(schema)
    parts[parameter.in][parameter.name] = /cursor/i.test(parameter.name) ? values.forged() : shown
  }
  const schema = requestBody?.content['application/json'].schema
  return { ...parts, body: schema && !draws.chance(0.03) ? values.of(schema, 0.15) : undefined }
}

async function callRoute(operation: (typeof operations)[number]): Promise<void> {
  const { path, query, header, body } = inputOf(operation)
  const shown = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
  const at = operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(shown(path[name]).slice(0, 8_000)))
  const search = Object.entries(query)
    .map(([name, value]) => `${name}=${encoded(shown(value).slice(0, 8_000))}`)
    .join('&')
  const text = body === undefined ? undefined : written(body)
  const example = `${operation.method} ${at.slice(0, 200)}?${search.slice(0, 200)} ${text?.slice(0, 250) ?? ''}`
  const extra = Object.entries(header).map(([name, value]) => [
    name,
    shown(value)
      .replace(/[^\x21-\x7e]/g, '')
      .slice(0, 500),
  ])
  try {
    const response = await fetch(`${address}${at}?${search}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(extra),
      },
      ...(text === undefined || operation.method === 'GET' ? {} : { body: text }),
    })
    const reply = await response.text()
    counted(String(response.status))
    remember(reply)
    if (response.status === 500) fault(`500 of ${operation.operationId}`, `${example}\n  ${reply}`)
    // A path that was broken out of is another route's, or nobody's.
    else if (
      !(response.status in operation.responses) &&
      !(response.status === 404 && /route|path/i.test(reply))
    )
      fault(`${response.status} of ${operation.operationId} is not declared`, `${example}\n  ${reply}`)
    else if (response.status >= 400 && !/problem\+json/.test(response.headers.get('content-type') ?? ''))
      fault(`${response.status} of ${operation.operationId} is no problem document`, `${example}\n  ${reply}`)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    counted(`broken off: ${cause}`)
    // A body over the limit is refused before it is read, and the connection with it.
    if ((text?.length ?? 0) < 900_000) fault(`broken off: ${operation.operationId} ${cause}`, example)
  }
}

async function callTool(operation: Operation): Promise<void> {
  const { path, query, body } = inputOf(operation)
  const input = { ...path, ...query, ...(typeof body === 'object' && !Array.isArray(body) ? body : {}) }
  const message = {
    jsonrpc: '2.0',
    id: draws.between(1, 1_000),
    method: 'tools/call',
    params: { name: operation.operationId, arguments: draws.chance(0.03) ? values.hostile() : input },
  }
  const text = written(message) ?? ''
  const response = await fetch(`${address}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: text,
  }).catch((error: unknown) => fault('broken off: mcp', `${String(error)} ${text.slice(0, 300)}`))
  if (!response) return
  const reply = await response.text()
  counted(`mcp ${response.status}`)
  remember(reply)
  if (response.status >= 500 || /"code":"internal|-32603/.test(reply))
    fault(`mcp ${operation.operationId}`, `${text.slice(0, 300)}\n  ${reply}`)
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Keeps what looks like an id, a cursor or a token for later calls. */
function remember(reply: string): void {
  if (values.seen.length > 3_000) values.seen.splice(0, 1_000)
  for (const [, found] of reply
    .slice(0, 200_000)
    .matchAll(
      /"(?:nextCursor|appId|runId|keywordId|requestId|intakeId|previewToken|archiveId|storeId)":"([^"]+)"/g,
    ))
    if (found && draws.chance(0.1)) values.seen.push(found)
}
