import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import type { LinkAction } from '../../vocabulary/creatives.ts'
import { lockKind } from '../creatives/kind.ts'
import { countChange } from '../evidence/changes.ts'
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

/** A user's decision that ads, or all ads of an advertiser, belong to an app or do not. */
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
 * Withdraws the decisions of an account about subjects; those of others stay.
 * @returns the newest of them; undefined when there is none
 */
export function withdrawDecisions(
  db: Database,
  accountId: string,
  subjects: Subjects,
): Promise<LinkDecision | undefined> {
  return atomically(db, async (transaction) => {
    await lockKind(transaction, adKind)
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
    await lockKind(transaction, adKind)
    const subjects = await deleteDecision(transaction, decisionId)
    for (const one of subjects) await settleSubjects(transaction, one)
    if (subjects.length > 0) await countChange(transaction, ['ads'])
    return subjects.length > 0
  })
}

/** The existing decision, if it is the same; undefined when any of it differs. */
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
  await countChange(db, ['ads'])
  return { ...decision, created: true }
}
