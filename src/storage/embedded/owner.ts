import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedStoreError } from './error.ts'

/** A user that owns the files of a store and runs its processes. */
export interface StoreOwner {
  uid: number
  gid: number
  name: string
}

/** Users that are tried in this order where none is named. */
const defaultOwners = ['rivalscope', 'postgres', 'nobody']

/**
 * The user that owns the store and runs its processes, where it is not the user of this process. PostgreSQL does not run as
 * root, so root needs another user: the one that owns the files already, else the one that is named, else one that systems
 * usually have.
 * @param directory where PostgreSQL's files are, or will be
 * @returns undefined when it is the user of this process
 * @throws EmbeddedStoreError
 */
export function ownerOf(directory: string, named: string | undefined): StoreOwner | undefined {
  const uid = process.geteuid?.()
  const present = statSync(directory, { throwIfNoEntry: false })
  if (uid !== 0) {
    if (!present || present.uid === uid) return undefined
    throw new EmbeddedStoreError(
      `The embedded store in ${directory} belongs to the user ${userNamed(String(present.uid))?.name ?? present.uid}: run as that user, or as root.`,
    )
  }
  const above = statSync(dirname(directory))
  // The owner of that directory could redirect root's writes with a link, and could not use files that root owns.
  if (above.uid !== 0)
    throw new EmbeddedStoreError(
      `The data directory ${dirname(directory)} belongs to the user ${userNamed(String(above.uid))?.name ?? above.uid}: run as that user, or give root a directory of its own with --data-dir.`,
    )
  if (present && present.uid !== 0) return known(String(present.uid))
  if (named !== undefined) return known(named)
  for (const name of defaultOwners) {
    const owner = userNamed(name)
    if (owner) return owner
  }
  throw new EmbeddedStoreError(
    `PostgreSQL does not run as root, and this system has none of the users ${defaultOwners.join(', ')}. Name one with --store-user, run as another user, or use a PostgreSQL of your own with --database-url.`,
  )
}

function known(name: string): StoreOwner {
  const owner = userNamed(name)
  if (!owner)
    throw new EmbeddedStoreError(
      `There is no user ${name} that could own the embedded store: see --store-user.`,
    )
  if (owner.uid === 0)
    throw new EmbeddedStoreError('PostgreSQL does not run as root: name another user with --store-user.')
  return owner
}

/** A user by name or number, looked up with the system's `id`. */
export function userNamed(name: string): StoreOwner | undefined {
  const ask = (...options: string[]) =>
    execFileSync('id', [...options, '--', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    return { uid: Number(ask('-u')), gid: Number(ask('-g')), name: ask('-un') }
  } catch {
    return undefined
  }
}
