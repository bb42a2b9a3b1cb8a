import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import { lockCreativeKind } from '../creatives/kind.ts'
import { countChange } from '../evidence/changes.ts'
import type { ProvidedBy } from '../evidence/reading.ts'
import { adKind } from './ad.ts'
import { adKey, knownAds } from './ad-comparison.ts'
import { recomputeAdLinks } from './ad-links.ts'

/** A user's decision that ads, or all ads of an advertiser, belong to an app or do not. */
export interface LinkRequest {
  accountId: string
  door: ProvidedBy['door']
  action: LinkAction
  platform: AdPlatform
  /** Digits. */
  storeId: string
  /** Either one advertiser, or ads, each once. */
  advertiserId: string | null
  archiveIds: readonly string[]
  /** Undefined leaves the note of an existing decision unchanged. */
  note: string | undefined
}

export interface LinkDecision {
  decisionId: string
  note: string | null
  decidedAt: Date
  /** Number of stored ads it currently applies to. */
  storedAds: number
  /** False when the same decision existed already. */
  created: boolean
}

/**
 * Records a decision about links and updates them, atomically.
 * @returns the decision, or the first ad that is not stored
 */
export function decideLinks(db: Database, request: LinkRequest): Promise<LinkDecision | { notStored: string }> {
  return atomically(db, async (transaction) => {
    await lockCreativeKind(transaction, adKind)
    const { platform, archiveIds, storeId } = request
    const known = await knownAds(
      transaction,
      archiveIds.map((archiveId) => ({ platform, archiveId })),
    )
    const notStored = archiveIds.find((archiveId) => !known.has(adKey({ platform, archiveId })))
    if (notStored !== undefined) return { notStored }
    const subjects: LinkDecisionSubjects = { platform, advertiserId: request.advertiserId, archiveIds, storeId }
    const current = await currentDecision(transaction, request, subjects)
    const decision = current ?? (await recordDecision(transaction, request, subjects))
    const storedAds =
      request.advertiserId === null ? archiveIds.length : await countAdsOfAdvertiser(transaction, subjects)
    return { ...decision, storedAds }
  })
}

/**
 * Withdraws the decisions of an account about subjects; those of others stay.
 * @returns the newest of them; undefined when there is none
 */
export function withdrawDecisions(
  db: Database,
  accountId: string,
  subjects: LinkDecisionSubjects,
): Promise<LinkDecision | undefined> {
  return atomically(db, async (transaction) => {
    await lockCreativeKind(transaction, adKind)
    const [newest] = await deleteDecisions(transaction, accountId, subjects)
    if (!newest) return undefined
    await settleSubjects(transaction, subjects)
    await countChange(transaction, ['ads'])
    const storedAds =
      subjects.advertiserId === null
        ? subjects.archiveIds.length
        : await countAdsOfAdvertiser(transaction, subjects)
    return { ...newest, storedAds, created: false }
  })
}

/** Withdraws one decision of any account. @returns whether there was one */
export function withdrawDecision(db: Database, decisionId: string): Promise<boolean> {
  return atomically(db, async (transaction) => {
    await lockCreativeKind(transaction, adKind)
    const subjects = await deleteDecision(transaction, decisionId)
    for (const one of subjects) await settleSubjects(transaction, one)
    if (subjects.length > 0) await countChange(transaction, ['ads'])
    return subjects.length > 0
  })
}

/** The existing decision, if it is the same; undefined when any of it differs. */
async function currentDecision(db: Database, { action, note }: LinkRequest, subjects: LinkDecisionSubjects) {
  const found = await decisionsOn(db, subjects)
  const asked = subjects.advertiserId === null ? subjects.archiveIds.length : 1
  const same = found.filter((row) => row.action === action && (note === undefined || row.note === note))
  const [newest] = same
  if (!newest || same.length < asked) return undefined
  const { decisionId, decidedAt } = newest
  return { decisionId, note: newest.note, decidedAt, created: false }
}

async function recordDecision(db: Database, request: LinkRequest, subjects: LinkDecisionSubjects) {
  const { action, accountId, door } = request
  const decision = { decisionId: uuidv7(), note: request.note ?? null, decidedAt: new Date() }
  await writeDecisions(db, subjects, { ...decision, action, accountId, door })
  await settleSubjects(db, subjects)
  await countChange(db, ['ads'])
  return { ...decision, created: true }
}

/** The subjects of a decision: an advertiser or ads, and an app. */
export interface LinkDecisionSubjects {
  platform: AdPlatform
  advertiserId: string | null
  archiveIds: readonly string[]
  storeId: string
}

interface DecisionRow {
  decisionId: string
  action: LinkAction
  note: string | null
  decidedAt: Date
}

/** Decisions in force about the subjects, newest first; at most one for each. */
function decisionsOn(db: Database, subjects: LinkDecisionSubjects): Promise<DecisionRow[]> {
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
async function writeDecisions(
  db: Database,
  { platform, advertiserId, archiveIds, storeId }: LinkDecisionSubjects,
  made: DecisionRow & ProvidedBy,
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
async function deleteDecisions(
  db: Database,
  accountId: string,
  { platform, advertiserId, archiveIds, storeId }: LinkDecisionSubjects,
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
function deleteDecision(db: Database, decisionId: string): Promise<LinkDecisionSubjects[]> {
  return rows(
    db,
    sql<LinkDecisionSubjects>`
      delete from ad_decisions where decision_id::text = ${decisionId}
      returning platform, advertiser_id as "advertiserId", store_id::text as "storeId",
        to_json(array_remove(array[archive_id], null)) as "archiveIds"`,
  )
}

const adsOf = ({ platform, advertiserId, archiveIds }: LinkDecisionSubjects) => sql`(
  select ad_number from ads
  where platform = ${platform}
    and (advertiser_id = ${advertiserId} or archive_id = any(${[...archiveIds]}::text[])))`

/** Recomputes the links of the subjects' ads to that app. */
function settleSubjects(db: Database, subjects: LinkDecisionSubjects): Promise<void> {
  return recomputeAdLinks(db, adsOf(subjects), subjects.storeId)
}

/** Number of stored ads of the advertiser without a decision of their own for that app. */
async function countAdsOfAdvertiser(db: Database, subjects: LinkDecisionSubjects): Promise<number> {
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
