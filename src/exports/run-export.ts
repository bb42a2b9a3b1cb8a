import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { extname } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Database } from '../storage/database.ts'
import { adTable, type ExportedItem, type ExportTable, postTable } from './tables.ts'

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
  tables: readonly ExportTable[],
  request: Pick<ExportRequest, 'kind' | 'format'>,
  path: string,
  openContent: OpenContent,
  onProgress: (done: number) => void,
  signal: AbortSignal,
): Promise<ExportSummary> {
  const summary = { kind: request.kind, posts: 0, ads: 0, media: 0, files: [] as string[] }
  const onItem = (item: ExportedItem) => {
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

function tablesOf(db: Database, { kind, accountId, storeId }: ExportRequest): ExportTable[] {
  const wanted = {
    savedOnly: kind === 'saved',
    ...(accountId ? { accountId } : {}),
    ...(storeId ? { storeId } : {}),
  }
  if (kind === 'organic') return [postTable(db, wanted)]
  if (kind === 'paid-ads') return [adTable(db, wanted)]
  return [postTable(db, wanted), adTable(db, wanted)]
}

async function* allLines(
  tables: readonly ExportTable[],
  onItem: (item: ExportedItem) => void,
): AsyncGenerator<string> {
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

/** Exports: all stored posts, all stored ads, or the posts and ads that one account saved. */
export const exportKinds = ['organic', 'paid-ads', 'saved'] as const
export type ExportKind = (typeof exportKinds)[number]

/** `zip` contains the other two, and copies of media. */
export const exportFormats = ['ndjson', 'csv', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

interface ExportRequest {
  kind: ExportKind
  format: ExportFormat
  /** The account whose saved marks are included; for `saved`, the account whose posts and ads are exported. */
  accountId?: string
  /** Only items linked to this app; digits. */
  storeId?: string
}

/** Numbers of items and of copies of media, and the files written. */
export interface ExportSummary {
  kind: ExportKind
  posts: number
  ads: number
  media: number
  files: string[]
}

/** Opens a stored copy; undefined when the media archive no longer has it. */
export type OpenContent = (sha256: string) => Promise<Readable | undefined>

/** What an account saved, as `zipOf` has it, for whoever is signed in to it. @param isWanted a part of it */
export const savedZip = (
  db: Database,
  accountId: string,
  isWanted: (item: ExportedItem) => boolean,
  openContent: OpenContent,
  mostBytes: number,
): Readable => {
  const wanted = { savedOnly: true, accountId, isWanted }
  return zipOf([postTable(db, wanted), adTable(db, wanted)], openContent, nothing, nothing, mostBytes)
}

const nothing = () => {}

/**
 * A zip archive with the tables as NDJSON and CSV, and under `media/` the stored copies of their media, each content once,
 * named by its hash. What is not in it for its size stands in `left-out.txt`, a line each. Whoever ends reading it ends its making.
 * @param onItem called for each item once
 * @param onMedia called for each copy
 * @param mostBytes of all copies together
 */
function zipOf(
  tables: readonly ExportTable[],
  openContent: OpenContent,
  onItem: (item: ExportedItem) => void,
  onMedia: () => void,
  mostBytes = Number.POSITIVE_INFINITY,
): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  zip.outputStream.pipe(out)
  // A failed entry fails the archive: an incomplete one would be useless.
  zip.on('error', (error: Error) => out.destroy(error))
  let entry: Readable | undefined
  out.once('close', () => entry?.destroy(new Error('Nobody reads the archive any more.')))
  const add = async (name: string, content: Readable, compress?: boolean) => {
    entry = content
    if (out.destroyed) content.destroy(new Error('Nobody reads the archive any more.'))
    await addStream(zip, name, content, compress)
  }
  const fill = async () => {
    const kept = new Map<string, { name: string; sizeBytes: number }>()
    for (const table of tables) {
      const seen = (item: ExportedItem) => {
        for (const { sha256, contentType, sizeBytes } of keptIn(item))
          kept.set(sha256, { name: `media/${sha256}.${extensionOf(contentType)}`, sizeBytes })
        onItem(item)
      }
      await add(`${table.name}.ndjson`, Readable.from(table.lines(seen)))
      await add(`${table.name}.csv`, Readable.from(table.csv(() => {})))
    }
    const leftOut: string[] = []
    let bytes = 0
    for (const [sha256, { name, sizeBytes }] of kept) {
      if (bytes + sizeBytes > mostBytes) {
        leftOut.push(
          `${name}\t${sizeBytes} bytes\tthe copies together would be larger than ${mostBytes} bytes\n`,
        )
        continue
      }
      const copy = await openContent(sha256)
      if (!copy) continue
      bytes += sizeBytes
      await add(name, copy, false)
      onMedia()
    }
    if (leftOut.length > 0) await add('left-out.txt', Readable.from(leftOut))
    zip.end()
  }
  fill().catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))))
  return out
}

/** Adds one entry and waits until it is read, so that only one is open at a time. */
async function addStream(zip: ZipFile, name: string, stream: Readable, compress = true): Promise<void> {
  const read = once(stream, 'end')
  zip.addReadStream(stream, name, { compress })
  await read
}

/** The stored copies of all media of a post, or of the creatives of an ad. */
function keptIn(item: ExportedItem) {
  const media = 'postId' in item ? item.media : item.creatives.flatMap((creative) => creative.media)
  return media.flatMap(({ kept }) => (kept.status === 'stored' ? [kept] : []))
}

/** The subtype of a media type, such as `jpeg` of `image/jpeg`. */
const extensionOf = (contentType: string) => contentType.replace(/^.*\//, '').replaceAll(/[^a-z0-9]/g, '')
