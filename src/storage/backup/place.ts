import { createReadStream } from 'node:fs'
import { mkdir, mkdtempDisposable, open, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { type Bucket, BucketObjects, bucketCredentials } from '../bucket.ts'
import { MediaInBucket } from '../media-in-bucket.ts'
import { MediaOnDisk } from '../media-on-disk.ts'
import type { MediaStore } from '../media-store.ts'
import { removeLeftOvers, type Spooled, spool, syncDirectory } from '../spool.ts'
import { BackupError } from './error.ts'

/** The location of the backups of one installation: a folder for each, and the kept media of all of them side by side. */
export interface BackupPlace {
  /** As the operator named it. */
  name: string
  media: MediaStore
  /** Writes a file of a backup atomically. @param path such as `2026-11-26T15-50-00-000Z/manifest.json` */
  write(path: string, content: AsyncIterable<Uint8Array>): Promise<Pick<Spooled, 'sha256' | 'sizeBytes'>>
  /** Streams a file; undefined when it is not there. */
  read(path: string): Promise<Readable | undefined>
  /** The folders of all backups, finished or not, oldest first. */
  folders(): Promise<string[]>
  /** Removes the folder of a backup with all files in it, its manifest first. */
  remove(folder: string): Promise<void>
}

/** The file that makes a folder a finished backup: it is written last. */
export const manifestFile = 'manifest.json'

/** The folder name of a backup that begins now; names sort by time. */
export const backupFolderAt = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, '-')
const isFolder = (name: string): boolean => /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/.test(name)

/**
 * Opens a directory or a bucket as the place of backups.
 * @param named a directory, or `s3://bucket/prefix`
 * @param directory that relative paths start from
 * @throws BackupError when the address is not valid, BucketCredentialsError
 */
export function openBackupPlace(named: string, directory: string, environment: NodeJS.ProcessEnv): BackupPlace {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(named)) return new PlaceOnDisk(named, resolve(directory, named))
  const [, bucket, prefix = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[\w.-]+\/)*[\w.-]*))?$/.exec(named) ?? []
  if (!bucket)
    throw new BackupError(`"${named}" is no place for backups: name a directory, or s3://bucket/prefix.`)
  const { AWS_REGION: region = 'us-east-1', AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment
  const endpoint = AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`
  if (!/^https?:\/\/[^@?#]+$/.test(endpoint) || !URL.canParse(endpoint))
    throw new BackupError('AWS_ENDPOINT_URL is no http or https address, or holds credentials or a query.')
  return new PlaceInBucket(named, { bucket, prefix, region, endpoint }, environment)
}

class PlaceOnDisk implements BackupPlace {
  readonly name: string
  readonly media: MediaStore
  readonly #directory: string

  constructor(name: string, directory: string) {
    this.name = name
    this.#directory = directory
    this.media = new MediaOnDisk(join(directory, 'media'))
  }

  async write(path: string, content: AsyncIterable<Uint8Array>) {
    const incoming = join(this.#directory, 'incoming')
    await removeLeftOvers(incoming, new Date())
    await using spooled = await spool(content, incoming)
    const target = join(this.#directory, path)
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await rename(spooled.path, target)
    // Flushes the folders above the file as well.
    for (let above = dirname(target); above.startsWith(this.#directory); above = dirname(above))
      await syncDirectory(above)
    return { sha256: spooled.sha256, sizeBytes: spooled.sizeBytes }
  }

  async read(path: string): Promise<Readable | undefined> {
    try {
      const file = await open(join(this.#directory, path))
      return createReadStream('', { fd: file })
    } catch (error) {
      if (isAbsence(error)) return undefined
      throw error
    }
  }

  async folders(): Promise<string[]> {
    try {
      return (await readdir(this.#directory)).filter(isFolder).sort()
    } catch (error) {
      if (isAbsence(error)) return []
      throw error
    }
  }

  async remove(folder: string): Promise<void> {
    const path = join(this.#directory, folder)
    await rm(join(path, manifestFile), { force: true })
    await rm(path, { recursive: true, force: true })
  }
}

const isAbsence = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

class PlaceInBucket implements BackupPlace {
  readonly name: string
  readonly media: MediaStore
  readonly #objects: BucketObjects

  constructor(name: string, bucket: Bucket, environment: NodeJS.ProcessEnv) {
    this.name = name
    const credentials = bucketCredentials(environment, `Backups lie in the bucket ${bucket.bucket}`)
    this.#objects = new BucketObjects(bucket, credentials, 'backups')
    const prefix = [bucket.prefix.replace(/\/$/, ''), 'media'].filter((part) => part !== '').join('/')
    this.media = new MediaInBucket({ ...bucket, prefix }, credentials)
  }

  async write(path: string, content: AsyncIterable<Uint8Array>) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rivalscope-backup-'))
    await using spooled = await spool(content, folder.path)
    await this.#objects.put(path, spooled)
    return { sha256: spooled.sha256, sizeBytes: spooled.sizeBytes }
  }

  read(path: string): Promise<Readable | undefined> {
    return this.#objects.open(path)
  }

  async folders(): Promise<string[]> {
    return (await this.#objects.folders()).filter(isFolder).sort()
  }

  async remove(folder: string): Promise<void> {
    await this.#objects.remove(`${folder}/${manifestFile}`)
    for (const key of await this.#objects.keysIn(folder)) await this.#objects.remove(key)
  }
}
