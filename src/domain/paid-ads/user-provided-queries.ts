import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'

/** User-provided evidence. */
export interface UserProvidedEvidence {
  /** Id of the import run, or of the decision. */
  id: string
  kind: 'records' | 'link' | 'unlink'
  /** A description. */
  what: string
  account: string
  door: string
  broughtAt: Date
  withdrawnAt: Date | null
}

/** User-provided evidence of all accounts or one, newest first. Withdrawn or replaced decisions are not included. */
export function userProvidedEvidence(
  db: Database,
  account: string | undefined,
): Promise<UserProvidedEvidence[]> {
  return rows(
    db,
    sql<UserProvidedEvidence>`
      select b.id, b.kind, b.what, n.name as account, b.door, b."broughtAt", b."withdrawnAt"
      from (
        select run_id::text as id, 'records' as kind, account_id, door, w.created_at as "broughtAt",
          withdrawn_at as "withdrawnAt", platform || ': ' || read || ' ad records' as what
        from ad_imports join work w on w.work_id = run_id
        where query is null
        union all
        select decision_id::text, action, account_id, min(door), min(decided_at), null::timestamptz,
          platform || ': ' || case when min(advertiser_id) is null then count(*) || ' ads'
            else 'advertiser ' || min(advertiser_id) end || ' and app ' || store_id
        from ad_decisions group by decision_id, action, account_id, platform, store_id
      ) b
      join accounts n using (account_id)
      where ${account ?? null}::text is null or n.name = ${account ?? null}
      order by b."broughtAt" desc, b.id desc`,
  )
}
