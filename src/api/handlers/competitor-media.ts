import type { z } from 'zod'
import type { competitorOperations } from '../../contract/competitors.ts'
import type { Reply } from '../../contract/operation.ts'
import type { ProductPage as ProductPageShape, SeenAppEvent } from '../../contract/shapes/competitors.ts'
import type { StorefrontApp } from '../../domain/catalogue/app.ts'
import { eventsSeen, type SeenEvent } from '../../domain/catalogue/app-events.ts'
import type { Listing } from '../../domain/catalogue/listing.ts'
import { mediaChanges, mediaItems, mediaSets } from '../../domain/catalogue/media.ts'
import { type ProductPage, productPagesOf } from '../../domain/creatives/product-pages.ts'
import { fieldFact } from '../../domain/facts/fact.ts'
import { evidenceOfField } from '../../domain/facts/merge.ts'
import type { Database } from '../../storage/database.ts'
import type { listingShows, MediaDevice } from '../../vocabulary/devices.ts'
import { unsearched } from '../aso-facts.ts'
import { evidenceShapes } from '../evidence.ts'
import { appReplyHeader } from '../listing-facts.ts'

type Answer = Reply<(typeof competitorOperations)['get_competitor_media']>
type Shown = (typeof listingShows)[number]

const shownSets: readonly { field: keyof Listing; kind: Shown; device: MediaDevice }[] = [
  ...mediaSets,
  { field: 'events', kind: 'event', device: 'any' },
]

/** The media, in-app events and custom product pages of a listing, of one kind or all. */
export async function competitorMedia(
  db: Database,
  app: StorefrontApp,
  kind: Shown | undefined,
): Promise<Answer> {
  const { state, country, storeId } = app
  const isWanted = (shown: Shown) => kind === undefined || kind === shown
  const wanted = <T extends { kind: Shown }>(item: T) => isWanted(item.kind)
  const sets = shownSets.filter(wanted)
  const pages = isWanted('product-page') ? await productPagesOf(db, storeId) : []
  return {
    ...appReplyHeader(app),
    items: (state ? mediaItems(state) : []).filter(wanted).map((item) => ({
      ...item,
      firstSeenAt: new Date(item.firstSeenAt).toISOString(),
      lastSeenAt: new Date(item.lastSeenAt).toISOString(),
      kept: { status: 'not-kept', reason: 'media of listings are not copied', checkedAt: null },
    })),
    changes: (state ? mediaChanges(state) : [])
      .filter(wanted)
      .map((change) => ({ ...change, at: new Date(change.at).toISOString() })),
    events: state && isWanted('event') ? eventsSeen(state, Date.now()).map(eventShape) : [],
    productPages: pages.map((page) => pageShape(page, storeId, country)),
    coverage: [
      ...sets.map((set) => coverage(app, set)),
      ...(isWanted('product-page') ? [pageCoverage(pages)] : []),
    ],
    evidence: evidenceShapes(
      (state?.record.evidence ?? []).filter((entry) => sets.some(({ field }) => entry.fields.includes(field))),
      country,
    ),
  }
}

const eventShape = (event: SeenEvent): z.output<typeof SeenAppEvent> => ({
  ...event,
  firstSeenAt: new Date(event.firstSeenAt).toISOString(),
  lastSeenAt: new Date(event.lastSeenAt).toISOString(),
})

const times = ({ firstSeenAt, lastSeenAt }: { firstSeenAt: Date; lastSeenAt: Date }) => ({
  firstSeenAt: firstSeenAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
})

const pageShape = (page: ProductPage, storeId: string, country: string): z.output<typeof ProductPageShape> => ({
  productPageId: page.productPageId,
  url: `https://apps.apple.com/${country}/app/id${storeId}?ppid=${encodeURIComponent(page.productPageId)}`,
  ...times(page),
  seen: page.seen.map((seen) => ({ ...seen, ...times(seen) })),
})

type Coverage = Answer['coverage'][number]

function coverage({ state, failedChecks }: StorefrontApp, set: (typeof shownSets)[number]): Coverage {
  const { field, kind, device } = set
  const looked = state && evidenceOfField(state.record, field)
  const fact = fieldFact(state?.record ?? unsearched(failedChecks.has('lookup')), field)
  const value = state?.record.facts[field]
  const found = Array.isArray(value) ? value.length > 0 : Boolean(value)
  return {
    kind,
    device,
    state: looked ? (found ? 'measured' : 'absent') : 'not-measured',
    reason: fact.state === 'not-measured' ? fact.reason : null,
    sources: looked ? [looked.source] : [],
    lastLookedAt: looked?.observedAt ?? null,
  }
}

/** Ads and posts without one are no sign that an app has none. */
function pageCoverage([newest]: readonly ProductPage[]): Coverage {
  return {
    kind: 'product-page',
    device: 'any',
    state: newest ? 'measured' : 'not-measured',
    reason: newest ? null : 'not-carried',
    sources: [],
    lastLookedAt: newest?.lastSeenAt.toISOString() ?? null,
  }
}
