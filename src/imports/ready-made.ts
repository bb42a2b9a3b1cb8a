import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Mapping, MappingError, readMapping, valueAt } from '../ingest/mapping/mapping.ts'
import type { Beginning } from './sample.ts'

/** The ready-made mappings that come with Rivalscope, for tables and lists that no format is of. */

interface ReadyMade {
  kind: 'catalogue' | 'organic'
  path: string
  fields: string[]
}

const folder = join(dirname(fileURLToPath(import.meta.resolve('rivalscope/package.json'))), 'docs/maps')

let known: Promise<ReadyMade[]> | undefined

/** A mapping whose columns a table has, or most of whose fields a record has: optional ones may be missing there. */
export async function readyMadeFor({ columns, records }: Beginning): Promise<ReadyMade | undefined> {
  known ??= readAll()
  const fits = (fields: readonly string[]) =>
    columns.length > 0
      ? fields.every((name) => columns.includes(name))
      : fields.filter((path) => valueAt(records[0], path) !== undefined).length >= 0.8 * fields.length
  return (await known).find(({ fields }) => fits(fields))
}

/** Those of charts name one chart each, and are not for any other list. */
async function readAll(): Promise<ReadyMade[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort()
  const found: ReadyMade[] = []
  for (const path of names.map((name) => join(folder, name)))
    for (const kind of ['catalogue', 'organic'] as const) {
      const mapping = await mappingAt(path, kind)
      if (mapping && !('chart' in mapping.constants))
        found.push({ kind, path, fields: Object.values(mapping.fields) })
    }
  return found
}

async function mappingAt(path: string, kind: ReadyMade['kind']): Promise<Mapping | undefined> {
  try {
    return await readMapping(path, kind)
  } catch (error) {
    if (error instanceof MappingError) return undefined
    throw error
  }
}
