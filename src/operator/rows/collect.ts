import { z } from 'zod'
import { chartKinds } from '../../vocabulary/chart-kinds.ts'
import { devices } from '../../vocabulary/devices.ts'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { commandRow, type Words } from '../command-row.ts'
import { Flag, GenreOrAll, jsonAtTheEnd, Storefront, StorefrontOrAll, StoreId, Term } from '../fields.ts'

/** Commands that call sources once. */
const asking = {
  needsStore: false,
  givesWay: false,
  asksSources: true,
  readsConfiguration: false,
  atDistance: false,
}

export const collectCharts = commandRow({
  ...asking,
  input: z.strictObject({
    country: z.array(StorefrontOrAll).exactOptional(),
    chart: z.array(z.enum(chartKinds)).exactOptional(),
    category: z.array(GenreOrAll).exactOptional(),
    device: z.array(z.enum(devices)).exactOptional(),
    plan: Flag,
    json: Flag,
  }),
  words: {
    country: { value: '<cc...>', about: 'storefronts, or all', usually: storefrontCodes },
    chart: { value: '<name...>', about: 'all three when left out', whole: true },
    category: { value: '<id...>', about: 'Apple genre ids, or all; 36 is the whole store' },
    device: { value: '<name...>', about: 'iphone when left out', whole: true },
    plan: {
      value: null,
      about: 'say what a day of it takes under the pace, and how many addresses; nothing is asked',
    },
    json: jsonAtTheEnd,
  },
  places: [],
  examples: ['rivalscope collect charts --country us jp --category 36 6014'],
  perform: async () => (await import('../collect-command.ts')).collectChartsCommand,
})

const country: Words = { value: '<cc>', about: 'storefront', usually: storefrontCodes }

const ofApps = {
  ...asking,
  input: z.strictObject({ storeIds: z.array(StoreId), country: Storefront.default('us'), json: Flag }),
  words: { storeIds: { value: '<storeId...>', about: 'App Store ids' }, country, json: jsonAtTheEnd },
  places: ['storeIds'],
  examples: [],
} as const

export const collectApps = commandRow({
  ...ofApps,
  perform: async () => (await import('../collect-command.ts')).collectAppsCommand,
})

export const collectPages = commandRow({
  ...ofApps,
  perform: async () => (await import('../collect-command.ts')).collectPagesCommand,
})

const ofTerms = {
  ...asking,
  input: z.strictObject({ terms: z.array(Term), country: Storefront.default('us'), json: Flag }),
  words: {
    terms: { value: '<term...>', about: 'one or more terms', whole: true },
    country,
    json: jsonAtTheEnd,
  },
  places: ['terms'],
  examples: [],
} as const

export const collectSearches = commandRow({
  ...ofTerms,
  perform: async () => (await import('../collect-command.ts')).collectSearchesCommand,
})

export const collectHints = commandRow({
  ...ofTerms,
  perform: async () => (await import('../collect-command.ts')).collectHintsCommand,
})
