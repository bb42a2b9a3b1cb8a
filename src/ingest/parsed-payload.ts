import type { ToolRank } from '../domain/aso/pages/tool-ranks.ts'
import type { AppSighting } from '../domain/catalogue/listing.ts'
import type { LocalizedSighting } from '../domain/catalogue/localizations.ts'
import type { ChartReading, RanksOfList } from '../domain/charts/capture.ts'
import type { SalesDay } from '../domain/estimates/own-sales.ts'
import type { PostSighting } from '../domain/organic/post.ts'
import type { AdSighting } from '../domain/paid-ads/ad.ts'
import type { ChartIdentity } from '../vocabulary/chart-identity.ts'
import type { SourceName } from '../vocabulary/provenance.ts'
import type { RefusedAd } from './ads/ad-values.ts'

/** A rejected record: its position, the reason, and the record itself. */
export interface Rejection {
  position: string
  reason: string
  record?: unknown
  /** It is readable, but not of the requested kind. */
  isOther?: true
  /** The index of the record in the payload, from 0, and the message for one that is no ad. */
  index?: number
  ad?: RefusedAd
}

/** Everything a parser found in one payload. */
export interface ParsedPayload {
  source: SourceName
  /** The time at which it was made, as stated in the payload. */
  madeAt?: Date
  /** Apps seen outside charts. */
  sightings: { country: string; sighting: AppSighting }[]
  /** Apps as another language than the storefront's own shows them; never part of `sightings`. */
  localized?: LocalizedSighting[]
  /** Captures with the apps seen in them; one without a time was captured when the reading was. */
  charts: ParsedChart[]
  /** Ranks from lists with gaps; never part of `charts`. */
  listRanks?: RanksOfList[]
  /** Lists of apps that Apple shows on the page of another, best first. */
  lists?: { country: string; storeId: string; kind: 'similar' | 'same-developer'; storeIds: string[] }[]
  /** The page of a search, where the payload is one whole page and the term is known. */
  resultPage?: {
    term: string
    /** App Store ids, best place first; null where the entry could not be read. */
    storeIds: (string | null)[]
    /** The number of results stated by the response, where it differs from the length of its list. */
    stated?: number
  }
  /** Apps that were asked for and that a working answer does not list, each id once. */
  missed?: { country: string; storeIds: string[] }
  /** Apple's hints for a typed beginning, in its order. */
  hints?: { typed: string; terms: string[] }
  /** Ranks of keywords that another tool tells, each app, keyword, storefront, device and day once. */
  toolRanks?: ToolRank[]
  /** The operator's own figures by day, each app, storefront and day once. */
  sales?: SalesDay[]
  /** Organic posts, in the order of the payload. */
  posts?: PostSighting[]
  /** Paid ads, in the order of the payload. */
  ads?: AdSighting[]
  /** The position of an ad library's next page; null for the last one. */
  nextPage?: string | null
  rejected: Rejection[]
  /** It could not be parsed: it is stored for a fixed parser, and states nothing, not even absence. */
  isUnfit?: true
  /** Notes for the importer besides refusals: wrong statements of the payload about itself, and what remains unmeasured. */
  notes?: string[]
  /** How a page of an ad library differs from the known form, for people, though it could be read. */
  differences?: readonly string[]
  /** Unreadable fields of accepted records, with their counts: these fields are "not measured". */
  unreadable?: Readonly<Record<string, number>>
  /** Records found, the rejected ones included. */
  records: number
}

type ParsedChart = Omit<ChartReading, 'capturedAt'> & { capturedAt?: Date }

/** The context that a parser needs besides the bytes. Stored with the reading, so that a replay parses the same way. */
export interface ReadingContext {
  layout: 'document' | 'lines' | 'csv'
  /** Set when other rows of the same file precede these. */
  continues?: true
  /** Storefront of records that name none; null when none was given. */
  country: string | null
  /** Column or path by our field. */
  fields?: Record<string, string>
  /** Our fields with a value that holds for every row. */
  constants?: Record<string, string>
  /** Our fields that hold where neither the rows nor the document say otherwise. */
  fallbacks?: Record<string, string>
  /** The term searched for, of result pages and hints. */
  term?: string
  /** Places asked for, of result pages. */
  requested?: number
  /** For saved result pages of unknown time: the latest possible time, RFC 3339. */
  capturedNotAfter?: string
  /** The requested chart; a feed of another one is rejected. */
  chart?: ChartIdentity
  /** The search of an ad library that a page belongs to (domain/paid-ads/search-plan.ts). */
  adSearch?: string
  /** The import run of inline records, which makes them a reading of their own. */
  run?: string
  /** The declared form of posts; without one, the form is detected per record. */
  preset?: string
  /** The app a page is about. */
  storeId?: string
  /** The localization that was asked for, a code of App Store Connect; left out where none was. */
  language?: string
  /** The apps a lookup asked for by their ids. */
  storeIds?: string[]
  /** The answer was a 404 or 410: the source has nothing at this address. */
  notFound?: true
  /** Path of the list in a document, and paths of fields around it. */
  list?: string
  document?: Record<string, string>
  /** Separators of list fields, and formats of date fields, as a mapping names them. */
  separators?: Record<string, string[]>
  dates?: Record<string, string[]>
  /** The formats of number fields, each as an example number, as a mapping names it. */
  numbers?: Record<string, string>
}
