import { sql } from 'kysely'
import { type Database, firstRow, inTransaction, rows } from '../../storage/database.ts'
import { newToken, tokenHash } from './channels.ts'

/** A link by which people without an account read one report of an account. */
export interface ReportLink {
  linkId: string
  /** Of the report. */
  title: string
  createdAt: Date
  expiresAt: Date
}

/** Most links of an account that lead somewhere. */
export const maxReportLinks = 50

/** The links of an account that lead somewhere, newest first. */
export function reportLinksOf(db: Database, accountId: string): Promise<ReportLink[]> {
  return rows(
    db,
    sql<ReportLink>`
      select link_id as "linkId", title, created_at as "createdAt", expires_at as "expiresAt" from report_links
      where account_id = ${accountId}::uuid and expires_at > now()
      order by created_at desc, link_id`,
  )
}

/**
 * Stores a report as it is now, for whoever has its link. Links that have expired are deleted.
 * @param linkId chosen by who asks: asked for again, nothing is made
 * @returns the link and its token, which is stored nowhere; `known` where the id was used; `full` where there are too many
 */
export function shareReport(
  db: Database,
  accountId: string,
  { linkId, title, page, days }: { linkId: string; title: string; page: string; days: number },
): Promise<(ReportLink & { token: string }) | 'known' | 'full'> {
  return inTransaction(db, async (transaction) => {
    // Links of an account are made one after the other, so that two do not both take the last place.
    await sql`select pg_advisory_xact_lock(hashtext(${`rivalscope report links ${accountId}`}))`.execute(
      transaction,
    )
    await sql`delete from report_links where expires_at <= now()`.execute(transaction)
    const count = await firstRow(
      transaction,
      sql<{ links: number; known: boolean }>`
        select count(*) filter (where account_id = ${accountId}::uuid)::int as links,
          coalesce(bool_or(link_id = ${linkId}::uuid), false) as known
        from report_links where account_id = ${accountId}::uuid or link_id = ${linkId}::uuid`,
    )
    if (count?.known) return 'known'
    if ((count?.links ?? 0) >= maxReportLinks) return 'full'
    const token = newToken()
    const made = await firstRow(
      transaction,
      sql<ReportLink>`
        insert into report_links (link_id, account_id, token_hash, title, page, expires_at)
        values (${linkId}::uuid, ${accountId}::uuid, ${tokenHash(token)}, ${title}, ${page},
          now() + make_interval(days => ${days}))
        returning link_id as "linkId", title, created_at as "createdAt", expires_at as "expiresAt"`,
    )
    if (!made) throw new Error('The link was not stored.')
    return { ...made, token }
  })
}

/** Deletes a link of an account, with its report. @returns whether there was one */
export async function revokeReportLink(db: Database, accountId: string, linkId: string): Promise<boolean> {
  const gone = await rows(
    db,
    sql`delete from report_links where link_id = ${linkId}::uuid and account_id = ${accountId}::uuid returning link_id`,
  )
  return gone.length > 0
}

/** The report of a token, as it was shared; undefined for one that is unknown, revoked or expired. */
export function sharedReport(
  db: Database,
  token: string,
): Promise<{ linkId: string; page: string } | undefined> {
  return firstRow(
    db,
    sql<{ linkId: string; page: string }>`
      select link_id as "linkId", page from report_links
      where token_hash = ${tokenHash(token)} and expires_at > now()`,
  )
}
