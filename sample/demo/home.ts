import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createKey, keyHash } from '../../src/domain/accounts/keys.ts'
import { revokeKeys, usableKey } from '../../src/domain/accounts/queries.ts'
import { UsageError } from '../../src/operator/location.ts'
import type { Database } from '../../src/storage/database.ts'
import { makeDirectory } from '../../src/storage/make-directory.ts'
import { demoAccount } from './tracking.ts'

/** The file that marks a data directory as a demo's; it contains the key. */
export const demoKeyFile = (dataDir: string) => join(dataDir, 'demo-key')

/** Whether a data directory is a demo's, with synthetic evidence. */
export const isDemo = (dataDir: string) => existsSync(demoKeyFile(dataDir))

/**
 * Marks a directory as a demo's. Synthetic evidence must never be mixed with real evidence.
 * @throws UsageError when it already holds a store that is not a demo's
 */
export function settle(dataDir: string): void {
  if (isDemo(dataDir)) return
  if (existsSync(join(dataDir, 'postgresql')))
    throw new UsageError(
      `${dataDir} holds a store that is not the demo's. Name another directory with --data-dir, or remove this one.`,
    )
  makeDirectory(resolve(dataDir))
  writeFileSync(demoKeyFile(dataDir), '', { mode: 0o600, flag: 'wx' })
}

/** Bytes that the demo takes, with room for PostgreSQL's log. */
const neededBytes = 700_000_000

/** @throws UsageError where there is no room for a demo that has not been filled */
export async function expectRoom(dataDir: string): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  const missing = existsSync(join(dataDir, 'postgresql')) ? 0 : neededBytes - bavail * bsize
  if (missing <= 0) return
  const megabytes = (bytes: number) => Math.floor(bytes / 1_000_000)
  throw new UsageError(
    `the demo takes ${megabytes(neededBytes)} MB, and ${resolve(dataDir)} has ${megabytes(bavail * bsize)} MB left. Make room, or name another directory with --data-dir.`,
  )
}

/** The key of the demo: the same at every start, as long as its file exists and the key is valid. */
export async function demoKey(db: Database, dataDir: string): Promise<string> {
  const file = demoKeyFile(dataDir)
  const kept = readFileSync(file, 'utf8').trim()
  if (kept !== '' && (await usableKey(db, keyHash(kept)))) return kept
  await revokeKeys(db, 'demo')
  const order = {
    name: 'demo',
    scopes: ['context:read', 'content:write'],
    account: demoAccount,
    administers: true,
  }
  const key = await createKey(db, order)
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}
