import { z } from 'zod'
import { genres } from '../domain/catalogue/genres.ts'
import { type ChartIdentity, chartName } from '../vocabulary/chart-identity.ts'
import { chartKinds } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { didYouMeanCountry } from '../vocabulary/did-you-mean-country.ts'
import { isStorefront, localizationCodes, storefrontCodes } from '../vocabulary/storefronts.ts'

const Storefront = z
  .string()
  .toLowerCase()
  .refine(isStorefront, {
    error: ({ input }) => `"${String(input)}" is not an App Store country${didYouMeanCountry(String(input))}`,
  })
const Storefronts = z
  .union([z.literal('all'), z.array(Storefront).min(1)], 'must be all, or a list of storefronts')
  .transform((named) => (named === 'all' ? allStorefronts : [...new Set(named)]))

/** Genres that have charts today: the whole store, its categories, and the kinds of games. */
export const chartCategories = genres
  .filter(({ id, parentId }) => id === 36 || parentId === 36 || parentId === 6014)
  .map((genre) => genre.id)
/** Apple's ids have two to five digits; the command line has the same limit. */
const GenreId = z.int().positive().max(999_999)
const Categories = z
  .union([z.literal('all'), z.array(GenreId).min(1)], 'must be all, or a list of Apple genre ids')
  .transform((named) => (named === 'all' ? chartCategories : [...new Set(named)]))

const Charts = z.strictObject({
  countries: Storefronts,
  charts: z
    .array(z.enum(chartKinds))
    .min(1)
    .default([...chartKinds]),
  categories: Categories.default([36]),
  devices: z.array(z.enum(devices)).min(1).default(['iphone']),
  /** A day is divided into slots of this length from midnight UTC; each chart is captured once in each. */
  everyHours: z.int().min(1).max(168).default(24),
})

const Checks = z.strictObject({
  countries: Storefronts,
  everyDays: z.number().positive().max(365),
  /** Apps that an account tracks. */
  trackedEveryHours: z.number().min(1).max(8_760).default(24),
})

/** The `schedule` section of a configuration file: data that is collected without a request. Empty by default. */
export const Schedule = z.strictObject({
  charts: z.array(Charts).default([]),
  /** Catalogue refresh through Lookup. */
  apps: Checks.optional(),
  /** Pages of apps: subtitle, previews, similar apps. */
  pages: Checks.optional(),
  /** Pages of tracked apps, rivals among them, in the other languages of their storefronts: a request for each. */
  localizations: z
    .strictObject({
      everyDays: z.number().min(1).max(365).default(7),
      /** All that Apple's table names for a storefront, or of these the ones that it names. */
      languages: z
        .union([z.literal('supported'), z.array(z.enum(localizationCodes)).min(1)])
        .default('supported'),
      /** Whether Lookup is asked as well, with `lang`: 50 apps to a call. */
      lookups: z.boolean().default(false),
    })
    .optional(),
  /** Estimates of apps whose estimates were requested, and of tracked apps. */
  estimates: z.strictObject({ everyHours: z.number().min(1).max(8_760) }).optional(),
  /** Keywords of tracked apps: one search each, by a refresh of the app. */
  keywords: z.strictObject({ everyHours: z.number().min(1).max(8_760) }).optional(),
  /** The App Store's web search page of each keyword of tracked apps, beside what `keywords` collects. */
  searchPages: z.strictObject({ everyHours: z.number().min(1).max(8_760) }).optional(),
  /** App Store ads of tracked apps, rivals among them: five requests or more for each. */
  appStoreAds: z.strictObject({ everyDays: z.number().min(1).max(365).default(7) }).optional(),
})

export type Schedule = z.output<typeof Schedule>

const allStorefronts = storefrontCodes

export interface ScheduledChart extends ChartIdentity {
  everyHours: number
}

/** Every chart of the schedule; one that is named twice gets the higher frequency. */
export function scheduledCharts(schedule: Schedule): ScheduledChart[] {
  const found = new Map<string, ScheduledChart>()
  for (const { countries, charts, categories, devices, everyHours } of schedule.charts) {
    for (const country of countries) {
      for (const kind of charts) {
        for (const categoryId of categories) {
          for (const device of devices) {
            const chart = { country, kind, categoryId, device, everyHours }
            const name = chartName(chart)
            const known = found.get(name)
            if (!known || known.everyHours > everyHours) found.set(name, chart)
          }
        }
      }
    }
  }
  return [...found.values()]
}

/** The start of the slot that contains a moment. */
export function slotStart(everyHours: number, now: Date): Date {
  const length = everyHours * 3_600_000
  return new Date(Math.floor(now.getTime() / length) * length)
}

/** Due refreshes are requested in batches of this size. */
export const refreshBatchSize = 200

export const hoursBefore = (now: Date, hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
