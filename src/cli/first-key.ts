import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/**
 * The message of the first start about its key. On a terminal the key is shown once; any other standard error may be
 * logged, so the key is written to a file that only its owner can read.
 */
export async function announceFirstKey(key: string, dataDir: string, isTerminal: boolean): Promise<string> {
  if (isTerminal) return `First start: this key can do everything and is shown only now.\n\n  ${key}\n`
  const file = resolve(join(dataDir, 'first-key'))
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  // One of a store before; or a link, which is not followed.
  await rm(file, { force: true })
  await writeFile(file, `${key}\n`, { flag: 'wx', mode: 0o600 })
  return `First start: a key that can do everything stands in ${file}, readable by you alone. Keep it elsewhere and remove the file.`
}
