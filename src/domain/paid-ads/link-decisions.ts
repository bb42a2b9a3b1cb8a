import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import { lockKind } from '../creatives/kind-queries.ts'
import type { BroughtBy } from '../evidence/reading.ts'
import { adKind } from './ad-kind.ts'
import { adKey, knownAds } from './ad-queries.ts'
import {
  countAdsOfAdvertiser,
  decisionsOn,
  deleteDecision,
  deleteDecisions,
  type Subjects,
  settleSubjects,
  writeDecisions,
} from './decision-queries.ts'

/** What a person decides: that ads, or all ads of an advertiser, belong to an app or do not. */
export interface LinkRequest {
  accountId: string
  door: BroughtBy['door']
  action: LinkAction
  platform: AdPlatform
  /** Digits. */
  storeId: string
  /** Either one advertiser, or ads, each once. */
  advertiserId: string | null
  archiveIds: readonly string[]
  /** Undefined is no wish: a decision that stands keeps its note. */
  note: string | undefined
}

export interface LinkDecision {
  decisionId: string
  note: string | null
  decidedAt: Date
  /** Stored ads it applies to now. */
  storedAds: number
  /** False when the same decision stood already. */
  created: boolean
}

/**
 * Records a decision about links and settles them, all or nothing.
 * @returns the decision, or the first ad that is not stored
 */
export function decideLinks(db: Database, request: LinkRequest): Promise<LinkDecision | { notStored: string }> {
  return inTransaction(db, async (transaction) => {
    await lockKind(transaction, adKind)
    const { platform, archiveIds, storeId } = request
    const known = await knownAds(
      transaction,
      archiveIds.map((archiveId) => ({ platform, archiveId })),
    )
    const notStored = archiveIds.find((archiveId) => !known.has(adKey({ platform, archiveId })))
    if (notStored !== undefined) return { notStored }
    const subjects: Subjects = { platform, advertiserId: request.advertiserId, archiveIds, storeId }
    const current = await currentDecision(transaction, request, subjects)
    const decision = current ?? (await decideAnew(transaction, request, subjects))
    const storedAds =
      request.advertiserId === null ? archiveIds.length : await countAdsOfAdvertiser(transaction, subjects)
    return { ...decision, storedAds }
  })
}

/**
 * Takes back the decisions of an account about subjects; what others decided stays.
 * @returns the newest of them; undefined when none stands
 */
export function withdrawDecisions(
  db: Database,
  accountId: string,
  subjects: Subjects,
): Promise<LinkDecision | undefined> {
  return inTransaction(db, async (transaction) => {
    await lockKind(transaction, adKind)
    const [newest] = await deleteDecisions(transaction, accountId, subjects)
    if (!newest) return undefined
    await settleSubjects(transaction, subjects)
    const storedAds =
      subjects.advertiserId === null
        ? subjects.archiveIds.length
        : await countAdsOfAdvertiser(transaction, subjects)
    return { ...newest, storedAds, created: false }
  })
}

/** Takes back one decision, whoever made it. @returns whether there was one */
export function withdrawDecision(db: Database, decisionId: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    await lockKind(transaction, adKind)
    const subjects = await deleteDecision(transaction, decisionId)
    for (const one of subjects) await settleSubjects(transaction, one)
    return subjects.length > 0
  })
}

/** The decision that says the same already; undefined when any of it is new. */
async function currentDecision(db: Database, { action, note }: LinkRequest, subjects: Subjects) {
  const found = await decisionsOn(db, subjects)
  const asked = subjects.advertiserId === null ? subjects.archiveIds.length : 1
  const same = found.filter((row) => row.action === action && (note === undefined || row.note === note))
  const [newest] = same
  if (!newest || same.length < asked) return undefined
  const { decisionId, decidedAt } = newest
  return { decisionId, note: newest.note, decidedAt, created: false }
}

async function decideAnew(db: Database, request: LinkRequest, subjects: Subjects) {
  const { action, accountId, door } = request
  const decision = { decisionId: uuidv7(), note: request.note ?? null, decidedAt: new Date() }
  await writeDecisions(db, subjects, { ...decision, action, accountId, door })
  await settleSubjects(db, subjects)
  return { ...decision, created: true }
}
