import type { Readable } from 'node:stream'
import type { Origin } from '../domain/evidence/reading.ts'
import type { MappedKind, Mapping } from '../readings/mapping.ts'

export type ImportKind = MappedKind | 'organic' | 'paid-ads'

export interface ImportOrder {
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
  mapping?: Mapping
  /** Search results only: what was searched for, and how many places were asked of Apple. */
  term?: string
  requested?: number
  /** Charts only: for files that do not name their chart. */
  chart?: string
  category?: string
  device?: string
  origin?: Origin
}

export const importFormats = ['itunes-search', 'itunes-lookup', 'json', 'ndjson', 'csv'] as const
export type ImportFormat = (typeof importFormats)[number]
