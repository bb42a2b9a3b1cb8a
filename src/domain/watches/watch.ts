import { z } from 'zod'
import { type AdPlatform, adPlatforms, advertiserIdForm } from '../../vocabulary/ad-platforms.ts'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { didYouMeanCountry } from '../../vocabulary/did-you-mean-country.ts'
import { isStoreId } from '../../vocabulary/ids.ts'
import { isStorefront } from '../../vocabulary/storefronts.ts'
import type { WatchKind } from '../../vocabulary/watches.ts'

const Country = z
  .string()
  .toLowerCase()
  .refine(isStorefront, {
    error: ({ input }) =>
      `"${String(input)}" is not a country with an App Store${didYouMeanCountry(String(input))}`,
  })

/** The apps an account tracks, by their role. */
export const trackedSubjects = ['own', 'rivals', 'tracked'] as const

const App = z.string().refine((app) => (trackedSubjects as readonly string[]).includes(app) || isStoreId(app), {
  error: ({ input }) =>
    `"${String(input).slice(0, 40)}" is neither an App Store id nor one of ${trackedSubjects.join(', ')}`,
})

const ofApps = { app: App.default('rivals'), country: Country.default('us') }

/** An advertiser as `<platform>/<id>`, such as `meta/104829173650281`. */
const Advertiser = z.string().refine((text) => advertiserOf(text) !== undefined, {
  error: ({ input }) =>
    `"${String(input).slice(0, 40)}" is no advertiser such as meta/104829173650281; platforms are ${adPlatforms.join(', ')}`,
})

/** The parts of an advertiser as a watch names it; undefined for anything else. */
export function advertiserOf(text: string): { platform: AdPlatform; advertiserId: string } | undefined {
  const at = text.indexOf('/')
  const platform = adPlatforms.find((one) => one === text.slice(0, at))
  const advertiserId = text.slice(at + 1)
  return platform && advertiserIdForm(platform).test(advertiserId) ? { platform, advertiserId } : undefined
}

const GenreId = z.int().positive().max(999_999)

/** Ranks in charts, or in the results of keywords. Without a chart or a term, all stored ones of the country. */
const ofRanks = {
  ...ofApps,
  in: z.enum(['charts', 'keywords']).default('charts'),
  chart: z.enum(chartKinds).optional(),
  category: GenreId.optional(),
  device: z.enum(devices).optional(),
  /** One keyword; without it, those that the account tracks. */
  term: z.string().trim().min(1).max(200).optional(),
}

const Place = z.int().min(1).max(1_000)

const Kinds = z.discriminatedUnion('kind', [
  /** Entered or left the first places. */
  z.strictObject({
    kind: z.literal('top'),
    ...ofRanks,
    places: z.array(Place).min(1).max(10).default([3, 10, 50]),
  }),
  /** Moved by at least this many places between two captures. */
  z.strictObject({ kind: z.literal('moved'), ...ofRanks, by: Place.default(10) }),
  /** Entered or left a chart, or the results of a keyword. */
  z.strictObject({ kind: z.literal('chart'), ...ofRanks }),
  z.strictObject({ kind: z.literal('listing'), ...ofApps }),
  z.strictObject({ kind: z.literal('release'), ...ofApps }),
  /** No longer listed by its storefront, by none asked, or back. */
  z.strictObject({ kind: z.literal('availability'), ...ofApps }),
  /** Ads of apps, or of one advertiser. */
  z.strictObject({ kind: z.literal('ads'), app: App.optional(), advertiser: Advertiser.optional() }),
  z.strictObject({ kind: z.literal('emerging'), country: ofApps.country, category: GenreId.optional() }),
  /** A source that fails for this long in a storefront; in any without a country. */
  z.strictObject({
    kind: z.literal('source'),
    country: Country.optional(),
    hours: z.int().min(1).max(8_760).default(24),
  }),
  /** Imports of ads that the account requested. */
  z.strictObject({ kind: z.literal('import') }),
])

type Asked = z.output<typeof Kinds>
/** Of the ads of apps, or of one advertiser. */
type AdsWatch = { kind: 'ads'; app: string } | { kind: 'ads'; advertiser: string }

/** The definition of a watch, with all defaults filled in. Rejects fields that its kind does not use. */
export const WatchDefinition = Kinds.superRefine((watch, context) => {
  if (watch.kind === 'ads' && watch.app !== undefined && watch.advertiser !== undefined)
    context.addIssue({
      code: 'custom',
      path: ['advertiser'],
      message: 'does not go with an app: give one of them',
    })
  if (!('in' in watch)) return
  const misplaced = watch.in === 'keywords' ? (['chart', 'category', 'device'] as const) : (['term'] as const)
  for (const name of misplaced)
    if (watch[name] !== undefined)
      context.addIssue({ code: 'custom', path: [name], message: `does not belong to ranks in ${watch.in}` })
}).transform((watch): Exclude<Asked, { kind: 'ads' }> | AdsWatch => {
  if (watch.kind !== 'ads') return watch
  const { kind, app = 'rivals', advertiser } = watch
  return advertiser === undefined ? { kind, app } : { kind, advertiser }
})

export type WatchDefinition = z.output<typeof WatchDefinition>
export type RankWatch = Extract<WatchDefinition, { in: 'charts' | 'keywords' }>

/** A watch of an account. */
export interface Watch {
  watchId: string
  accountId: string
  definition: WatchDefinition
  /** Evidence from before this time makes no event. */
  since: Date
  /** Since when nothing is told of it; null while it is told. What it finds stands in the history all the same. */
  mutedAt: Date | null
}

/** An event that a watch found. */
export interface FoundEvent {
  /** Derived from the evidence alone; unique within a watch. */
  key: string
  title: string
  /** Path and query of the page that shows it. */
  page: string
  evidence: Record<string, unknown>
  observedAt: Date
}

/** An event as notified. */
export interface WatchEvent extends Omit<FoundEvent, 'key'> {
  eventId: string
  eventNumber: string
  watchId: string
  kind: WatchKind
  recordedAt: Date
}
