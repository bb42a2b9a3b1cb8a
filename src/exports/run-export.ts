import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Database } from '../storage/database.ts'
import type { ExportRequest, ExportSummary } from './export-request.ts'
import { adTable, type Item, postTable, type Table } from './tables.ts'
import { type OpenContent, zipOf } from './zip.ts'

/**
 * Writes posts and ads to files in bounded memory, readable by their owner only. A file appears complete or not at all; a
 * link of that name is replaced, not followed.
 * @param path of the file; where two tables are written as CSV, `-posts` and `-ads` are added to its name
 * @throws when a file cannot be written, the store fails or the signal aborts; no partial file remains
 */
export function runExport(
  db: Database,
  request: ExportRequest,
  path: string,
  openContent: OpenContent,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<ExportSummary> {
  return writeExport(tablesOf(db, request), request, path, openContent, onProgress, signal)
}

/** The same as `runExport`, for posts and ads from any origin. */
export async function writeExport(
  tables: readonly Table[],
  request: Pick<ExportRequest, 'kind' | 'format'>,
  path: string,
  openContent: OpenContent,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<ExportSummary> {
  const summary = { kind: request.kind, posts: 0, ads: 0, media: 0, files: [] as string[] }
  const onItem = (item: Item) => {
    if ('postId' in item) summary.posts++
    else summary.ads++
    onProgress(summary.posts + summary.ads)
  }
  const write = async (content: Readable, file: string) => {
    await writeWhole(content, file, signal)
    summary.files.push(file)
  }
  if (request.format === 'zip')
    await write(
      zipOf(tables, openContent, onItem, () => summary.media++),
      path,
    )
  else if (request.format === 'ndjson') await write(Readable.from(allLines(tables, onItem)), path)
  else
    for (const table of tables)
      await write(Readable.from(table.csv(onItem)), tables.length > 1 ? beside(path, table.name) : path)
  return summary
}

function tablesOf(db: Database, { kind, accountId, storeId }: ExportRequest): Table[] {
  const wanted = {
    savedOnly: kind === 'saved',
    ...(accountId ? { accountId } : {}),
    ...(storeId ? { storeId } : {}),
  }
  if (kind === 'organic') return [postTable(db, wanted)]
  if (kind === 'paid-ads') return [adTable(db, wanted)]
  return [postTable(db, wanted), adTable(db, wanted)]
}

async function* allLines(tables: readonly Table[], onItem: (item: Item) => void): AsyncGenerator<string> {
  for (const table of tables) yield* table.lines(onItem)
}

/** `saved.csv` becomes `saved-posts.csv`. */
function beside(path: string, name: string): string {
  const extension = extname(path)
  return `${path.slice(0, path.length - extension.length)}-${name}${extension}`
}

/** Writes a file atomically. */
export async function writeWhole(content: Readable, path: string, signal: AbortSignal): Promise<void> {
  const partial = `${path}.partial`
  try {
    // A leftover of a killed export, or a link to another place: neither may be written to.
    await rm(partial, { force: true })
    await pipeline(content, createWriteStream(partial, { flags: 'wx', mode: 0o600 }), { signal })
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
