import type { Readable } from 'node:stream'
import type { MappedKind } from '../ingest/mapping/mappable-fields.ts'
import type { Mapping } from '../ingest/mapping/mapping.ts'
import { type PostPreset, presets } from '../suppliers/post-forms.ts'
import { type RankToolName, rankToolNames } from '../vocabulary/keyword-rank-tools.ts'
import type { Origin } from '../vocabulary/provenance.ts'
import type { LocalizationCode } from '../vocabulary/storefronts.ts'

export type ImportKind = MappedKind | 'paid-ads'

export interface ImportRequest {
  kind: ImportKind
  /** Paths relative to `directory`; `-` is standard input. */
  paths: readonly string[]
  directory: string
  stdin?: Readable
  /** Where rejected records are written. */
  rejectedFile: string
  country?: string
  /** RFC 3339 or a date. */
  observedAt?: string
  format?: ImportFormat
  /** The encoding of files without a byte order mark: a label of the Encoding Standard, such as `windows-1252`. */
  encoding?: string
  mapping?: Mapping
  /** Catalogues only: the localization that pages and answers were asked for in, where it is not the storefront's own. */
  language?: LocalizationCode
  /** Search results only: the search term. */
  term?: string
  /** Search results and keyword ranks: how many places were asked of Apple, or looked at by the tool. */
  requested?: number
  /** Keyword ranks only: the store id of the app of files that do not name theirs. */
  app?: string
  /** Charts only, and the device of keyword ranks: the chart of files that do not name it. */
  chart?: string
  category?: string
  device?: string
  origin?: Origin
}

/** Layouts of files, or the source of the answers in them; the presets of posts and the tools of ranks name the form of their records. */
const importFormats = [
  'itunes-search',
  'itunes-lookup',
  'app-store-search',
  'json',
  'ndjson',
  'csv',
  ...(Object.keys(presets) as PostPreset[]),
  ...(rankToolNames satisfies RankToolName[]),
] as const
export type ImportFormat = (typeof importFormats)[number]
