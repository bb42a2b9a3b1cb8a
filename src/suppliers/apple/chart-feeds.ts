import { z } from 'zod'
import type { AppSighting } from '../../domain/catalogue/listing.ts'
import {
  address,
  clean,
  currency,
  genreId,
  identifier,
  instant,
  isSupportedYear,
  nameText,
  remembering,
} from '../../ingest/fields.ts'
import type { ChartIdentity } from '../../vocabulary/chart-identity.ts'
import { type ChartKind, chartKinds } from '../../vocabulary/chart-kinds.ts'
import { type Device, devices } from '../../vocabulary/devices.ts'

/**
 * Apple's three RSS feeds of charts. The rank of an entry is its position and nothing else.
 * - v2, `rss.marketingtools.apple.com/api/v2/{cc}/apps/{chart}/{n}/apps.json`, all categories only
 * - v1, `rss.itunes.apple.com/api/v1/{cc}/ios-apps/{chart}/all/{n}/explicit.json`
 * - legacy with genre and grossing, `itunes.apple.com/{cc}/rss/{feed}/limit={n}/genre={id}/json`
 */
export interface ChartFeed {
  source: 'apple-rss-v2' | 'apple-rss-v1' | 'apple-rss-legacy'
  identity: ChartIdentity
  requested: number | null
  /** When Apple made the feed, RFC 3339. */
  updatedAt: string | undefined
  entries: FeedEntry[]
}

/** An entry of the feed: an app, or why it could not be read. */
export type FeedEntry = { sighting: AppSighting } | { reason: string; record: unknown }

const Feed = z.object({
  feed: z.object({
    id: z.union([z.string(), z.object({ label: z.string() })]).optional(),
    link: z.unknown().optional(),
    links: z.unknown().optional(),
    updated: z.union([z.string(), z.object({ label: z.string() })]).optional(),
    results: z.array(z.unknown()).optional(),
    entry: z.unknown().optional(),
  }),
})

/** Whether a parsed document is a feed of one of the three shapes. */
export function isChartFeed(document: unknown): boolean {
  return Feed.safeParse(document).success
}

/** Parses a feed, or returns why it is none. */
export function readChartFeed(document: unknown): ChartFeed | { reason: string } {
  const parsed = Feed.safeParse(document)
  if (!parsed.success) return { reason: 'not an Apple chart feed' }
  const { feed } = parsed.data
  const named = [feed.id, feed.link, feed.links].map((part) => JSON.stringify(part ?? '')).join(' ')
  const address = chartAddress(named)
  if ('reason' in address) return address
  const results = feed.results ?? asList(feed.entry)
  if (results.length > mostPlaces)
    return { reason: `${results.length} places, where no chart has more than ${mostPlaces}` }
  const updated = typeof feed.updated === 'string' ? feed.updated : feed.updated?.label
  return {
    ...address,
    updatedAt: updated ? feedTime(updated) : undefined,
    entries: results.map(address.source === 'apple-rss-legacy' ? legacyEntries : newerEntries),
  }
}

/** `entry` is an object when there is only one, and missing when there is none. */
function asList(entry: unknown): unknown[] {
  if (entry === undefined || entry === null) return []
  return Array.isArray(entry) ? entry : [entry]
}

/** v2 feeds carry RFC 2822 times, the older ones RFC 3339 with an offset; an implausible one is ignored. */
function feedTime(text: string): string | undefined {
  const time = new Date(instant(text) ?? (/^[A-Z][a-z]{2}, /.test(text) ? text : Number.NaN))
  return isSupportedYear(time) ? time.toISOString() : undefined
}

type Address = Pick<ChartFeed, 'source' | 'identity' | 'requested'>

const v2Address = /\/api\/v2\/([a-z]{2})\/apps\/([a-z-]+)\/(\d+)\//i
const v1Address = /\/api\/v1\/([a-z]{2})\/ios-apps\/([a-z-]+)\/(all|games|\d+)\/(\d+)\//i
const legacyAddress = /itunes\.apple\.com\/([a-z]{2})\/rss\/([a-z]+)((?:\/[a-z]+=[^/"]+)*)\/(?:json|xml)/i

/** The chart that an address of Apple's feeds names, anywhere in the text. */
export function chartAddress(text: string): Address | { reason: string } {
  const v2 = v2Address.exec(text)
  if (v2) return known('apple-rss-v2', v2[1], newerCharts.get(v2[2] ?? ''), 36, v2[3], v2[2])
  const v1 = v1Address.exec(text)
  if (v1) {
    const genre = v1[3] === 'all' ? 36 : v1[3] === 'games' ? 6014 : Number(v1[3])
    return known('apple-rss-v1', v1[1], newerCharts.get(v1[2] ?? ''), genre, v1[4], v1[2])
  }
  const legacy = legacyAddress.exec(text)
  if (legacy) {
    const options = new Map((legacy[3] ?? '').split('/').map((part) => part.split('=') as [string, string]))
    const genre = Number(options.get('genre') ?? 36)
    return known(
      'apple-rss-legacy',
      legacy[1],
      legacyCharts.get(legacy[2] ?? ''),
      genre,
      options.get('limit'),
      legacy[2],
    )
  }
  return { reason: 'the feed names no chart address' }
}

function known(
  source: Address['source'],
  country: string | undefined,
  chart: { kind: ChartKind; device: Device } | undefined,
  categoryId: number,
  limit: string | undefined,
  name: string | undefined,
): Address | { reason: string } {
  if (!chart) return { reason: `the feed "${name ?? ''}" is not a ranked chart of iOS apps` }
  if (!genreId.safeParse(categoryId).success) return { reason: 'the feed names no genre of Apple' }
  return {
    source,
    identity: { country: (country ?? '').toLowerCase(), kind: chart.kind, categoryId, device: chart.device },
    requested: limit && /^[1-9]\d*$/.test(limit) && Number(limit) <= mostPlaces ? Number(limit) : null,
  }
}

/** The most places that a feed of Apple's ever had. */
export const mostPlaces = 1_000

/** The name of a chart in the addresses of the older feed. */
export const legacyFeed = (kind: ChartKind, device: Device) =>
  `${kind.replaceAll('-', '')}${device === 'ipad' ? 'ipad' : ''}applications`

const newerFeed = (kind: ChartKind, device: Device) => (device === 'ipad' ? `${kind}-ipad` : kind)

/** The charts by the names of feeds. */
const chartsNamed = (nameOf: (kind: ChartKind, device: Device) => string) =>
  new Map(
    chartKinds.flatMap((kind) => devices.map((device) => [nameOf(kind, device), { kind, device }] as const)),
  )
const newerCharts = chartsNamed(newerFeed)
const legacyCharts = chartsNamed(legacyFeed)

const time = z.string().transform(instant).nullish().catch(undefined)

const Result = z.object({
  id: identifier,
  name: nameText,
  artistName: nameText.nullish().catch(undefined),
  artistId: identifier.nullish().catch(undefined),
  kind: z.string().optional(),
  releaseDate: time,
  artworkUrl100: address.nullish().catch(undefined),
  genres: z
    .array(z.object({ genreId: genreId }))
    .nullish()
    .catch(undefined),
})

function readResult(record: unknown): FeedEntry {
  const parsed = Result.safeParse(record)
  if (!parsed.success) return { reason: reasonOf(parsed.error), record }
  const { data } = parsed
  const categoryIds = data.genres?.map((genre) => genre.genreId) ?? []
  return {
    sighting: {
      storeId: data.id,
      listing: { name: data.name, ...(data.artistName ? { developer: data.artistName } : {}) },
      hints: {
        ...(data.artistId ? { developerId: data.artistId } : {}),
        ...(data.artworkUrl100 ? { iconUrl: data.artworkUrl100 } : {}),
        ...(data.releaseDate ? { releasedAt: data.releaseDate } : {}),
        ...(categoryIds[0] ? { primaryCategoryId: categoryIds[0], categoryIds } : {}),
      },
    },
  }
}

const label = z.object({ label: z.string() })
const named = z.object({ label: nameText })
const amount = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/)
  .transform(Number)
  .pipe(z.number())
const LegacyEntry = z.object({
  id: z.object({
    attributes: z.object({ 'im:id': identifier, 'im:bundleId': nameText.optional().catch(undefined) }),
  }),
  'im:name': named,
  'im:artist': named
    .extend({ attributes: z.object({ href: z.string() }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
  'im:price': z
    .object({ attributes: z.object({ amount, currency }) })
    .optional()
    .catch(undefined),
  'im:image': z.array(label).optional().catch(undefined),
  category: z
    .object({ attributes: z.object({ 'im:id': genreId }) })
    .optional()
    .catch(undefined),
  'im:releaseDate': z.object({ label: time }).optional().catch(undefined),
  summary: label.optional().catch(undefined),
})

function readLegacyEntry(record: unknown): FeedEntry {
  const parsed = LegacyEntry.safeParse(record)
  if (!parsed.success) return { reason: reasonOf(parsed.error), record }
  const entry = parsed.data
  const artist = entry['im:artist']
  const developerId = identifier.safeParse(/\/id(\d+)/.exec(artist?.attributes?.href ?? '')?.[1]).data
  const price = entry['im:price']?.attributes
  const icon = address.safeParse(entry['im:image']?.at(-1)?.label).data
  const category = entry.category?.attributes['im:id']
  const released = entry['im:releaseDate']?.label
  const bundleId = entry.id.attributes['im:bundleId']
  return {
    sighting: {
      storeId: entry.id.attributes['im:id'],
      listing: { name: entry['im:name'].label, ...(artist ? { developer: artist.label } : {}) },
      hints: {
        ...(developerId ? { developerId } : {}),
        ...(bundleId ? { bundleId } : {}),
        ...(price ? { price: price.amount, currency: price.currency } : {}),
        ...(icon ? { iconUrl: icon } : {}),
        ...(category ? { primaryCategoryId: category, categoryIds: [category] } : {}),
        ...(released ? { releasedAt: released } : {}),
        ...(entry.summary ? { description: clean(entry.summary.label) } : {}),
      },
    },
  }
}

const isRead = (entry: FeedEntry) => 'sighting' in entry

/** Apps are identified by their addresses, which name the storefront. */
const newerEntries = remembering(readResult, (record) => (record as { url?: unknown } | null)?.url, isRead)
const legacyEntries = remembering(
  readLegacyEntry,
  (record) => (record as { id?: { label?: unknown } } | null)?.id?.label,
  isRead,
)

function reasonOf(error: z.ZodError): string {
  const issue = error.issues[0]
  return `${issue?.path.join('.') || 'entry'}: ${issue?.message ?? 'unreadable'}`
}
