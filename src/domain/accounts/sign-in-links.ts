import { sql } from 'kysely'
import { type Database, firstRow } from '../../storage/database.ts'
import { newSecret, secretHash } from './sessions.ts'

/** Minutes for which a link is valid. */
export const linkMinutes = 15

/** Creates a one-time link for a key. @returns its path, which holds the secret: only its hash is stored */
export async function createSignInLink(db: Database, keyId: string): Promise<string> {
  const secret = newSecret()
  await sql`
    insert into sign_in_links (link_hash, key_id, expires_at)
    values (${secretHash(secret)}, ${keyId}::uuid, now() + make_interval(mins => ${linkMinutes}))`.execute(db)
  return `/session/link/${secret}`
}

export async function isUsableLink(db: Database, secret: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select 1 from sign_in_links where link_hash = ${secretHash(secret)} and expires_at > now()`,
  )
  return found !== undefined
}

/** Uses up a link. @returns its key, to the first caller only */
export function takeLink(
  db: Database,
  secret: string,
): Promise<{ keyId: string; accountId: string } | undefined> {
  return firstRow(
    db,
    sql<{ keyId: string; accountId: string }>`
      delete from sign_in_links l using api_keys k
      where l.link_hash = ${secretHash(secret)} and l.expires_at > now() and k.key_id = l.key_id
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
      returning k.key_id as "keyId", k.account_id as "accountId"`,
  )
}
