import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import type { BroughtBy } from '../evidence/reading.ts'
import { settleLinks } from './link-queries.ts'

/** The subjects of a decision: an advertiser or ads, and an app. */
export interface Subjects {
  platform: AdPlatform
  advertiserId: string | null
  archiveIds: readonly string[]
  storeId: string
}

export interface DecisionRow {
  decisionId: string
  action: LinkAction
  note: string | null
  decidedAt: Date
}

/** Decisions in force about the subjects, newest first; at most one for each. */
export function decisionsOn(db: Database, subjects: Subjects): Promise<DecisionRow[]> {
  const { platform, advertiserId, archiveIds, storeId } = subjects
  return rows(
    db,
    sql<DecisionRow>`
      select decision_id as "decisionId", action, note, decided_at as "decidedAt"
      from ad_decisions
      where platform = ${platform} and store_id = ${bigintId(storeId)}
        and (advertiser_id = ${advertiserId} or archive_id = any(${[...archiveIds]}::text[]))
      order by decided_at desc, decision_id desc`,
  )
}

/** Replaces the decisions about the subjects with a new one. */
export async function writeDecisions(
  db: Database,
  { platform, advertiserId, archiveIds, storeId }: Subjects,
  made: DecisionRow & BroughtBy,
): Promise<void> {
  const sent = advertiserId === null ? archiveIds.map((archiveId) => ({ archiveId })) : [{ advertiserId }]
  await sql`
    delete from ad_decisions
    where platform = ${platform} and store_id = ${bigintId(storeId)}
      and (advertiser_id = ${advertiserId} or archive_id = any(${[...archiveIds]}::text[]))`.execute(db)
  await sql`
    insert into ad_decisions (decision_id, platform, advertiser_id, archive_id, store_id, action, note, account_id,
      door, decided_at)
    select ${made.decisionId}::uuid, ${platform}, "advertiserId", "archiveId", ${bigintId(storeId)}, ${made.action},
      ${made.note}, ${made.accountId}::uuid, ${made.door}, ${made.decidedAt}
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent("advertiserId" text, "archiveId" text)`.execute(
    db,
  )
}

/** Deletes an account's decisions about the subjects. @returns them, newest first */
export async function deleteDecisions(
  db: Database,
  accountId: string,
  { platform, advertiserId, archiveIds, storeId }: Subjects,
): Promise<DecisionRow[]> {
  const gone = await rows(
    db,
    sql<DecisionRow>`
      delete from ad_decisions
      where account_id = ${accountId}::uuid and platform = ${platform} and store_id = ${bigintId(storeId)}
        and (advertiser_id = ${advertiserId} or archive_id = any(${[...archiveIds]}::text[]))
      returning decision_id as "decisionId", action, note, decided_at as "decidedAt"`,
  )
  return gone.sort((one, other) => other.decidedAt.getTime() - one.decidedAt.getTime())
}

/** Deletes a decision. @returns its subjects, each once */
export function deleteDecision(db: Database, decisionId: string): Promise<Subjects[]> {
  return rows(
    db,
    sql<Subjects>`
      delete from ad_decisions where decision_id::text = ${decisionId}
      returning platform, advertiser_id as "advertiserId", store_id::text as "storeId",
        to_json(array_remove(array[archive_id], null)) as "archiveIds"`,
  )
}

const adsOf = ({ platform, advertiserId, archiveIds }: Subjects) => sql`(
  select ad_number from ads
  where platform = ${platform}
    and (advertiser_id = ${advertiserId} or archive_id = any(${[...archiveIds]}::text[])))`

/** Recomputes the links of the subjects' ads to that app. */
export function settleSubjects(db: Database, subjects: Subjects): Promise<void> {
  return settleLinks(db, adsOf(subjects), subjects.storeId)
}

/** Number of stored ads of the advertiser without a decision of their own for that app. */
export async function countAdsOfAdvertiser(db: Database, subjects: Subjects): Promise<number> {
  const found = await firstRow(
    db,
    sql<{ count: number }>`
      select count(*)::int as count
      from ads
      where platform = ${subjects.platform} and advertiser_id = ${subjects.advertiserId}
        and archive_id not in (
          select archive_id from ad_decisions
          where platform = ${subjects.platform} and archive_id is not null and store_id = ${bigintId(subjects.storeId)})`,
  )
  return found?.count ?? 0
}
