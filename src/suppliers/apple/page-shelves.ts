import { z } from 'zod'
import type { AppSighting, Listing } from '../../domain/catalogue/listing.ts'
import { address, clean, identifier, instant, longestName } from '../../ingest/fields.ts'
import type { AppEvent, ListingField } from '../../vocabulary/listing-fields.ts'
import { at, isRecord, itemsOf, listOf, pictureAddress, type Shelves } from './page-values.ts'

type PromotedFields = Pick<Listing, 'tags' | 'reviewSummary' | 'events'>

/** Most events and tags of a page: Apple shows about ten. Longer lists are unreadable. */
const mostOfShelf = 100
/** Characters; Apple's summaries have some hundreds. */
const longestSummary = 5_000

/**
 * What Apple added to pages: tags, its summary of reviews and in-app events. A shelf that the page leaves out is not measured. Pages
 * known here carry no product page header and no media of search results, so neither is read.
 *
 * - Events: `shelfMapping.appEvents.items`, each `{promotionType: 'appEvent', appEventId, kind, title, subtitle, detail, startDate, endDate,
 *   moduleArtwork, moduleVideo}`; also seen under `clickAction.pageData.appEvent` of an item. Offers (another `promotionType`) are
 *   left out. Apple's client leaves out the whole shelf where no event is published, and events that have ended, so a page with a
 *   description and no such shelf shows none.
 * - Tags: `shelfMapping.description.items[0].tags`, each `{title}`.
 * - Summary: `shelfMapping.reviewSummary.items[0].bodyNoTitle`, which is `^[text](jetFont: …)`. That client builds it for iOS alone, so
 *   pages of the web are expected to have none.
 *
 * Source: Apple's web client as served in November 2025 (common/app-promotions, product-page/shelves/description-shelf,
 * product-page/reviews; a public copy), and a public monitor of listings of May 2026 for events. Not observed by us.
 * @param isWhole whether the page has the wrapping of that client, so that what it leaves out is not there
 */
export function readPromotions(
  shelves: Shelves,
  isWhole: boolean,
): Pick<AppSighting, 'listing' | 'unreadable'> {
  const fields: { [F in keyof PromotedFields]: PromotedFields[F] | undefined | 'unreadable' } = {
    tags: tagsIn(shelves),
    reviewSummary: summaryIn(shelves),
    events: eventsIn(shelves, isWhole),
  }
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined)
  const unreadable = stated.flatMap(([field, value]) => (value === 'unreadable' ? [field as ListingField] : []))
  return {
    listing: Object.fromEntries(stated.filter(([, value]) => value !== 'unreadable')) as AppSighting['listing'],
    ...(unreadable.length > 0 ? { unreadable } : {}),
  }
}

function tagsIn(shelves: Shelves): string[] | undefined | 'unreadable' {
  const tags = at(shelves.description, 'items', 0, 'tags') ?? undefined
  if (tags === undefined) return undefined
  const titles = listOf(tags)?.map((tag) => Line.safeParse(at(tag, 'title')).data)
  if (!titles || titles.length > mostOfShelf) return 'unreadable'
  return titles.every((title) => title !== undefined) ? [...new Set(titles)] : 'unreadable'
}

function summaryIn(shelves: Shelves): string | undefined | 'unreadable' {
  if (!isRecord(shelves.reviewSummary)) return undefined
  const body = at(shelves.reviewSummary, 'items', 0, 'bodyNoTitle')
  if (typeof body !== 'string') return 'unreadable'
  const text = clean(/^\^\[(.*)\]\(jetFont:[^()]*\)$/s.exec(body.trim())?.[1] ?? body)
  return text !== '' && text.length <= longestSummary ? text : 'unreadable'
}

function eventsIn(shelves: Shelves, isWhole: boolean): AppEvent[] | undefined | 'unreadable' {
  const shelf = shelves.appEvents ?? undefined
  if (shelf === undefined) return isWhole && (itemsOf(shelves, 'description')?.length ?? 0) > 0 ? [] : undefined
  const items = itemsOf(shelves, 'appEvents')
  if (!items || items.length > mostOfShelf) return 'unreadable'
  const events = new Map<string, AppEvent>()
  for (const item of items) {
    const kind = at(item, 'promotionType')
    if (typeof kind === 'string' && kind !== 'appEvent') continue
    const event = eventOf(at(item, 'clickAction', 'pageData', 'appEvent') ?? item)
    if (!event) return 'unreadable'
    if (!events.has(event.eventId)) events.set(event.eventId, event)
  }
  return [...events.values()].sort(
    (one, other) => compare(one.startsAt, other.startsAt) || compare(one.eventId, other.eventId),
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Text on a single line: histories keep an event on one. */
const oneLine = (text: string) => clean(text).replaceAll(/\s+/g, ' ')
const Line = z.string().transform(oneLine).pipe(z.string().min(1).max(longestName))
const OptionalLine = z
  .string()
  .nullish()
  .transform((text) => oneLine(text ?? '') || null)
  .pipe(z.string().max(longestName).nullable())
/** An instant whose zone is stated. */
const Instant = z
  .string()
  .regex(/T.*(?:Z|[+-]\d{2}:?\d{2})$/)
  .transform(instant)
  .pipe(z.string())

const Event = z.object({
  appEventId: identifier,
  title: Line,
  kind: Line,
  startDate: Instant,
  endDate: Instant.nullish(),
  subtitle: OptionalLine,
  detail: OptionalLine,
})

/** Undefined where what tells an event cannot be read. A picture that cannot be read is left out. */
function eventOf(item: unknown): AppEvent | undefined {
  const event = Event.safeParse(item).data
  if (!event) return undefined
  const video = at(item, 'moduleVideo')
  return {
    eventId: event.appEventId,
    name: event.title,
    kind: event.kind,
    startsAt: event.startDate,
    endsAt: event.endDate ?? null,
    shortDescription: event.subtitle,
    description: event.detail,
    imageUrl: pictureAddress(at(item, 'moduleArtwork')) ?? pictureAddress(at(video, 'preview')) ?? null,
    videoUrl: address.safeParse(at(video, 'videoUrl')).data ?? null,
  }
}
