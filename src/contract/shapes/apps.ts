import { z } from 'zod'
import { EvidenceList } from './evidence.ts'
import {
  CategoryFact,
  CategoryListFact,
  CompatibilityFact,
  CountFact,
  InAppPurchasesFact,
  MoneyFact,
  NumberFact,
  TextFact,
  TextListFact,
  TimeFact,
  UrlFact,
} from './facts.ts'
import { Country, Platform, StoreId, Url } from './primitives.ts'

const identity = {
  platform: Platform,
  storeId: StoreId,
  country: Country.describe('Storefront asked for, and of every value here.'),
}

const storeUrl = Url.describe("Address of the app's page in that storefront.")

const headline = {
  developer: TextFact,
  developerId: TextFact.describe("Apple's id of the developer."),
  bundleId: TextFact,
  icon: UrlFact,
  price: MoneyFact.describe('Zero is measured: the app is free. Pre-orders may have none.'),
  primaryCategory: CategoryFact,
  rating: NumberFact.describe('Average of all ratings in the storefront, 0 to 5 stars.'),
  ratingCount: CountFact,
  releasedAt: TimeFact.describe('First release, by Apple.'),
  updatedAt: TimeFact.describe('Release of the current version, by Apple.'),
}

export const AppSummary = z
  .object({
    ...identity,
    name: z.string().describe('Newest name seen in the storefront `namedIn`.'),
    namedIn: Country.describe(
      'Storefront the name was read from. Another than `country` when nothing of the app is stored for that: every fact here is not measured then.',
    ),
    storeUrl,
    ...headline,
    evidence: EvidenceList,
  })
  .meta({ id: 'AppSummary', description: 'An app as lists of a storefront show it.' })

/** The other storefronts in which a reply about an app could have been requested. */
export const AlsoIn = z
  .array(Country)
  .describe(
    'Other storefronts with a stored record of the app, alphabetically. Nothing of theirs stands here: ask with their `country`. Empty when there are none.',
  )

/** All data read from the storefront about an app. */
export const storeListing = {
  ...identity,
  name: z
    .string()
    .nullable()
    .describe('Newest name seen in that storefront; null when no record of it is stored.'),
  storeUrl,
  subtitle: TextFact,
  ...headline,
  seller: TextFact.describe('Legal name of the seller.'),
  sellerUrl: UrlFact,
  description: TextFact,
  releaseNotes: TextFact,
  version: TextFact,
  categories: CategoryListFact,
  ratingCurrentVersion: NumberFact,
  ratingCountCurrentVersion: CountFact,
  sizeBytes: CountFact,
  languages: TextListFact.describe('ISO 639-1 codes in lower case, as the store lists them.'),
  minimumOsVersion: TextFact,
  contentRating: TextFact.describe('Age rating, such as `4+`.'),
  inAppPurchases: InAppPurchasesFact.describe(
    'Those the page of the app lists, about ten at most, in its order. Absent: the app offers none.',
  ),
  compatibility: CompatibilityFact.describe('In the language of the storefront.'),
  languagesShown: TextFact.describe('The languages in the words of the page.'),
  sizeShown: TextFact.describe('The size as the page writes it; `sizeBytes` is exact.'),
  copyright: TextFact,
  evidence: EvidenceList,
}

/** The label of an app in a row about something else. */
export const AppLabel = z
  .object({
    platform: Platform,
    storeId: StoreId,
    name: z.string().nullable().describe('Null when only the id is known.'),
    developer: z.string().nullable(),
    iconUrl: Url.nullable(),
    namedIn: Country.nullable().describe(
      'Storefront whose record tells name, developer and icon: the one asked for, or in lists another where that has none. Null when only the id is known.',
    ),
    catalogued: z.boolean().describe('Whether `get_competitor` has a record, of whichever storefront.'),
  })
  .meta({ id: 'AppLabel', description: 'An app as rows of charts, ranks and links show it.' })

/** Names an app in a body: App Store id, bundle id or App Store address. */
export const AppReference = z.string().min(1).max(500).meta({
  id: 'AppReference',
  description: 'An App Store id, a bundle id or an App Store address.',
})
