import { z } from 'zod'
import {
  listingFieldRow,
  listingFields,
  listingFieldsInLists,
  type RepliedListingField,
  repliedListingFields,
} from '../../vocabulary/listing-fields.ts'
import { EvidenceList } from './evidence.ts'
import {
  CategoryFact,
  CategoryListFact,
  CompatibilityFact,
  CountFact,
  EventsFact,
  InAppPurchasesFact,
  MoneyFact,
  NumberFact,
  TextFact,
  TextListFact,
  TimeFact,
  UrlFact,
} from './facts.ts'
import { Country, Localization, Platform, StoreId, Url } from './primitives.ts'

const identity = {
  platform: Platform,
  storeId: StoreId,
  country: Country.describe('Storefront asked for, and of every value here.'),
}

const storeUrl = Url.describe("Address of the app's page in that storefront.")

/** The shape of a field in replies, by what it holds. */
const shapes = {
  line: TextFact,
  text: TextFact,
  id: TextFact,
  address: UrlFact,
  amount: MoneyFact,
  genre: CategoryFact,
  genres: CategoryListFact,
  stars: NumberFact,
  count: CountFact,
  time: TimeFact,
  languages: TextListFact,
  purchases: InAppPurchasesFact,
  requirements: CompatibilityFact,
  labels: TextListFact,
  events: EventsFact,
}

/** Fields of a listing as shapes, by their names in replies. */
type FactShapes<Field extends RepliedListingField> = {
  [F in Field as (typeof listingFields)[F]['reply']]: (typeof shapes)[(typeof listingFields)[F]['kind']]
}

function factShapes<Field extends RepliedListingField>(fields: readonly Field[]): FactShapes<Field> {
  const named = fields.map((field) => {
    const { kind, reply } = listingFields[field]
    const { about } = listingFieldRow(field)
    return [reply, about ? shapes[kind].describe(about) : shapes[kind]]
  })
  return Object.fromEntries(named)
}

/** Fields of a listing as facts. */
export type ListingFacts<Field extends RepliedListingField> = z.output<z.ZodObject<FactShapes<Field>>>

export const AppSummary = z
  .object({
    ...identity,
    name: z.string().describe('Newest name seen in the storefront `namedIn`.'),
    namedIn: Country.describe(
      'Storefront the name was read from. Another than `country` when nothing of the app is stored for that: every fact here is not measured then.',
    ),
    matchedIn: z
      .array(Localization)
      .optional()
      .describe(
        'In a search: the other localizations of the storefront that hold the words. Not there where none does.',
      ),
    storeUrl,
    ...factShapes(listingFieldsInLists),
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
  ...factShapes(repliedListingFields),
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
