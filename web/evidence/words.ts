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
  'never-collected': 'Nobody has looked yet.',
  'not-carried': 'The sources that were read do not carry this.',
  unreadable: 'A source carries this in a form that cannot be read.',
  'no-snapshot': 'The chart or result page was not captured then.',
  'partial-snapshot': 'Only ranks of other apps are known of the chart then.',
  'hidden-upstream': 'The network or library hides it.',
  'suspect-empty':
    'The source answered empty, or with far less than before. That is suspect, so it does not count.',
  'source-failed': 'The source could not be read.',
  'outside-valid-range': 'The model says nothing in this range.',
  'too-little-evidence': 'Too few observations to carry a number.',
  'language-not-validated':
    'Nothing was found, but it is not shown that nearly all is found in this language: there may be something.',
  'not-configured': 'Whoever runs this installation has not set up what this needs.',
  pending: 'Being made, or about to be.',
}

/** The same in a word or two, for a cell. */
export const reasonInShort: Record<NotMeasuredReason, string> = {
  'never-collected': 'not collected',
  'not-carried': 'not in the source',
  unreadable: 'unreadable',
  'no-snapshot': 'no snapshot',
  'partial-snapshot': 'not told',
  'hidden-upstream': 'hidden',
  'suspect-empty': 'suspect',
  'source-failed': 'source failed',
  'outside-valid-range': 'out of range',
  'too-little-evidence': 'too little',
  'language-not-validated': 'not known',
  'not-configured': 'needs setup',
  pending: 'pending',
}

export const originInWords: Record<Evidence['origin'], string> = {
  collected: 'collected by this installation',
  imported: 'imported from a file',
  sample: 'made up for the demo',
}

export const timeBasisInWords: Record<Evidence['timeBasis'], string> = {
  clock: 'our clock when it was collected',
  payload: 'stated by the source itself',
  stated: 'stated by the operator',
  'file-name': 'read from the file name',
  'file-modified': 'only when the file was last changed (weak)',
}

/** Why an app could not be taken into the catalogue. */
export const addAppFailureInWords: Record<AddAppFailure, string> = {
  'not-found-in-store': 'The App Store does not know this app.',
  'not-sold-in-storefront': 'The App Store knows this app, but not in this storefront.',
  'not-an-ios-app': 'This is not an app for iPhone or iPad.',
  'source-failed': 'The App Store could not be asked. Try again later.',
}

export const deviceInWords = { iphone: 'iPhone', ipad: 'iPad' } as const satisfies Record<Device, string>
export const devices = valuesInOrder(deviceInWords)

export const chartInWords = Object.fromEntries(
  chartKinds.map((kind) => [kind, chartRow(kind).label]),
) as Record<ChartKind, string>

export const roleInWords = { own: 'Own', rival: 'Rival', watched: 'Watched' } as const satisfies Record<
  TrackedAppSummary['role'],
  string
>
export const roles = valuesInOrder(roleInWords)

export const dataKindInWords = {
  record: 'Store record',
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
  'last-observed': 'Last observed',
} as const satisfies Record<NonNullable<AdArguments['sort']>, string>
export const adSorts = valuesInOrder(adSortInWords)

export const workStatusInWords = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Done',
  partial: 'Done in part',
  failed: 'Failed',
} as const satisfies Record<WorkState['status'], string>

export const fileKindInWords = {
  catalogue: 'App records',
  charts: 'Charts',
  'search-results': 'Search results',
  'keyword-ranks': 'Keyword ranks of another tool',
  sales: 'Your own sales',
  organic: 'Posts',
  'paid-ads': 'Paid ads',
  competitors: 'Apps to track',
  keywords: 'Keywords',
  listing: 'Texts of your listing',
  saved: 'Saved posts and ads',
} as const satisfies Record<FileKind, string>

export const estimateMethodInWords = {
  'chart-rank': 'From ranks in download charts',
  'rating-growth': 'From ratings gained',
  'grossing-rank': 'From ranks in grossing charts',
} as const satisfies Record<EstimateMethod, string>

export const estimateMetricInWords = { downloads: 'Downloads', revenue: 'Revenue' } as const
export const estimateMetrics = valuesInOrder(estimateMetricInWords)

/** The meaning of an autocomplete strength of 0: Apple was asked for prefixes of the keyword and did not suggest it. */
export const neverSuggestedText = 'Not among the suggestions for any beginning that was asked.'

/** Apple's genre of all apps: its charts are the overall ones. */
export const overallCategory = '36'
/** Its name where no reply has one. */
export const overallCategoryName = 'All apps'
