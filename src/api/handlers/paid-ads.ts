import type { z } from 'zod'
import type { Input, Reply } from '../../contract/operation.ts'
import type { paidAdOperations as contract } from '../../contract/paid-ads.ts'
import type { KnownAdvertiser } from '../../contract/shapes/ad-imports.ts'
import type { CoverageNote } from '../../contract/shapes/paid-ads.ts'
import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { findCreatives } from '../../domain/creatives/search/search.ts'
import { searchableAds } from '../../domain/paid-ads/ad-search.ts'
import { type StoredAdvertiser, storedAdvertisers } from '../../domain/paid-ads/advertisers.ts'
import type { LinkDecisionSubjects } from '../../domain/paid-ads/link-decisions.ts'
import { decideLinks, withdrawDecisions } from '../../domain/paid-ads/link-decisions.ts'
import { type LinkedApps, linkedAppsOf } from '../../domain/paid-ads/linked-apps.ts'
import { yesterday } from '../../domain/paid-ads/search-plan.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import { type AdvertiserLookup, lookUpAdvertisers } from '../../jobs/ad-imports/ask-page.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import { type AdPlatform, adLibraryRow, adPlatforms, advertiserIdForm } from '../../vocabulary/ad-platforms.ts'
import { supplierRow } from '../../vocabulary/suppliers.ts'
import { adCoverageOf } from '../ad-coverage.ts'
import { withReadings } from '../ad-readings.ts'
import { adShapes } from '../ad-shapes.ts'
import { admitUserEvidence, type Caller } from '../caller.ts'
import { labelsOfLinkedApps, preferredNameStorefront } from '../creative-links.ts'
import {
  decodeSearchCursor,
  nextSearchCursor,
  resolveAppFilter,
  resolveAppReference,
} from '../creative-lists.ts'
import type { Handlers } from '../door.ts'
import { evidenceShapes } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { Problem, refuseInput } from '../problem.ts'
import { type Replies, withRememberedReplies } from '../remembered-replies.ts'
import { competitorNotFound } from './add-app.ts'
import {
  adNotFound,
  analyzeCreative,
  generateTranscript,
  getPaidAd,
  removeSavedPaidAd,
  savePaidAd,
} from './paid-ad.ts'
import { getPaidAdImport, importPaidAds, previewPaidAds, retryPaidAdImport } from './paid-ad-imports.ts'

export function paidAdHandlers(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  replies: Replies,
): Handlers<typeof contract> {
  return {
    search_paid_ads: withRememberedReplies(
      replies,
      'search_paid_ads',
      // Whether a library was asked about an app depends on the days that its searches are about.
      (input: Input<C['search_paid_ads']>, { accountId }) => ({
        input,
        accountId,
        today: yesterday(new Date()),
      }),
      ({ input, accountId }) => searchPaidAds(db, collecting, accountId, input),
    ),
    get_paid_ad: (input, caller) => getPaidAd(db, collecting, caller.accountId, input),
    generate_paid_ad_transcript: (input) => generateTranscript(db, enqueue, input),
    analyze_paid_ad_creative: (input, caller) => analyzeCreative(db, enqueue, caller.accountId, input),
    save_paid_ad: (input, caller) => savePaidAd(db, enqueue, caller.accountId, input),
    remove_saved_paid_ad: (input, caller) => removeSavedPaidAd(db, caller.accountId, input),
    admin_search_paid_ad_advertisers: (input, caller) =>
      searchAdvertisers(db, collecting, caller.accountId, input),
    admin_preview_paid_ads: {
      ask: (input, caller) => previewPaidAds(db, collecting, caller, input),
    },
    admin_import_paid_ads: (input, caller) => importPaidAds(db, enqueue, collecting, caller, input),
    admin_get_paid_ad_import: (input, caller) => getPaidAdImport(db, collecting, caller.accountId, input),
    admin_retry_paid_ad_import: (input, caller) => retryPaidAdImport(db, enqueue, collecting, caller, input),
    admin_link_paid_ads: (input, caller) => linkPaidAds(db, caller, input),
  }
}

type C = typeof contract

/** Records a decision that ads, or all ads of an advertiser, belong to an app or do not. */
async function linkPaidAds(
  db: Database,
  caller: Caller,
  { action, platform, advertiserId, archiveIds, competitor, note }: Input<C['admin_link_paid_ads']>,
): Promise<Reply<C['admin_link_paid_ads']>> {
  if (action !== 'withdraw') admitUserEvidence(caller)
  const { accountId } = caller
  if ((advertiserId === undefined) === (archiveIds === undefined))
    refuseInput([
      { pointer: '/body/advertiserId', message: 'give either advertiserId or archiveIds, and not both' },
    ])
  if (advertiserId !== undefined && !advertiserIdForm(platform).test(advertiserId))
    refuseInput([
      {
        pointer: '/body/advertiserId',
        message: `is no ${adLibraryRow(platform).advertiserId} of ${supplierRow(platform).label}`,
      },
    ])
  const storeId = await resolveAppReference(db, competitor, '/body/competitor')
  const [label] = await labelsOfApps(db, [storeId], preferredNameStorefront)
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
    withdrawn: action === 'withdraw',
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

async function withdrawn(db: Database, accountId: string, subjects: LinkDecisionSubjects) {
  const decision = await withdrawDecisions(db, accountId, subjects)
  if (decision) return decision
  throw new Problem('decision-not-found', 'This account has no standing decision about these and this app.')
}

type Shape = z.output<typeof KnownAdvertiser>

async function searchAdvertisers(
  db: Database,
  collecting: CollectingClients,
  accountId: string,
  { platform, q, country, limit }: Input<C['admin_search_paid_ad_advertisers']>,
): Promise<Reply<C['admin_search_paid_ad_advertisers']>> {
  const platforms: readonly AdPlatform[] = platform ? [platform] : adPlatforms
  const asked = q === undefined ? [] : platforms
  const [stored, ...lookups] = await Promise.all([
    storedAdvertisers(db, { platforms, q, country, limit }),
    ...asked.map((each) => lookUpAdvertisers(db, collecting, each, q ?? '', platform !== undefined)),
  ])
  const upstream = lookups.flatMap((lookup, index) => foundBy(asked[index] ?? 'meta', lookup))
  const here = upstream.filter((found) => country === undefined || found.country === country)
  const items = merged(await storedShapes(db, stored, accountId), here, upstream)
  return {
    items: items.slice(0, limit),
    nextCursor: null,
    lookups: lookups.map((lookup, index) => lookupShape(asked[index] ?? 'meta', lookup)),
    restrictions: lookups.flatMap((lookup, index) =>
      lookup.outcome === 'answered'
        ? lookup.restrictions.map(({ on, ...told }) => ({
            platform: asked[index] ?? 'meta',
            ...told,
            actedOn: on,
          }))
        : [],
    ),
  }
}

const keyOf = ({ platform, kind, advertiserId }: Pick<Shape, 'platform' | 'kind' | 'advertiserId'>) =>
  `${platform} ${kind} ${advertiserId}`

function foundBy(platform: AdPlatform, lookup: AdvertiserLookup): Shape[] {
  if (lookup.outcome !== 'answered') return []
  return lookup.advertisers.map(({ isApp, ...found }) => ({
    platform,
    kind: isApp ? 'app' : 'advertiser',
    ...found,
    foundIn: ['upstream'],
    storedAds: 0,
    newestObservationAt: null,
    linkedApps: [],
    evidence: [],
  }))
}

/** Stored advertisers first, supplemented by the platform; then those only the platform knows. */
function merged(stored: readonly Shape[], here: readonly Shape[], upstream: readonly Shape[]): Shape[] {
  const found = new Map(upstream.map((one) => [keyOf(one), one]))
  const known = new Set(stored.map(keyOf))
  return [
    ...stored.map((one): Shape => {
      const also = found.get(keyOf(one))
      return also ? { ...one, country: also.country, foundIn: ['stored', 'upstream'] } : one
    }),
    ...here.filter((one) => !known.has(keyOf(one))),
  ]
}

async function storedShapes(
  db: Database,
  stored: readonly StoredAdvertiser[],
  accountId: string,
): Promise<Shape[]> {
  const storeIds = stored.flatMap((one) => one.storeIds)
  const labels = await labelsOfLinkedApps(db, storeIds)
  return stored.map(({ storeIds, evidence, newestObservationAt, name, ...one }) => ({
    kind: 'advertiser',
    ...one,
    name: name ?? one.advertiserId,
    country: null,
    foundIn: ['stored'],
    newestObservationAt: newestObservationAt.toISOString(),
    linkedApps: storeIds.map((storeId) => labels.get(storeId) ?? appLabel(storeId, undefined)),
    evidence: evidenceShapes([evidence], null, accountId),
  }))
}

const lookupShape = (
  platform: AdPlatform,
  lookup: AdvertiserLookup,
): Reply<C['admin_search_paid_ad_advertisers']>['lookups'][number] =>
  lookup.outcome === 'answered'
    ? { platform, outcome: 'answered', found: lookup.advertisers.length, message: null }
    : { platform, outcome: lookup.outcome, found: null, message: lookup.message }

export async function searchPaidAds(
  db: Database,
  libraries: Pick<CollectingClients, 'adLibraries'>,
  accountId: string,
  { limit, cursor, ...asked }: Input<C['search_paid_ads']>,
): Promise<Reply<C['search_paid_ads']>> {
  const { competitor, categoryId, reading, saved, tag, sort, ...filters } = asked
  const list = ['search_paid_ads', accountId, asked]
  const page = decodeSearchCursor(cursor, list, { q: asked.q, sort, limit })
  const marks = {
    saved: saved === undefined ? undefined : { accountId, is: saved },
    tagged: tag === undefined ? undefined : { accountId, tag },
  }
  const named = competitor && (await resolveAppFilter(db, competitor))
  const linked = categoryId === undefined ? undefined : await linkedAppsOf(db, Number(categoryId))
  const apps =
    linked && named ? named.filter((app) => linked.ofGenre.includes(app)) : (linked?.ofGenre ?? named)
  const [found, coverage] = await Promise.all([
    findCreatives(db, searchableAds, { ...filters, ...marks, apps }, sort, page),
    adCoverageOf(db, libraries, filters.platform ? [filters.platform] : adPlatforms, named),
  ])
  const ads = await adShapes(db, accountId, found.numbers)
  return {
    items: reading ? await withReadings(db, ads) : ads,
    total: found.total,
    nextCursor: nextSearchCursor(found, list),
    // It is about all platforms together, and told once.
    coverage: coverage.map((one, index) =>
      linked && index === 0 ? { ...one, notes: [...one.notes, notLinked(linked)] } : one,
    ),
  }
}

/** What a search by category does not find. */
const notLinked = ({ ofGenre, all, unknown }: LinkedApps): z.output<typeof CoverageNote> => ({
  code: 'not-linked',
  message: `Of ${all} apps that stored ads are linked to, ${ofGenre.length} are of this category, and of ${unknown} none is known. Ads linked to no app are not found.`,
  since: null,
})
