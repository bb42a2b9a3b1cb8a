import { adPlatforms } from '../../src/vocabulary/ad-platforms.ts'
import { type ChartKind, chartKinds, chartRow } from '../../src/vocabulary/chart-kinds.ts'
import { networks } from '../../src/vocabulary/networks.ts'
import { type Supplier, supplierRow } from '../../src/vocabulary/suppliers.ts'
import type { FileKind } from '../api/file-imports.ts'
import type {
  AdArguments,
  AddAppFailure,
  DataRequest,
  Device,
  EstimateMethod,
  Evidence,
  NotMeasuredReason,
  PostArguments,
  TrackedAppSummary,
  WorkState,
} from './shapes.ts'

/** The values of a table of words, in the order in which they are offered. */
export const valuesInOrder = <Value extends string>(words: Record<Value, string>) =>
  Object.keys(words) as Value[]

const labelsOf = <Name extends Supplier>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, supplierRow(name).label])) as Record<Name, string>

/** Why a value is not measured, for people. */
export const reasonInWords: Record<NotMeasuredReason, string> = {
  'never-collected': 'Not collected yet.',
  'not-carried': 'Not available from the collected sources.',
  unreadable: 'The source has this in a form that cannot be read.',
  'no-snapshot': 'The chart or the search results were not collected on that day.',
  'partial-snapshot': 'Only ranks of other apps are known for this chart on that day.',
  'hidden-upstream': 'The network or ad library does not disclose it.',
  'suspect-empty': 'The source returned nothing, or far less than before, so its answer is not counted.',
  'source-failed': 'The source could not be read.',
  'outside-valid-range': 'Outside the range in which the model is valid.',
  'too-little-evidence': 'Not enough data for a number.',
  'language-not-validated':
    'None found, but detection is not validated in this language, so there may be some.',
  'not-configured': 'Not set up on this installation. Ask its operator.',
  pending: 'In progress, or about to start.',
}

/** The same in a word or two, for a cell. */
export const reasonInShort: Record<NotMeasuredReason, string> = {
  'never-collected': 'not collected',
  'not-carried': 'not available',
  unreadable: 'unreadable',
  'no-snapshot': 'no snapshot',
  'partial-snapshot': 'unknown',
  'hidden-upstream': 'not disclosed',
  'suspect-empty': 'unconfirmed',
  'source-failed': 'source error',
  'outside-valid-range': 'out of range',
  'too-little-evidence': 'not enough data',
  'language-not-validated': 'unknown',
  'not-configured': 'not set up',
  pending: 'pending',
}

export const originInWords: Record<Evidence['origin'], string> = {
  collected: 'Collected',
  imported: 'Imported from a file',
  sample: 'Sample data',
}

export const timeBasisInWords: Record<Evidence['timeBasis'], string> = {
  clock: 'Time of collection',
  payload: 'Stated by the source',
  stated: 'Entered by the operator',
  'file-name': 'File name',
  'file-modified': 'Last change of the file (weak)',
}

/** Why an app could not be taken into the catalogue. */
export const addAppFailureInWords: Record<AddAppFailure, string> = {
  'not-found-in-store': 'Not found in the App Store.',
  'not-sold-in-storefront': 'In the App Store, but not available in this storefront.',
  'not-an-ios-app': 'Not an iPhone or iPad app.',
  'source-failed': 'The App Store could not be reached. Try again later.',
}

export const deviceInWords = { iphone: 'iPhone', ipad: 'iPad' } as const satisfies Record<Device, string>
export const devices = valuesInOrder(deviceInWords)

export const chartInWords = Object.fromEntries(
  chartKinds.map((kind) => [kind, chartRow(kind).label]),
) as Record<ChartKind, string>

export const roleInWords = {
  own: 'My app',
  rival: 'Competitor',
  watched: 'Watchlist',
} as const satisfies Record<TrackedAppSummary['role'], string>
export const roles = valuesInOrder(roleInWords)

export const dataKindInWords = {
  record: 'App details',
  media: 'Media',
  aso: 'Keywords and listing',
  charts: 'Charts',
  similar: 'Similar apps',
  organic: 'Organic posts',
  estimates: 'Estimates',
} as const satisfies Record<DataRequest['kind'], string>
export const dataKinds = valuesInOrder(dataKindInWords)

export const networkInWords = labelsOf(networks)

export const postMediaInWords = {
  video: 'Video',
  image: 'Image',
  carousel: 'Carousel',
  text: 'Text',
  link: 'Link',
} as const satisfies Record<NonNullable<PostArguments['mediaType']>[number], string>
export const postMedia = valuesInOrder(postMediaInWords)

export const postSortInWords = {
  relevance: 'Best match',
  recent: 'Newest first',
  views: 'Most views',
  engagement: 'Engagement rate',
  outlier: 'Outlier score',
} as const satisfies Record<NonNullable<PostArguments['sort']>, string>
export const postSorts = valuesInOrder(postSortInWords)

export const adPlatformInWords = labelsOf(adPlatforms)

export const adFormatInWords = {
  video: 'Video',
  image: 'Image',
  carousel: 'Carousel',
  dynamic: 'Dynamic',
  text: 'Text',
} as const satisfies Record<NonNullable<AdArguments['format']>[number], string>
export const adFormats = valuesInOrder(adFormatInWords)

/** Formats of ads and media of posts alike. */
export const formatInWords = { ...adFormatInWords, ...postMediaInWords }

export const publisherInWords = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  'audience-network': 'Audience Network',
  messenger: 'Messenger',
  whatsapp: 'WhatsApp',
  oculus: 'Oculus',
  threads: 'Threads',
} as const satisfies Record<NonNullable<AdArguments['publisherPlatform']>[number], string>
export const publisherPlatforms = valuesInOrder(publisherInWords)

export const adSortInWords = {
  relevance: 'Best match',
  recent: 'Newest first',
  'longest-running': 'Longest running',
  'last-observed': 'Last seen',
} as const satisfies Record<NonNullable<AdArguments['sort']>, string>
export const adSorts = valuesInOrder(adSortInWords)

export const workStatusInWords = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  partial: 'Partly done',
  failed: 'Failed',
} as const satisfies Record<WorkState['status'], string>

export const fileKindInWords = {
  catalogue: 'App details',
  charts: 'Charts',
  'search-results': 'Search results',
  'keyword-ranks': 'Keyword ranks from another tool',
  sales: 'Your sales',
  organic: 'Organic posts',
  'paid-ads': 'Paid ads',
  competitors: 'Apps to track',
  keywords: 'Keywords',
  listing: 'Your listing texts',
  saved: 'Saved posts and ads',
} as const satisfies Record<FileKind, string>

export const estimateMethodInWords = {
  'chart-rank': 'From download chart ranks',
  'rating-growth': 'From new ratings',
  'grossing-rank': 'From top grossing ranks',
} as const satisfies Record<EstimateMethod, string>

export const estimateMetricInWords = { downloads: 'Downloads', revenue: 'Revenue' } as const
export const estimateMetrics = valuesInOrder(estimateMetricInWords)

/** The meaning of an autocomplete strength of 0: Apple was asked for prefixes of the keyword and did not suggest it. */
export const neverSuggestedText = 'Not suggested by the App Store for any prefix that was checked.'

/** `delivery ended on` of a field's name, `deliveryEndedOn`. */
export const fieldInWords = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** Apple's genre of all apps: its charts are the overall ones. */
export const overallCategory = '36'
/** Its name where no reply has one. */
export const overallCategoryName = 'All apps'
