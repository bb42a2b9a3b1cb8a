import { z } from 'zod'
import { chartKinds } from '../vocabulary/chart-kinds.ts'
import { devices } from '../vocabulary/devices.ts'
import { localizationCodes, storefrontCodes } from '../vocabulary/storefronts.ts'
import { command } from './command.ts'
import { flag, given } from './field-help.ts'
import { GenreOrAll, jsonSummaryFlag, Storefront, StorefrontOrAll, StoreId, Term, Text } from './fields.ts'

/** Commands that call sources once. */

const country = given('<cc>', 'storefront', Storefront.default('us'), { usually: storefrontCodes })

export const collectChartsInput = {
  country: given('<cc...>', 'storefronts, or all', z.array(StorefrontOrAll).exactOptional(), {
    usually: storefrontCodes,
  }),
  chart: given('<name...>', 'all three when left out', z.array(z.enum(chartKinds)).exactOptional(), {
    whole: true,
  }),
  category: given(
    '<id...>',
    'Apple genre ids, or all; 36 is the whole store',
    z.array(GenreOrAll).exactOptional(),
  ),
  device: given('<name...>', 'iphone when left out', z.array(z.enum(devices)).exactOptional(), {
    whole: true,
  }),
  plan: flag('say what a day of it takes under the pace, and how many addresses; nothing is asked'),
  json: jsonSummaryFlag,
}
export const collectAppsInput = {
  storeIds: given('<storeId...>', 'App Store ids', z.array(StoreId)),
  country,
  json: jsonSummaryFlag,
}
export const collectLocalizationsInput = {
  storeIds: given(
    '<storeId...>',
    'App Store ids; the tracked apps that are due when left out',
    z.array(StoreId).exactOptional(),
  ),
  country: given('<cc>', 'storefront of the apps that are named', Storefront.default('us'), {
    usually: storefrontCodes,
  }),
  language: given(
    '<code...>',
    'localizations such as fr-FR; those that the storefront supports when left out',
    z.array(Text).exactOptional(),
    { usually: localizationCodes },
  ),
  plan: flag('say what another language costs in requests and bytes; nothing is asked'),
  json: jsonSummaryFlag,
}
export const collectTermsInput = {
  terms: given('<term...>', 'one or more terms', z.array(Term), { whole: true }),
  country,
  json: jsonSummaryFlag,
}

export const collectSearchPagesInput = {
  terms: given(
    '<term...>',
    'one or more terms; the keywords of all tracked apps when left out',
    z.array(Term).exactOptional(),
    { whole: true },
  ),
  country,
  plan: flag('say how many requests that is, and how long they take under the pace; nothing is asked'),
  json: jsonSummaryFlag,
}

export const collectedAds = {
  plan: flag('say how many requests that is, and how long they take under the pace; nothing is asked'),
  json: jsonSummaryFlag,
}

const asking = { writes: true, makesStore: true, asksSources: true } as const

export const collectCommands = {
  'collect charts': command({
    ...asking,
    input: collectChartsInput,
    examples: ['rivalscope collect charts --country us jp --category 36 6014'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectChartsCommand(context, input),
  }),
  'collect apps': command({
    ...asking,
    input: collectAppsInput,
    places: ['storeIds'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectAppsCommand(context, input),
  }),
  'collect missed': command({
    ...asking,
    input: collectedAds,
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectMissedCommand(context, input),
  }),
  'collect pages': command({
    ...asking,
    input: collectAppsInput,
    places: ['storeIds'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectPagesCommand(context, input),
  }),
  'collect localizations': command({
    ...asking,
    input: collectLocalizationsInput,
    places: ['storeIds'],
    examples: ['rivalscope collect localizations 281796108 --country us --language es-MX fr-FR'],
    perform: async (context, input) =>
      (await import('./collect-localizations-command.ts')).collectLocalizationsCommand(context, input),
  }),
  'collect searches': command({
    ...asking,
    input: collectTermsInput,
    places: ['terms'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectTermsCommand(context, 'search', input),
  }),
  'collect search-pages': command({
    ...asking,
    input: collectSearchPagesInput,
    places: ['terms'],
    examples: ['rivalscope collect search-pages "photo editor" --country de'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectSearchPagesCommand(context, input),
  }),
  'collect hints': command({
    ...asking,
    input: collectTermsInput,
    places: ['terms'],
    perform: async (context, input) =>
      (await import('./collect-command.ts')).collectTermsCommand(context, 'hints', input),
  }),
  'collect ads': command({
    ...asking,
    input: collectedAds,
    perform: async (context, input) => (await import('./collect-command.ts')).collectAdsCommand(context, input),
  }),
}
