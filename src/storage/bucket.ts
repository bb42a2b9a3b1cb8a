import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsV4Signer } from 'aws4fetch'
import type { ByteRange } from './media-store.ts'
import type { Spooled } from './spool.ts'

export interface Bucket {
  bucket: string
  /** Address of the service; the bucket is named in the path. */
  endpoint: string
  region: string
  /** Prefix of every key; empty for none. */
  prefix: string
}

export interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

/** A bucket is configured without credentials. */
export class BucketCredentialsError extends Error {}

/** The service of a bucket cannot be reached, or refuses something. */
export class BucketError extends Error {
  override name = 'BucketError'
}

/** @throws BucketCredentialsError when the environment holds none. @param what is in the bucket, for the message */
export function bucketCredentials(environment: NodeJS.ProcessEnv, what: string): BucketCredentials {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = environment
  if (!accessKeyId || !secretAccessKey)
    throw new BucketCredentialsError(`${what}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`)
  return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
}

/** Milliseconds a service may take to begin its response to a request that transfers no content. */
const patienceMs = 30_000
const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

interface Asked {
  query?: Record<string, string>
  headers?: Record<string, string>
  bodyHash?: string
  body?: Blob
}

/** The response to one listing request. */
interface Listed {
  keys: string[]
  folders: string[]
  next: string | undefined
}

/** Objects of an S3 service, by keys below the prefix of the bucket. Every method throws when the service refuses. */
export class BucketObjects {
  readonly #bucket: Bucket
  readonly #credentials: BucketCredentials
  readonly #called: string

  /** @param called the name of the bucket in messages */
  constructor(bucket: Bucket, credentials: BucketCredentials, called: string) {
    this.#bucket = bucket
    this.#credentials = credentials
    this.#called = called
  }

  /** Stores a complete file under a key, replacing any object there. */
  async put(key: string, { path, sha256 }: Pick<Spooled, 'path' | 'sha256'>): Promise<void> {
    const response = await this.#ask('PUT', key, { bodyHash: sha256, body: await openAsBlob(path) })
    await response.body?.cancel()
    if (!response.ok) throw this.#answered(response)
  }

  /** Streams an object, or a part of it; undefined when there is none. */
  async open(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {}
    const response = await this.#ask('GET', key, { headers })
    if (response.status === (range ? 206 : 200) && response.body)
      return Readable.fromWeb(response.body as ReadableStream)
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw this.#answered(response)
  }

  /** The size of an object in bytes; undefined when there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    const response = await this.#ask('HEAD', key)
    if (response.ok) return Number(response.headers.get('content-length'))
    if (response.status === 404) return undefined
    throw this.#answered(response)
  }

  /** Removing an object that is not there does nothing. */
  async remove(key: string): Promise<void> {
    const response = await this.#ask('DELETE', key)
    await response.body?.cancel()
    if (!response.ok && response.status !== 404) throw this.#answered(response)
  }

  /** The names of the folders directly below the prefix. */
  async folders(): Promise<string[]> {
    const within = this.#keyOf('')
    const folders: string[] = []
    for await (const listed of this.#lists({ prefix: within, delimiter: '/' })) folders.push(...listed.folders)
    return folders.map((folder) => folder.slice(within.length).replace(/\/$/, ''))
  }

  /** The keys below a folder. */
  async keysIn(folder: string): Promise<string[]> {
    const keys: string[] = []
    for await (const listed of this.#lists({ prefix: `${this.#keyOf(folder)}/` })) keys.push(...listed.keys)
    return keys.map((key) => key.slice(this.#keyOf('').length))
  }

  /** Source: ListObjectsV2 of the Amazon S3 API reference. */
  async *#lists(query: Record<string, string>): AsyncGenerator<Listed> {
    let next: string | undefined
    do {
      const more: Record<string, string> = next === undefined ? {} : { 'continuation-token': next }
      const response = await this.#ask('GET', undefined, { query: { 'list-type': '2', ...query, ...more } })
      if (!response.ok) {
        await response.body?.cancel()
        throw this.#answered(response)
      }
      const listed = await listedIn(await response.text())
      yield listed
      next = listed.next
    } while (next !== undefined)
  }

  /** @param key undefined for the bucket itself */
  async #ask(
    method: string,
    key: string | undefined,
    { query = {}, headers = {}, bodyHash = emptyHash, body }: Asked = {},
  ): Promise<Response> {
    const { endpoint, bucket, region } = this.#bucket
    const url = new URL(
      `${endpoint.replace(/\/$/, '')}/${bucket}${key === undefined ? '' : `/${this.#keyOf(key)}`}`,
    )
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      ...this.#credentials,
      service: 's3',
      region,
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': bodyHash },
    }).sign()
    const patience = body || method === 'GET' ? {} : { signal: AbortSignal.timeout(patienceMs) }
    const sent = fetch(signed.url, {
      method,
      headers: signed.headers,
      redirect: 'error',
      ...(body ? { body } : {}),
      ...patience,
    })
    return sent.catch((error: Error) => {
      const { message } = error.cause instanceof Error ? error.cause : error
      throw new BucketError(`The bucket of ${this.#called} cannot be reached: ${message}.`, { cause: error })
    })
  }

  #keyOf(key: string): string {
    const prefix = this.#bucket.prefix.replace(/\/$/, '')
    return prefix === '' ? key : `${prefix}/${key}`
  }

  /** The message of the service is left out: it can repeat the request with its signature. */
  #answered({ status }: Response): Error {
    return new BucketError(`The bucket of ${this.#called} answered ${status}.`)
  }
}

async function listedIn(xml: string): Promise<Listed> {
  const { DomUtils, parseDocument } = await import('htmlparser2')
  const { getElementsByTagName: named, textContent } = DomUtils
  const document = parseDocument(xml, { xmlMode: true })
  return {
    keys: named('Key', document).map(textContent),
    folders: named('Prefix', named('CommonPrefixes', document)).map(textContent),
    next: named('NextContinuationToken', document).map(textContent)[0],
  }
}
