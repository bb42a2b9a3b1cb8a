import { z } from 'zod'
import { dataKinds } from '../../vocabulary/data-requests.ts'
import { mediaDevices, mediaKinds } from '../../vocabulary/devices.ts'
import {
  eventStates,
  type ListingFieldGroup,
  listingFieldGroups,
  listingFields,
  trackedFields,
} from '../../vocabulary/listing-fields.ts'
import { AlsoIn, AppReference, AppSummary, storeListing } from './apps.ts'
import { Availability } from './availability.ts'
import { ChartPosition } from './charts.ts'
import { KeptCopy } from './creatives.ts'
import { Estimate } from './estimates.ts'
import { Evidence, EvidenceList } from './evidence.ts'
import { appEvent, NotMeasured, StoredCount, TextFact } from './facts.ts'
import {
  CategoryId,
  Country,
  Day,
  Localization,
  Platform,
  StoreId,
  Timestamp,
  Url,
  Uuid,
} from './primitives.ts'
import { SourceIssueList } from './source-issues.ts'
import { WorkState, WorkStatus } from './work.ts'

export const DataKind = z
  .enum(dataKinds)
  .meta({ id: 'DataKind', description: 'A part of what can be known about an app.' })

export const CategoryNode = z
  .object({
    categoryId: CategoryId,
    name: z.string(),
    parentId: CategoryId.nullable().describe('Null for the whole App Store, `36`.'),
    apps: z
      .int()
      .min(0)
      .describe('Stored apps that list this category, in the storefront asked for; all stored apps for `36`.'),
  })
  .meta({ id: 'CategoryNode', description: 'A genre of Apple’s tree with the number of stored apps in it.' })

export const ListingField = z
  .enum(trackedFields.map((field) => listingFields[field].history))
  .meta({ id: 'ListingField', description: 'A field of the listing whose changes are kept.' })

export const ChangedPart = z
  .enum([...(Object.keys(listingFieldGroups) as ListingFieldGroup[]), ...ListingField.options])
  .meta({
    id: 'ChangedPart',
    description: `A field of the listing, or several: ${Object.entries(listingFieldGroups)
      .map(([group, fields]) => `\`${group}\` is ${fields.join(', ')}`)
      .join('; ')}.`,
  })

export const PictureComparison = z.enum(['changed', 'not-compared']).meta({
  id: 'PictureComparison',
  description:
    'What is known of a difference. `not-compared`: the addresses of pictures tell that they may differ, such as another name of an icon or a whole set uploaded anew under the same names, and nobody has compared the pictures. `changed`: Apple’s ids of the pictures, their number or their order differ.',
})

const ListingVersion = z
  .object({
    field: ListingField,
    value: z
      .string()
      .nullable()
      .describe('Text of the field; lists, and media as addresses, one a line; null when it was empty.'),
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    current: z.boolean().describe('Whether this is still the newest value.'),
    comparison: PictureComparison.nullable().describe(
      'What is known of its difference from the version before; null for the first one.',
    ),
  })
  .meta({
    id: 'ListingVersion',
    description:
      'A value a listing field had. The times are the first and last observation that showed it, not the moment of the change.',
  })

export const LocalizationStates = z
  .object({
    default: Localization.describe('Of the storefront: every other fact of this reply is in it.'),
    known: z.array(Localization),
    absent: z.array(Localization).describe('Asked for, and answered with the texts of the default.'),
    notMeasured: z.array(Localization),
    unsupported: z
      .array(Localization)
      .describe('Those of them that Apple’s table does not name for the storefront.'),
  })
  .meta({
    id: 'LocalizationStates',
    description:
      'Languages of the listing: those that Apple’s table of March 2026 says the storefront supports, and others that were asked for. That search reads all of them whatever the language of the device is held by practitioners, and not documented by Apple.',
  })

const LocalizedListing = z
  .object({
    language: Localization,
    name: z.string().describe('The language in English.'),
    isDefault: z.boolean(),
    supported: z
      .boolean()
      .describe('Whether Apple’s table names it for the storefront; search reading it is not documented.'),
    state: z.enum(['measured', 'absent', 'not-measured']),
    texts: z.object({ name: TextFact, subtitle: TextFact, description: TextFact, releaseNotes: TextFact }),
    history: z
      .array(ListingVersion)
      .describe('Fields that were seen to change in this language, as in `listingHistory`.'),
    evidence: EvidenceList,
  })
  .meta({
    id: 'LocalizedListing',
    description:
      'The listing in the language asked for. `absent`: it was asked for, and the answer repeats the default. `not-measured`: nobody asked, or too little of the default is known to tell.',
  })

export const LocalizationState = LocalizedListing.pick({
  language: true,
  name: true,
  isDefault: true,
  supported: true,
  state: true,
}).meta({
  id: 'LocalizationState',
  description: 'The language asked for, and whether the listing is known in it, as in `LocalizedListing`.',
})

export const IntakeSummary = z.object({ intakeId: Uuid, status: WorkState, requestedAt: Timestamp }).meta({
  id: 'IntakeSummary',
  description: 'An intake that has not succeeded: `status` says whether it waits, runs or failed.',
})

export const DataRequest = z
  .object({
    requestId: Uuid,
    platform: Platform,
    storeId: StoreId,
    country: Country,
    kind: DataKind,
    status: z
      .enum(['open', 'fulfilled', 'dismissed'])
      .describe('`fulfilled` by the arrival of evidence of that kind; `dismissed` by the operator.'),
    demand: z.int().min(1).describe('How many times it was asked for.'),
    firstRequestedAt: Timestamp,
    lastRequestedAt: Timestamp,
    closedAt: Timestamp.nullable().describe('When it was fulfilled or dismissed; null while it is open.'),
    note: z.string().nullable().describe('The newest note given.'),
    dismissalReason: z
      .string()
      .nullable()
      .describe('Why the operator dismissed it; null when they gave no reason or did not dismiss it.'),
  })
  .meta({ id: 'DataRequest', description: 'Demand for data. Recording it never starts collection.' })

const PartFreshness = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('measured'), part: DataKind, evidence: Evidence })
      .meta({ id: 'MeasuredFreshness', description: 'The newest observation of a part.' }),
    z
      .object({ part: DataKind, ...NotMeasured.shape })
      .meta({ id: 'UnmeasuredFreshness', description: 'A part nobody has observed.' }),
  ])
  .meta({ id: 'PartFreshness', description: 'How fresh one part is.' })

export const AppRecord = z
  .object({
    ...storeListing,
    alsoIn: AlsoIn,
    firstObservedAt: Timestamp.nullable().describe('Null when no record of the storefront is stored.'),
    lastObservedAt: Timestamp.nullable(),
    availability: Availability,
    listingHistory: z
      .array(ListingVersion)
      .describe(
        'Fields that were seen to change: every value with its times, newest first, at most 100. Empty when nothing changed.',
      ),
    localizations: LocalizationStates,
    localization: LocalizedListing.optional(),
    chartPositions: z
      .array(ChartPosition)
      .describe(
        'The place in the newest snapshot of every chart of the storefront in which the app was seen in the last 90 days of evidence, best first.',
      ),
    estimates: z
      .object({
        date: Day.nullable().describe(
          'The newest day with a range of either; null when there is none. One without a range that day says why: `latest` of `get_competitor_estimate_history` has the newest of each.',
        ),
        downloads: Estimate,
        revenue: Estimate,
      })
      .describe('Newest estimates per day; the history operation explains them.'),
    counts: z.object({
      posts: StoredCount.describe('As `get_competitor_organic` lists them without filters.'),
      paidAds: StoredCount.describe('As `search_paid_ads` lists them for this `competitor`.'),
      keywords: StoredCount.describe(
        'Those with a rank on their newest page: `keywords.ranked` of `get_competitor_aso`.',
      ),
      media: StoredCount.describe(
        'As `get_competitor_media` lists them: current ones, and those it had before.',
      ),
    }),
    openDataRequests: z
      .array(DataRequest)
      .describe("This account's open requests for the storefront asked, last asked first."),
    freshness: z.array(PartFreshness).describe('One entry for each part.'),
    trouble: SourceIssueList,
  })
  .meta({ id: 'AppRecord', description: 'The whole stored record of an app in one storefront.' })

export const SimilarApp = z
  .object({
    app: AppSummary,
    score: z.number().min(0).max(1).describe('What the reasons say together, 1 is most similar.'),
    reasons: z
      .array(
        z.object({
          kind: z.enum(['apple-list', 'shared-keywords', 'charting-together', 'similar-text']),
          strength: z.number().min(0).max(1),
          detail: z.string().describe('In words, such as "in 14 of 15 charts together".'),
        }),
      )
      .describe('Strongest first, at least one.'),
  })
  .meta({ id: 'SimilarApp', description: 'An app that resembles the one asked about.' })

export const SimilarityBasis = z
  .object({
    kind: z.enum([...SimilarApp.shape.reasons.element.shape.kind.options, 'same-developer']),
    state: z.enum(['measured', 'not-measured']),
    detail: z.string().describe('What was looked at, or why nothing could be.'),
  })
  .meta({ id: 'SimilarityBasis', description: 'Whether one kind of reason could be looked at.' })

export const MediaItem = z
  .object({
    kind: z.enum(mediaKinds),
    device: z.enum(mediaDevices).describe('`any` for icon, header and search result.'),
    position: z.int().min(1).describe('Place in its set, 1 is first; the newest place it had.'),
    url: Url,
    width: z.int().min(1).nullable().describe('Pixels, null when the address does not tell.'),
    height: z.int().min(1).nullable(),
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    current: z.boolean().describe('Whether the newest observation of the set still shows it.'),
    kept: KeptCopy,
  })
  .meta({ id: 'MediaItem', description: 'A picture or film of a listing.' })

export const MediaChange = z
  .object({
    at: Timestamp.describe('First observation of the new set.'),
    kind: MediaItem.shape.kind,
    device: MediaItem.shape.device,
    comparison: PictureComparison,
    added: z.array(z.string()).describe('Addresses that appeared.'),
    removed: z.array(z.string()).describe('Addresses that went.'),
    reordered: z.boolean().describe('Whether items that stayed changed their order.'),
  })
  .meta({
    id: 'MediaChange',
    description:
      'A difference between two observations of a media set. A picture that Apple moved to another address is the same one, and a new build is no new icon; a new icon under the old name of its asset is not seen.',
  })

export const SeenAppEvent = z
  .object({
    ...appEvent,
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    current: z.boolean().describe('Whether the newest page that tells of events shows it.'),
    state: z
      .enum(eventStates)
      .describe(
        'By its stated times: `upcoming`, `running`, `over`. No longer shown: `over` where its end had passed by then, `taken-down` where it had not, `gone` where no end was stated.',
      ),
  })
  .meta({ id: 'SeenAppEvent', description: 'An in-app event, and when pages showed it.' })

export const ProductPage = z
  .object({
    productPageId: z.string().describe('`ppid`.'),
    url: Url,
    firstSeenAt: Timestamp,
    lastSeenAt: Timestamp,
    seen: z.array(
      z.object({
        kind: z.enum(['ad', 'post']),
        on: z.string().describe('Platform or network.'),
        count: z.int().min(1).describe('Ads or posts that name it.'),
        newest: z.array(z.string()).describe('At most three ids, the last seen first.'),
        firstSeenAt: Timestamp,
        lastSeenAt: Timestamp,
        brought: z.boolean().describe('Whether accounts alone brought them.'),
      }),
    ),
  })
  .meta({ id: 'ProductPage', description: 'A custom product page to which ads or posts lead.' })

export const Intake = z
  .object({
    intakeId: Uuid,
    app: AppReference.describe('The reference as this account gave it last.'),
    storeId: StoreId.nullable().describe('Null until the reference is resolved.'),
    country: Country,
    ...WorkStatus.shape,
    failure: z
      .enum(['not-found-in-store', 'not-sold-in-storefront', 'not-an-ios-app', 'source-failed'])
      .nullable()
      .describe('Why it failed; null otherwise.'),
  })
  .meta({ id: 'Intake', description: 'The taking-in of an app on request.' })
