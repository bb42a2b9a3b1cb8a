import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pLimit from 'p-limit'
import { type Database, firstRow, rows } from '../database.ts'
import type { MediaStore } from '../media-store.ts'
import { BackupError } from './error.ts'
import type { ReportProgress } from './progress.ts'

/** A kept medium, as the store names it. */
interface KeptMedium {
  sha256: string
  sizeBytes: number
}

export interface MediaCopied {
  /** Media that the store names, and their bytes, without the missing ones. */
  objects: number
  bytes: number
  /** Media that were not in the target before. */
  copied: number
  /** Hashes of media that the source does not have. */
  missing: string[]
}

const readAtOnce = 1_000
const copiedAtOnce = 4

/**
 * Copies the media that a store names from one media store to another, except those that are complete there already. Each
 * content is checked against its hash on the way; one that does not match counts as missing.
 * @param except hashes of media that are known to be missing
 */
export async function copyMedia(
  db: Database,
  from: MediaStore,
  to: MediaStore,
  {
    signal,
    progress,
    except = new Set(),
  }: { signal: AbortSignal; progress: ReportProgress; except?: ReadonlySet<string> },
): Promise<MediaCopied> {
  const limit = pLimit(copiedAtOnce)
  const done: MediaCopied = { objects: 0, bytes: 0, copied: 0, missing: [] }
  const count = await firstRow(db, sql<{ total: number }>`select count(*)::int as total from media_objects`)
  for (let last = ''; ; ) {
    const some = await rows(
      db,
      sql<KeptMedium>`
        select sha256, size_bytes::float8 as "sizeBytes" from media_objects
        where sha256 > ${last} order by sha256 limit ${readAtOnce}`,
    )
    await limit.map(some, async (medium) => {
      signal.throwIfAborted()
      if (except.has(medium.sha256)) return
      const became = await copyMedium(medium, from, to, signal)
      if (became === 'missing') done.missing.push(medium.sha256)
      else {
        done.objects++
        done.bytes += medium.sizeBytes
        if (became === 'copied') done.copied++
      }
      progress({ label: 'kept media', done: done.objects, total: count?.total ?? 0, unit: 'media' })
    })
    const end = some.at(-1)
    if (!end) return done
    last = end.sha256
  }
}

async function copyMedium(
  { sha256, sizeBytes }: KeptMedium,
  from: MediaStore,
  to: MediaStore,
  signal: AbortSignal,
): Promise<'there' | 'copied' | 'missing'> {
  if ((await to.sizeOf(sha256)) === sizeBytes) return 'there'
  const content = await from.open(sha256)
  if (!content) return 'missing'
  try {
    await to.put(checked(content as AsyncIterable<Buffer>, sha256, signal))
    return 'copied'
  } catch (error) {
    if (error instanceof OtherContent) return 'missing'
    throw error
  }
}

class OtherContent extends Error {}

async function* checked(
  content: AsyncIterable<Buffer>,
  sha256: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of content) {
    signal.throwIfAborted()
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw new OtherContent()
}

/** @throws BackupError where media of a backup are gone or damaged */
export function refuseMissing(folder: string, { missing }: MediaCopied): void {
  if (missing.length === 0) return
  throw new BackupError(
    `The backup ${folder} is damaged: ${missing.length} of its kept media are missing or not what was written, such as ${missing[0]}. Nothing was restored; name another backup with --backup.`,
  )
}
