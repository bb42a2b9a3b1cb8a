import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ChangeMarkers } from '../../src/api/changes.ts'
import { contract, type Tool } from '../../src/contract/contract.ts'
import { openFolder } from './files.ts'
import { operate } from './operator.ts'
import type { World } from './world.ts'

/** All calls of one account, by tool. */
export type Calls = Record<Tool, object[]>

/** Every reply of an account, by call and interface: as text, so that every byte is compared. */
export type Snapshot = Map<string, string>

/** Makes all calls over HTTP and MCP, and exports what the account sees. */
export async function snapshotOf(world: World, key: string, account: string, calls: Calls): Promise<Snapshot> {
  const seen: Snapshot = new Map()
  for (const [tool, inputs] of Object.entries(calls) as [Tool, object[]][]) {
    assert.ok(inputs.length > 0, `${tool} is asked nowhere`)
    for (const input of inputs) {
      const name = `${tool} ${JSON.stringify(input)}`
      seen.set(`HTTP ${name}`, await overHttp(world, key, tool, input))
      seen.set(`MCP ${name}`, await overMcp(world, key, tool, input))
    }
  }
  // The door remembers it for two seconds.
  seen.set('HTTP changes {}', await new ChangeMarkers(world.store.db).current())
  for (const method of ['tools/list', 'prompts/list', 'resources/list'])
    seen.set(`MCP ${method}`, readable(await mcp(world, key, method, {})))
  using folder = openFolder()
  for (const kind of ['organic', 'paid-ads', 'saved'] as const) {
    const out = join(folder.path, `${kind}.ndjson`)
    const reported = await operate(world, {
      command: `export ${kind}`,
      options: { out, format: 'ndjson', account },
    })
    assert.equal(reported.code, 0, reported.notes)
    seen.set(`export ${kind}`, readFileSync(out, 'utf8').trim().split('\n').join(',\n'))
  }
  assert.deepEqual(Object.keys(calls).sort(), Object.keys(contract).sort())
  return seen
}

/** The reply to a call over HTTP, as it is compared. */
export async function overHttp(world: World, key: string, tool: Tool, input: object): Promise<string> {
  const { status, body } = await world.call(tool, { ...input }, { key })
  return readable({ status, body: withoutChance(body) })
}

/** The same over MCP. */
export const overMcp = async (world: World, key: string, tool: Tool, input: object): Promise<string> =>
  readable(await mcp(world, key, 'tools/call', { name: tool, arguments: input }))

async function mcp(world: World, key: string, method: string, params: object): Promise<unknown> {
  const { body } = await world.request({
    method: 'POST',
    url: '/mcp',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    payload: { jsonrpc: '2.0', id: 1, method, params },
  })
  return withoutChance(body)
}

const readable = (value: unknown) => JSON.stringify(value, null, 1)

/** Removes values that are new for every call, and those that depend on the clock alone: since when no worker runs. */
function withoutChance(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replaceAll(/pv1\.[\w-]+/g, 'pv1')
      .replaceAll(/Request [-0-9a-f]{36}/g, 'Request')
      .replaceAll(/,?\\?"waitingForWorker\\?":(?:null|\{[^}]*\})/g, '')
      .replaceAll(/(\\?"(?:expiresAt|requestId)\\?":\\?")[^"\\]*/g, '$1'),
  )
}

/** A reply that differs from before. */
export interface Difference {
  door: 'HTTP' | 'MCP' | 'export'
  tool: string
  /** The call and its interface. */
  asked: string
  /** Lines that only one of the two has. */
  lines: string[]
  /** JSON paths that differ, such as `items[].links`; a list of another length differs as a whole. */
  places: string[]
}

export function differences(before: Snapshot, after: Snapshot): Difference[] {
  assert.deepEqual([...after.keys()], [...before.keys()])
  return [...before].flatMap(([asked, text]) => {
    const now = after.get(asked) ?? ''
    if (now === text) return []
    const [old, fresh] = [text.split('\n'), now.split('\n')]
    const [kept, had] = [new Set(fresh), new Set(old)]
    const lines = [
      ...old.filter((line) => !kept.has(line)).map((line) => `- ${line.trim()}`),
      ...fresh.filter((line) => !had.has(line)).map((line) => `+ ${line.trim()}`),
    ]
    const [door = '', tool = ''] = asked.split(' ')
    const places = door === 'export' ? [] : [...new Set(differing(JSON.parse(text), JSON.parse(now), ''))]
    return [{ door: door as Difference['door'], tool, asked, lines, places }]
  })
}

function differing(one: unknown, other: unknown, place: string): string[] {
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
    return one.flatMap((element, index) => differing(element, other[index], `${place}[]`))
  if (isObject(one) && isObject(other))
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
      differing(one[name], other[name], place === '' ? name : `${place}.${name}`),
    )
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [place]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const reported = ({ asked, lines, places }: Difference) =>
  `${asked}: ${places.join(' ')} ${lines.join(' ').slice(0, 300)}`
