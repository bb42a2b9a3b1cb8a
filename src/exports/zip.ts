import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Item, Table } from './tables.ts'

/** Opens a stored copy; undefined when the media archive no longer has it. */
export type OpenContent = (sha256: string) => Promise<Readable | undefined>

/**
 * A zip archive with the tables as NDJSON and CSV, and under `media/` the stored copies of their media, each content once,
 * named by its hash.
 * @param onItem called for each item once
 * @param onMedia called for each copy
 */
export function zipOf(
  tables: readonly Table[],
  openContent: OpenContent,
  onItem: (item: Item) => void,
  onMedia: () => void,
): Readable {
  const zip = new ZipFile()
  const out = new PassThrough()
  zip.outputStream.pipe(out)
  // A failed entry fails the archive: an incomplete one would be useless.
  zip.on('error', (error: Error) => out.destroy(error))
  const fill = async () => {
    const kept = new Map<string, string>()
    for (const table of tables) {
      const seen = (item: Item) => {
        for (const { sha256, contentType } of keptIn(item)) kept.set(sha256, extensionOf(contentType))
        onItem(item)
      }
      await addStream(zip, `${table.name}.ndjson`, Readable.from(table.lines(seen)))
      await addStream(zip, `${table.name}.csv`, Readable.from(table.csv(() => {})))
    }
    for (const [sha256, extension] of kept) {
      const copy = await openContent(sha256)
      if (!copy) continue
      await addStream(zip, `media/${sha256}.${extension}`, copy, false)
      onMedia()
    }
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
function keptIn(item: Item) {
  const media = 'postId' in item ? item.media : item.creatives.flatMap((creative) => creative.media)
  return media.flatMap(({ kept }) => (kept.status === 'stored' ? [kept] : []))
}

/** The subtype of a media type, such as `jpeg` of `image/jpeg`. */
const extensionOf = (contentType: string) => contentType.replace(/^.*\//, '').replaceAll(/[^a-z0-9]/g, '')
