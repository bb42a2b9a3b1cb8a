import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { MemoryFS, PGlite } from '@electric-sql/pglite'

/** What an image begins with, in JSON, after four bytes that say how long that is. */
interface Contents {
  /** Parents first. */
  directories: string[]
  /** In the order of their bytes, which stand behind one another without the zeros a file ends with. */
  files: { path: string; size: number; stored: number }[]
}

/** Databases that PostgreSQL makes others from: two thirds of the files, and nobody makes another here. */
const templates = /^base\/[14]\//

/** Writes the files of a store that was closed into one. */
export function writeImage(store: string, image: string): void {
  const entries = readdirSync(store, { recursive: true, withFileTypes: true }).map((entry) => ({
    isDirectory: entry.isDirectory(),
    path: relative(store, join(entry.parentPath, entry.name)),
  }))
  const parts: Uint8Array[] = []
  const files: Contents['files'] = []
  for (const { isDirectory, path } of entries) {
    if (isDirectory || templates.test(path)) continue
    const bytes = readFileSync(join(store, path))
    const stored = bytes.findLastIndex((byte) => byte !== 0) + 1
    files.push({ path, size: bytes.length, stored })
    parts.push(bytes.subarray(0, stored))
  }
  const directories = entries.flatMap(({ isDirectory, path }) => (isDirectory ? [path] : [])).sort()
  const contents = Buffer.from(JSON.stringify({ directories, files } satisfies Contents))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(contents.length)
  writeFileSync(image, Buffer.concat([length, contents, ...parts]))
}

/** What is used of Emscripten's files, whose types PGlite does not hand on. */
interface Files {
  mkdir(path: string, mode: number): void
  mkdirTree(path: string, mode: number): void
  createDataFile(
    parent: string,
    name: string,
    bytes: Uint8Array,
    canRead: boolean,
    canWrite: boolean,
    /** Takes the bytes themselves in place of a copy. */
    canOwn: boolean,
  ): void
}

/** A store in memory that begins as an image. Its files are the bytes that were read: nothing is unpacked. */
export class ImageInMemory extends MemoryFS {
  readonly #image: string

  constructor(image: string) {
    super()
    this.#image = image
  }

  override async initialSyncFs(): Promise<void> {
    const files: Files = this.pg?.Module.FS
    const image = readFileSync(this.#image)
    let read = 4 + image.readUInt32LE(0)
    const contents = JSON.parse(image.toString('utf8', 4, read)) as Contents
    const root = PGlite.paths.PGDATA
    files.mkdirTree(root, 0o700)
    for (const path of contents.directories) files.mkdir(`${root}/${path}`, 0o700)
    for (const { path, size, stored } of contents.files) {
      const bytes = image.subarray(read, read + stored)
      const cut = path.lastIndexOf('/')
      const parent = cut < 0 ? root : `${root}/${path.slice(0, cut)}`
      files.createDataFile(parent, path.slice(cut + 1), padded(bytes, size), true, true, true)
      read += stored
    }
  }
}

function padded(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length === size) return bytes
  const whole = new Uint8Array(size)
  whole.set(bytes)
  return whole
}
