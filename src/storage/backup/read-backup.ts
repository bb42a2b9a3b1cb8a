import { BackupError } from './error.ts'
import { type BackupManifest, mostManifestBytes, parseManifest } from './manifest.ts'
import { type BackupPlace, manifestFile } from './place.ts'

/** The folders of finished backups, oldest first. */
export async function finishedBackups(place: BackupPlace): Promise<string[]> {
  const finished: string[] = []
  for (const folder of await place.folders()) {
    const manifest = await place.read(`${folder}/${manifestFile}`)
    manifest?.destroy()
    if (manifest) finished.push(folder)
  }
  return finished
}

/** A backup and its manifest. */
export interface FoundBackup {
  folder: string
  manifest: BackupManifest
}

/**
 * Finds a backup in a place.
 * @param named its folder; the newest finished one when left out
 * @throws BackupError when there is none, when it is unfinished, or when this version cannot read it
 */
export async function findBackup(place: BackupPlace, named: string | undefined): Promise<FoundBackup> {
  const folders = await place.folders()
  const finished = await finishedBackups(place)
  const folder = named ?? finished.at(-1)
  if (folder === undefined)
    throw new BackupError(
      folders.length === 0
        ? `There is no backup in ${place.name}.`
        : `In ${place.name} is no backup that was finished: the one of ${folders.at(-1)} was broken off. Back up again.`,
    )
  if (!finished.includes(folder))
    throw new BackupError(
      folders.includes(folder)
        ? `The backup ${folder} was not finished, and is not restored. ${choices(finished)}`
        : `There is no backup ${folder} in ${place.name}. ${choices(finished)}`,
    )
  return { folder, manifest: parseManifest(await textOf(place, folder), folder) }
}

const mostNamed = 5

const choices = (finished: readonly string[]) =>
  finished.length === 0 ? 'There is no other.' : `The newest are ${finished.slice(-mostNamed).join(', ')}.`

async function textOf(place: BackupPlace, folder: string): Promise<string> {
  const content = await place.read(`${folder}/${manifestFile}`)
  let bytes = 0
  const chunks: Buffer[] = []
  for await (const chunk of (content ?? []) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > mostManifestBytes) throw new BackupError(`The manifest of the backup ${folder} is damaged.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
