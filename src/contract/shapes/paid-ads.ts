import { z } from 'zod'
import {
  type AdField,
  type AdReplyName,
  adFieldRow,
  adFields,
  adFieldsOf,
  adFormats,
  adReplyName,
  observedAdFields,
} from '../../vocabulary/ad-fields.ts'
import {
  adLibraryRow,
  adPlatforms,
  advertiserIdsInWords,
  allPlatforms,
  anyAdId,
  anyAdvertiserId,
  placementCodes,
  publisherPlatforms,
} from '../../vocabulary/ad-platforms.ts'
import { joinWithOr } from '../../vocabulary/join-with-or.ts'
import { capitalised } from '../../vocabulary/suppliers.ts'
import { AdAnalysis, AdReading, AdTranscript } from './ad-analysis.ts'
import { AppReference } from './apps.ts'
import { creativeLinks, creativeMedia, LanguageTagFact, SavedMark, savedByCaller } from './creatives.ts'
import { EvidenceList } from './evidence.ts'
import { fact, NotMeasured, TextFact, TextListFact, UrlFact } from './facts.ts'
import {
  CategoryId,
  Country,
  Day,
  Formula,
  Language,
  NamedUuid,
  SearchText,
  Timestamp,
  Url,
} from './primitives.ts'

export const AdPlatform = z.enum(adPlatforms).meta({
  id: 'AdPlatform',
  description: `Ad library: ${joinWithOr(adPlatforms.map(adLibraryRow).map(({ library, officialName }) => officialName ?? library))}.`,
})

export const ArchiveId = z
  .string()
  .regex(anyAdId, 'must be an ad library id: letters, digits and hyphens')
  .meta({
    id: 'ArchiveId',
    description: "The library's id of an ad, as a string: where it is a number, it exceeds 2^53.",
  })

export const AdvertiserId = z
  .string()
  .regex(anyAdvertiserId, 'must be an advertiser id')
  .meta({ id: 'AdvertiserId', description: `${capitalised(advertiserIdsInWords)}.` })

/** Ads also run where there is no App Store, so replies are not limited to storefronts. */
export const AdCountry = z
  .string()
  .regex(/^[a-z]{2}$/)
  .meta({ id: 'AdCountry', description: 'ISO 3166-1 alpha-2 in lower case; not every one has an App Store.' })

const AdFormat = z.enum(adFormats).meta({
  id: 'AdFormat',
  description: '`carousel` shows several cards; `dynamic` is put together by the platform from several parts.',
})

const PublisherPlatform = z
  .enum(publisherPlatforms)
  .meta({ id: 'PublisherPlatform', description: 'Where Meta shows an ad.' })

const CallToAction = z
  .string()
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a call to action in lower case with hyphens, such as install-now')
  .max(60)
  .meta({
    id: 'CallToAction',
    description: 'Code of the button, in lower case with hyphens, such as `shop-now`.',
  })

/** A placement not known here is kept as the repository writes it. */
const Placement = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'must be a placement such as search-results')
  .max(60)
  .meta({
    id: 'AppStorePlacement',
    description: `Where in the App Store: ${joinWithOr(placementCodes)}, or as Apple writes it.`,
  })

const AdSort = z
  .enum(['relevance', 'recent', 'longest-running', 'last-observed'])
  .meta({ id: 'AdSort', description: 'Order of ads.' })

/** Filters of the ad search. */
export const AdFilters = {
  q: SearchText.optional().describe(
    'Words to find in titles, texts, descriptions, advertiser and transcript, in any language; all must occur, the last may be a prefix of three letters or more.',
  ),
  platform: AdPlatform.optional().describe(`${capitalised(allPlatforms)} when left out.`),
  advertiser: SearchText.optional().describe('An advertiser id, or words of its name.'),
  competitor: z
    .array(AppReference)
    .min(1)
    .max(20)
    .optional()
    .describe('Ads linked to any of these apps, catalogued or not.'),
  categoryId: CategoryId.optional().describe(
    'Ads linked to an app of this Apple genre. As any storefront lists it, in this genre or one below; `36` is every genre. `coverage` says how many linked apps that is; ads without a link are not among them.',
  ),
  country: Country.optional().describe(
    'Ads the library shows as delivered in this country. All when left out.',
  ),
  active: z.boolean().optional().describe('Whether the newest observation showed the ad as running.'),
  format: z.array(AdFormat).min(1).max(5).optional().describe('Any of these.'),
  callToAction: z.array(CallToAction).min(1).max(20).optional().describe('Any of these.'),
  publisherPlatform: z
    .array(PublisherPlatform)
    .min(1)
    .max(7)
    .optional()
    .describe('Meta only. Shown on any of these.'),
  placement: z.array(Placement).min(1).max(10).optional().describe('Apple only. Shown on any of these.'),
  language: z
    .array(Language)
    .min(1)
    .max(20)
    .optional()
    .describe('Ads in any of these languages; `pt` also finds `pt-BR`.'),
  startedFrom: Day.optional().describe('Delivery started on this date or later.'),
  startedTo: Day.optional().describe('Delivery started on this date or earlier.'),
  minDaysRunning: z.int().min(1).optional().describe('Delivered for at least so many days.'),
  saved: z.boolean().optional().describe('True: only ads this account has saved; false: only others.'),
  tag: z.string().min(1).max(50).optional().describe('Only ads this account has saved with this tag.'),
  hasTranscript: z
    .boolean()
    .optional()
    .describe('True: `transcriptState` is `available`; false: it is anything else.'),
  hasAnalysis: z
    .boolean()
    .optional()
    .describe('True: `analysisState` is `available`; false: it is anything else.'),
  reading: z
    .boolean()
    .optional()
    .describe(
      'True: adds `reading`, hook and promises of each ad. Of its newest analysis, else read from its stored texts by tables of phrases.',
    ),
  sort: AdSort.default('relevance').describe(
    '`recent`: newest start of delivery first; `longest-running`: most days first; without `q`, relevance is `recent`. Ads whose value is not measured come last.',
  ),
}

const CountryDelivery = z
  .object({
    country: AdCountry,
    firstShownOn: Day.nullable().describe('Null where only a bound is known, or nothing.'),
    firstShownBy: Day.nullable().describe(
      'The day on or before which it was first shown, where the library says only that it is long ago: a bound, not a date. Null elsewhere.',
    ),
    lastShownOn: Day.nullable().describe('Null where the library does not say.'),
    knownUntil: Day.nullable().describe(
      'The last day that the newest answer covers; later ones are not known. Null where it did not say.',
    ),
    placements: z.array(Placement),
  })
  .meta({
    id: 'CountryDelivery',
    description: 'When and where an ad was shown in a country. Days have no time zone.',
  })

/** The shape of a field in replies, by what it holds. */
const shapes = {
  text: TextFact,
  address: UrlFact,
  names: TextListFact,
  flag: fact('AdActive', z.boolean(), 'Whether an ad is running.'),
  day: fact('DeliveryDay', Day, 'A date of delivery, in the time zone of the library.'),
  format: fact('AdFormat', AdFormat, 'What an ad consists of.'),
  language: LanguageTagFact,
  countries: fact('AdCountryList', z.array(AdCountry), 'Countries an ad was delivered in, alphabetically.'),
  publishers: fact('PublisherPlatformList', z.array(PublisherPlatform), 'Where an ad is shown.'),
  code: fact('CallToAction', CallToAction, 'The button of an ad.'),
  codes: fact('CodeList', z.array(z.string()), 'Words of a list that may grow.'),
  byCountry: fact('CountryDeliveryList', z.array(CountryDelivery), 'Delivery by country.'),
}

/** Fields of an ad as shapes, by their names in replies. */
type FactShapes<Field extends AdField> = {
  [F in Field as AdReplyName<F>]: (typeof shapes)[(typeof adFields)[F]['kind']]
}

/** Fields of an ad as facts. */
export type AdFactsOf<Field extends AdField> = z.output<z.ZodObject<FactShapes<Field>>>

function factShapes<Field extends AdField>(fields: readonly Field[]): FactShapes<Field> {
  const named = fields.map((field) => {
    const shape = shapes[adFields[field].kind]
    const { about } = adFieldRow(field)
    return [adReplyName(field), about ? shape.describe(about) : shape]
  })
  return Object.fromEntries(named)
}

const observed = factShapes(observedAdFields)

export const AdObservation = z
  .object({ observedAt: Timestamp, ...observed })
  .meta({ id: 'AdObservation', description: "An ad on one occasion; facts point into the ad's evidence." })

const AdAdvertiser = z
  .object({
    advertiserId: AdvertiserId.nullable().describe('Null when the source names no id.'),
    ...factShapes(adFieldsOf.advertiser),
  })
  .meta({ id: 'AdAdvertiser', description: 'The page or business that runs an ad.' })

export const AdCreative = z
  .object({
    creativeId: NamedUuid,
    position: z.int().min(1).describe('Place among the cards or variants, 1 is first.'),
    ...factShapes(adFieldsOf.creative),
    ...creativeMedia,
    current: z.boolean().describe('Whether the newest observation still shows it.'),
    firstObservedAt: Timestamp,
    lastObservedAt: Timestamp,
  })
  .meta({
    id: 'AdCreative',
    description: 'One card or variant of an ad. A changed text or picture is a new creative.',
  })

/** A count of days that can still grow. */
const DaysRunning = z
  .discriminatedUnion('state', [
    z
      .object({
        state: z.literal('measured'),
        value: z.int().min(1),
        relation: z
          .enum(['exact', 'at-least'])
          .describe('`exact`: the ad was seen to end. `at-least`: it ran so long and may have run on.'),
        formula: Formula,
      })
      .meta({ id: 'MeasuredDays', description: 'Days that were counted.' }),
    NotMeasured,
  ])
  .meta({ id: 'DaysRunning', description: 'How many days an ad has run, or why nobody knows.' })

export const PaidAd = z
  .object({
    platform: AdPlatform,
    archiveId: ArchiveId,
    libraryUrl: Url.describe('Public address in the ad library.'),
    advertiser: AdAdvertiser,
    ...factShapes(adFieldsOf.content),
    ...observed,
    ...factShapes(adFieldsOf.delivery),
    daysRunning: DaysRunning.describe(
      'Days from start to end of delivery, both counted; at least those up to the newest observation where the ad was not seen to end.',
    ),
    ...factShapes(adFieldsOf.audience),
    creatives: z.array(AdCreative).describe('Current ones first, then by position; earlier ones newest first.'),
    observationCount: z.int().min(1).describe('How often the ad was observed.'),
    firstObservedAt: Timestamp,
    lastObservedAt: Timestamp,
    observations: z
      .array(AdObservation)
      .describe('Newest first: at most 5 in lists, at most 500 in `get_paid_ad`.'),
    links: creativeLinks,
    transcriptState: z
      .enum(['not-requested', 'under-way', 'available', 'no-speech', 'unavailable', 'failed'])
      .describe('`available` stays while a repetition is under way.'),
    analysisState: z
      .enum(['not-requested', 'under-way', 'available', 'failed'])
      .describe('`available` stays while a repetition is under way.'),
    reading: AdReading.optional().describe('Only with `reading=true`.'),
    saved: savedByCaller,
    evidence: EvidenceList,
  })
  .meta({ id: 'PaidAd', description: 'An ad as the ad libraries showed it, over all stored observations.' })

export const CoverageNote = z
  .object({
    code: z
      .enum([
        'region-limited',
        'date-window',
        'field-not-carried',
        'filter-not-supported',
        'limit-reached',
        'stopped-early',
        'suspect-empty',
        'absent',
        'form-changed',
        'source-failing',
        'source-throttled',
        'source-not-configured',
        'never-collected',
        'not-linked',
      ])
      .describe(
        'What kind of gap it is. `not-linked`: an ad that is linked to no app of a known category is not found by one. `absent`: the library was asked for all its countries and showed no ad. `form-changed`: its answers differ from the form known here, so something in them may be missed.',
      ),
    message: z.string().describe('In words, for people.'),
    since: Timestamp.nullable().describe('Since when; null for a lasting property of the source.'),
  })
  .meta({ id: 'CoverageNote', description: 'Something the answer cannot show.' })

export const AdCoverage = z
  .object({
    platform: AdPlatform,
    newestObservationAt: Timestamp.nullable().describe(
      'Of a library or a file; what accounts brought does not count. Null when there is none.',
    ),
    notes: z.array(CoverageNote).describe('Empty when no gap is known.'),
  })
  .meta({ id: 'AdCoverage', description: 'What the stored ads of one platform can and cannot show.' })

export const PaidAdDetail = z
  .object({
    ...PaidAd.shape,
    transcript: AdTranscript.nullable().describe('Null: nobody has asked for one yet.'),
    analysis: AdAnalysis.nullable().describe('Null: nobody has asked for one yet.'),
    coverage: AdCoverage,
  })
  .meta({ id: 'PaidAdDetail', description: 'One ad with its transcript, its analysis and their states.' })

export const SavedPaidAd = z
  .object({ ...SavedMark.shape, ad: PaidAd })
  .meta({ id: 'SavedPaidAd', description: 'An ad this account has saved.' })
