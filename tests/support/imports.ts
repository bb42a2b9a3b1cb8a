import assert from 'node:assert/strict'
import type { ImportRequest } from '../../src/imports/import-request.ts'
import type { ImportSummary } from '../../src/imports/run-import.ts'
import { type Folder, type RejectedLine, rejectedLines } from './files.ts'
import type { World } from './world.ts'

/** What became of an import, and why records were rejected. */
export interface Imported extends ImportSummary {
  lines: RejectedLine[]
  /** `position: reason`, in the order of the file. */
  reasons: string[]
}

/** Imports files; whatever happens, the counts add up, and every rejected record is told with its place and reason. */
export async function importInto(world: World, order: Parameters<World['import']>[0]): Promise<Imported> {
  const summary = await world.import(order)
  const { read, stored, unchanged, rejected } = summary
  assert.equal(read, stored + unchanged + rejected)
  const lines = rejectedLines(summary.rejectedFile)
  assert.equal(lines.length, rejected)
  for (const line of lines) assert.ok(line.file !== '' && line.position !== '' && line.reason !== '')
  return { ...summary, lines, reasons: lines.map(({ position, reason }) => `${position}: ${reason}`) }
}

let files = 0

/**
 * Imports content as a file of its own: what is no text or bytes is written as JSON.
 * @param order as usual; `name` where that of the file matters
 */
export function importContent(
  world: World,
  folder: Folder,
  kind: ImportRequest['kind'],
  content: unknown,
  { name, ...order }: Partial<ImportRequest> & { name?: string } = {},
): Promise<Imported> {
  const isWritten = typeof content === 'string' || content instanceof Uint8Array
  const ending = typeof content === 'string' && !/^\s*[[{]/.test(content) ? 'csv' : 'json'
  const path = folder.write(name ?? `file-${++files}.${ending}`, isWritten ? content : JSON.stringify(content))
  return importInto(world, { kind, paths: [path], observedAt: '2026-03-01', ...order })
}
