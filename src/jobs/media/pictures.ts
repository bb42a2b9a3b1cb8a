import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { shrinkPicture } from '../../decoding/picture.ts'
import { copyOfAddress } from '../../domain/media/queries.ts'
import { MediaFailure, type MediaFailureKind } from '../../sources/media/failure.ts'
import { HostTurns } from '../../sources/media/host-turns.ts'
import { type MediaNetwork, MediaSource } from '../../sources/media/media-source.ts'
import { refusalOfUrl } from '../../sources/media/refusals.ts'
import type { MediaFetching } from '../../sources/media/settings.ts'
import type { Database } from '../../storage/database.ts'
import type { MediaStore } from '../../storage/media-store.ts'
import type { PictureMode } from './settings.ts'

/** A picture as WebP; else its address, for callers that may load it directly; else why there is none, in a sentence. */
export type Picture =
  | { found: 'picture'; bytes: Buffer }
  | { found: 'address'; url: string }
  | { found: MediaFailureKind | 'not-allowed' | 'busy'; reason: string }

export interface PicturesOptions {
  way: PictureMode
  media: MediaFetching
  store: MediaStore
  network?: MediaNetwork | undefined
}

const megabyte = 1024 * 1024
/** Largest picture as it is fetched, in bytes. */
const largestPicture = 20 * megabyte
const longestFetchSeconds = 15
const memoryBytes = 64 * megabyte
/** Milliseconds for which a missing picture is remembered. */
const failureMemoryMs = 5 * 60_000
/** Most pictures under way at once; further requests are refused. */
const mostUnderWay = 500
const fetchesAtATime = 24
const fetchesOfHostAtATime = 6
const decodesAtATime = 2

/**
 * Pictures for pages, scaled down, from kept copies or from their hosts, by the rules of kept media. Nothing is stored:
 * fetched pictures stay in memory as long as there is room.
 */
export class Pictures implements Disposable {
  readonly #db: Database
  readonly #way: PictureMode
  readonly #hosts: readonly string[]
  readonly #store: MediaStore
  readonly #source: MediaSource
  readonly #turns = new HostTurns(fetchesOfHostAtATime)
  readonly #fetching = pLimit(fetchesAtATime)
  readonly #decoding = pLimit(decodesAtATime)
  readonly #underWay = new Map<string, Promise<Picture>>()
  readonly #closing = new AbortController()
  readonly #memory = new LRUCache<string, Picture>({
    maxSize: memoryBytes,
    sizeCalculation: (picture, name) => 500 + 2 * name.length + ('bytes' in picture ? picture.bytes.length : 0),
  })

  constructor(db: Database, { way, media, store, network }: PicturesOptions) {
    this.#db = db
    this.#way = way
    this.#hosts = media.hosts
    this.#store = store
    const fetching = {
      hosts: media.hosts,
      maxBytes: Math.min(media.maxBytes, largestPicture),
      timeoutSeconds: Math.min(media.timeoutSeconds, longestFetchSeconds),
    }
    this.#source = new MediaSource(fetching, network, fetchesOfHostAtATime)
  }

  /** Hosts that a page may load pictures from directly; none unless the operator allows it. */
  get hostsOfPages(): readonly string[] {
    return this.#way === 'direct' ? this.#hosts : []
  }

  /** The picture at an address, at most `width` pixels wide, as an account may see it. */
  async at(accountId: string, address: string, width: number): Promise<Picture> {
    const url = URL.parse(address)
    const refusal = url ? refusalOfUrl(url, this.#hosts) : 'That is no address.'
    if (!url || refusal !== undefined) return { found: 'not-allowed', reason: refusal ?? '' }
    const fetched = `${width} ${url.href}`
    const known = this.#memory.get(fetched)
    if (known?.found === 'picture') return known
    // The hash is the key, so that an account that may not see a copy does not find it in memory either.
    const kept = await copyOfAddress(this.#db, accountId, address)
    if (kept?.contentType.startsWith('image/') && kept.sizeBytes <= largestPicture) {
      const picture = await this.#once(`${width} ${kept.sha256}`, () => this.#kept(kept.sha256, width))
      if (picture.found === 'picture') return picture
    }
    if (known) return known
    if (this.#way === 'kept')
      return { found: 'removed', reason: 'No copy of it is kept here, and pictures are not fetched for pages.' }
    if (this.#way === 'direct') return { found: 'address', url: url.href }
    return this.#once(fetched, () => this.#fetched(url, width))
  }

  /** Aborts the fetches under way. */
  [Symbol.dispose](): void {
    this.#closing.abort(new Error('The service stops.'))
  }

  /** Returns a picture from memory, or makes it once for all concurrent requests. */
  async #once(name: string, make: () => Promise<Buffer>): Promise<Picture> {
    const known = this.#memory.get(name) ?? this.#underWay.get(name)
    if (known) return known
    if (this.#underWay.size >= mostUnderWay)
      return { found: 'busy', reason: 'Too many pictures are asked for at once.' }
    const making = make()
      .then((bytes): Picture => ({ found: 'picture', bytes }), asFailure)
      .then((picture) => {
        this.#memory.set(name, picture, picture.found === 'picture' ? {} : { ttl: failureMemoryMs })
        return picture
      })
      .finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, making)
    return making
  }

  async #kept(sha256: string, width: number): Promise<Buffer> {
    const content = await this.#store.open(sha256)
    if (!content) throw new MediaFailure('removed', 'The store of media has lost it.')
    return this.#shrink(await whole(content), width)
  }

  /** A slow host only uses up its own concurrency, not that of others. */
  async #fetched(url: URL, width: number): Promise<Buffer> {
    const { signal } = this.#closing
    const bytes = await this.#turns.within(url.hostname, signal, () =>
      this.#fetching(() =>
        this.#source.fetch(url.href, signal, ({ contentType, content }) => {
          if (!contentType.startsWith('image/'))
            throw new MediaFailure('refused', 'It is a video, not a picture.')
          return whole(content)
        }),
      ),
    )
    return this.#shrink(bytes, width)
  }

  #shrink(bytes: Buffer, width: number): Promise<Buffer> {
    return this.#decoding(() => shrinkPicture(bytes, width)).catch((error: unknown) => {
      throw new MediaFailure('refused', 'It cannot be decoded, or has too many pixels.', error)
    })
  }
}

async function whole(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function asFailure(error: unknown): Picture {
  if (error instanceof MediaFailure) return { found: error.kind, reason: error.message }
  throw error
}
