import { openAsBlob } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsV4Signer } from 'aws4fetch'
import { type ByteRange, isContentHash, type MediaStore } from './media-store.ts'
import { spool } from './spool.ts'

export interface Bucket {
  bucket: string
  /** Address of the service; the bucket is named in the path. */
  endpoint: string
  region: string
  /** Goes before every key; empty for none. */
  prefix: string
}

export interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** Milliseconds a service may take to begin its answer to a request that transfers no content. */
const patienceMs = 30_000
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Contents as objects of a service that speaks S3, under `<prefix>/ab/cdef…` by hash. */
export class MediaInBucket implements MediaStore {
  readonly #bucket: Bucket
  readonly #credentials: BucketCredentials

  constructor(bucket: Bucket, credentials: BucketCredentials) {
    this.#bucket = bucket
    this.#credentials = credentials
  }

  /** The key is the hash, so the content waits in a file until it is complete. */
  async put(content: AsyncIterable<Uint8Array>): Promise<{ sha256: string; sizeBytes: number }> {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rivalscope-media-'))
    await using spooled = await spool(content, folder.path)
    const { path, sha256, sizeBytes } = spooled
    if (!(await this.has(sha256))) {
      const response = await this.#ask('PUT', sha256, { bodyHash: sha256, body: await openAsBlob(path) })
      await response.body?.cancel()
      if (!response.ok) throw answered(response)
    }
    return { sha256, sizeBytes }
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const response = await this.#ask('GET', sha256, { headers })
    if (response.status === (range ? 206 : 200) && response.body)
      return Readable.fromWeb(response.body as ReadableStream)
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw answered(response)
  }

  async has(sha256: string): Promise<boolean> {
    const response = await this.#ask('HEAD', sha256)
    if (response.ok || response.status === 404) return response.ok
    throw answered(response)
  }

  async remove(sha256: string): Promise<void> {
    const response = await this.#ask('DELETE', sha256)
    await response.body?.cancel()
    if (!response.ok && response.status !== 404) throw answered(response)
  }

  async #ask(
    method: string,
    sha256: string,
    {
      headers = {},
      bodyHash = emptyHash,
      body,
    }: { headers?: Record<string, string>; bodyHash?: string; body?: Blob } = {},
  ): Promise<Response> {
    const signed = await new AwsV4Signer({
      ...this.#credentials,
      service: 's3',
      region: this.#bucket.region,
      method,
      url: this.#addressOf(sha256),
      headers: { ...headers, 'x-amz-content-sha256': bodyHash },
    }).sign()
    const patience = body || method === 'GET' ? {} : { signal: AbortSignal.timeout(patienceMs) }
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'error',
      ...(body ? { body } : {}),
      ...patience,
    })
  }

  #addressOf(sha256: string): string {
    if (!isContentHash(sha256)) throw new Error('That is no hash of a content.')
    const { endpoint, bucket, prefix } = this.#bucket
    const key = [prefix.replace(/\/$/, ''), sha256.slice(0, 2), sha256.slice(2)].filter((part) => part !== '')
    return `${endpoint.replace(/\/$/, '')}/${bucket}/${key.join('/')}`
  }
}

/** The message of the service is left out: it can repeat the request with its signature. */
const answered = ({ status }: Response) => new Error(`The bucket of kept media answered ${status}.`)
