import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { ExportKind } from '../../src/exports/run-export.ts'
import type { Folder } from './files.ts'
import { operate } from './operator.ts'
import type { Input, Item, World } from './world.ts'

export const asLines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Exports the store to a file whose name gives its format. @returns its path */
export async function takenOut(world: World, kind: ExportKind, folder: Folder, name: string): Promise<string> {
  const out = join(folder.path, name)
  const { code, notes } = await operate(world, { command: `export ${kind}`, options: { out } })
  assert.deepEqual([code, notes], [0, ''])
  return out
}

type Tool = 'search_organic_content' | 'search_paid_ads'

/** All items of a list. */
export async function listed<T extends Tool>(world: World, tool: T, more: Input<T> = {}) {
  const items: Item<T>[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { body } = await world.call<Tool>(tool, { ...more, limit: 100, ...(cursor ? { cursor } : {}) })
    assert.ok(body.items, JSON.stringify(body))
    items.push(...(body.items as object as Item<T>[]))
    cursor = body.nextCursor ?? null
  }
  return items
}

interface Place {
  source: string
  observedAt: string
}

const timeOf = ({ source, observedAt }: Place) => (source === 'derived' ? `${observedAt} derived` : observedAt)

/**
 * A reply as expected after its evidence was imported from another file: reading, source, origin and time basis are those
 * of the file. Evidence is identified by its time, and so are references into it.
 */
export function toldAgain(reply: unknown, around: readonly Place[] = []): unknown {
  if (Array.isArray(reply)) return reply.map((part) => toldAgain(part, around))
  if (typeof reply !== 'object' || reply === null) return reply
  const { evidence } = reply as { evidence?: unknown }
  const places: readonly Place[] = Array.isArray(evidence) ? evidence : around
  return Object.fromEntries(
    Object.entries(reply).map(([name, part]) => {
      if (name !== 'evidence') return [name, toldAgain(part, places)]
      if (Array.isArray(part)) return [name, [...new Set(places.map(timeOf))].sort()]
      const place = typeof part === 'number' ? places[part] : undefined
      return [name, place ? timeOf(place) : part]
    }),
  )
}
