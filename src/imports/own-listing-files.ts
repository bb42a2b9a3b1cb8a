import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { type Input, inputsOf } from './input-file.ts'

/** The files of an own listing: those of a folder, or named alone. */

/** A file, with the folders that tell what it is. */
export interface ListingFile {
  input: Input
  /** Names of the folders above it, up to the folder that was given; of a file named alone at most two. */
  folders: readonly string[]
  /** Whether it stands outside the folder of its listing, through a link. */
  leaves: boolean
}

/** Files of one call, and how deep folders are looked into. */
const mostFiles = 5_000
const deepest = 6

/**
 * The files at some paths, sorted. Of a folder that holds `fastlane/metadata` or `metadata` that one is meant. Links are followed as
 * long as they stay in the folder. Hidden files are left out.
 */
export async function listingFilesAt(
  paths: readonly string[],
  directory: string,
  stdin: Readable | undefined,
): Promise<ListingFile[]> {
  const files: ListingFile[] = []
  for (const path of paths) {
    if (path === '-') {
      files.push(
        ...(await inputsOf([path], directory, stdin)).map((input) => ({ input, folders: [], leaves: false })),
      )
      continue
    }
    const at = resolve(directory, path)
    if ((await stat(at)).isDirectory()) await gather(await metadataIn(at), files)
    else files.push(await namedAlone(at, directory))
    if (files.length > mostFiles)
      throw new Error(`over ${mostFiles.toLocaleString('en')} files: name the folder of the metadata itself`)
  }
  return files
}

/** The folder of metadata in a project or in its `fastlane`. */
async function metadataIn(folder: string): Promise<string> {
  for (const inside of ['fastlane/metadata', 'metadata']) {
    const found = await stat(join(folder, inside)).catch(() => undefined)
    if (found?.isDirectory()) return join(folder, inside)
  }
  return folder
}

async function namedAlone(path: string, directory: string): Promise<ListingFile> {
  const [input] = await inputsOf([path], directory, undefined)
  if (!input) throw new Error(`${path} is no file`)
  const folders = dirname(path).split(sep).filter(Boolean).slice(-2)
  // A text of a localization belongs to the folder of all of them; any other file is what was named.
  const leaves = path.endsWith('.txt') && !(await isWithin(dirname(dirname(path)), path))
  return { input, folders, leaves }
}

/** Adds the files of a folder. */
async function gather(root: string, files: ListingFile[]): Promise<void> {
  const walk = async (folder: string, depth: number): Promise<void> => {
    const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
    for (const name of names) {
      if (files.length > mostFiles) return
      const path = join(folder, name)
      const leaves = (await lstat(path)).isSymbolicLink() && !(await isWithin(root, path))
      const found = leaves ? undefined : await stat(path).catch(() => undefined)
      if (found?.isDirectory() && depth < deepest) await walk(path, depth + 1)
      else if (!found?.isDirectory()) {
        const folders = relative(root, folder).split(sep).filter(Boolean)
        files.push({ input: found ? await inputAt(path) : gone(path), folders, leaves })
      }
    }
  }
  await walk(root, 0)
}

async function inputAt(path: string): Promise<Input> {
  const [input] = await inputsOf([path], '/', undefined)
  return input ?? gone(path)
}

/** A link that leads nowhere, or where nothing is looked at. */
const gone = (path: string): Input => ({
  ...{ name: path, bytes: 0, modifiedAt: undefined, isKept: false },
  open: () => Promise.reject(new Error(`${path} leads out of its folder`)),
})

async function isWithin(folder: string, path: string): Promise<boolean> {
  const [outer, inner] = await Promise.all([realpath(folder), realpath(path).catch(() => '/')])
  return inner === outer || inner.startsWith(outer + sep)
}

/** Bytes of an Appfile that are read. */
const longestAppfile = 64 * 1024

/** Where fastlane names the app: beside the metadata, or above it. */
const appfiles = ['Appfile', 'Deliverfile', 'fastlane/Appfile', 'fastlane/Deliverfile']

/** The bundle id that an Appfile or Deliverfile near some files names as a plain text; undefined where none does. */
export async function bundleIdNear(files: readonly ListingFile[]): Promise<string | undefined> {
  const roots = new Set(
    files.map(({ input, folders }) => folders.reduce((path) => dirname(path), dirname(input.name))),
  )
  for (const root of roots)
    for (const folder of [root, dirname(root), dirname(dirname(root))])
      for (const name of appfiles) {
        const found = bundleIdIn(await headOf(join(folder, name)))
        if (found !== undefined) return found
      }
  return undefined
}

const bundleIdIn = (text: string): string | undefined =>
  /^\s*app_identifier[\s(]*\[?\s*["']([\w.-]{1,200})["']/mu.exec(text)?.[1]

async function headOf(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined)
  await using _ = file
  if (!file || !(await file.stat()).isFile()) return ''
  const { bytesRead, buffer } = await file.read(Buffer.alloc(longestAppfile), 0, longestAppfile, 0)
  return buffer.subarray(0, bytesRead).toString('utf8')
}

export const isAppfile = (path: string): boolean =>
  ['Appfile', 'Deliverfile', 'Fastfile', 'Matchfile', 'Gymfile', 'Snapfile', 'Pluginfile'].includes(
    basename(path),
  )
