import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAds as contract } from '../../contract/paid-ads.ts'
import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { decideLinks, type Subjects, withdrawDecisions } from '../../domain/paid-ads/link-decisions.ts'
import type { Database } from '../../storage/database.ts'
import { admitBringing } from '../bringing.ts'
import type { Caller } from '../caller.ts'
import { namesFrom } from '../creative-links.ts'
import { appNamed } from '../creative-lists.ts'
import { appLabel } from '../listing-facts.ts'
import { Problem, refuseInput } from '../problem.ts'
import { competitorNotFound } from './intake.ts'
import { adNotFound } from './paid-ad.ts'

type C = typeof contract

/** Records a decision that ads, or all ads of an advertiser, belong to an app or do not. */
export async function linkPaidAds(
  db: Database,
  caller: Caller,
  { action, platform, advertiserId, archiveIds, competitor, note }: Input<C['admin_link_paid_ads']>,
): Promise<Reply<C['admin_link_paid_ads']>> {
  if (action !== 'withdraw') admitBringing(caller)
  const { accountId } = caller
  if ((advertiserId === undefined) === (archiveIds === undefined))
    refuseInput([
      { pointer: '/body/advertiserId', message: 'give either advertiserId or archiveIds, and not both' },
    ])
  const storeId = await appNamed(db, competitor, '/body/competitor')
  const [label] = await labelsOfApps(db, [storeId], namesFrom)
  if (action === 'link' && !label) throw await competitorNotFound(db, accountId, storeId)
  const named = [...new Set(archiveIds ?? [])]
  const subjects = { platform, advertiserId: advertiserId ?? null, archiveIds: named, storeId }
  const decision =
    action === 'withdraw'
      ? await withdrawn(db, accountId, subjects)
      : await decideLinks(db, { accountId, door: caller.door, action, note, ...subjects })
  if ('notStored' in decision) throw adNotFound({ platform, archiveId: decision.notStored })
  const { created, decisionId, decidedAt, storedAds } = decision
  return {
    created,
    resource: {
      decisionId,
      action,
      platform,
      advertiserId: advertiserId ?? null,
      archiveIds: named,
      app: appLabel(storeId, label),
      note: decision.note,
      appliesToFutureAds: advertiserId !== undefined,
      storedAds,
      decidedAt: decidedAt.toISOString(),
    },
  }
}

async function withdrawn(db: Database, accountId: string, subjects: Subjects) {
  const decision = await withdrawDecisions(db, accountId, subjects)
  if (decision) return decision
  throw new Problem('decision-not-found', 'This account has no standing decision about these and this app.')
}
