import type { MappedKind } from './mapping/mappable-fields.ts'
import type { ParsedPayload, ReadingContext } from './parsed-payload.ts'
import type { RawPayload } from './raw-payload.ts'

/** The beginning of a file, as far as it is looked at to recognise the file. */
export interface Sample {
  layout: ReadingContext['layout']
  /** The names of the columns of a table; empty for JSON. */
  columns: readonly string[]
  /** The first rows of a table, objects of JSON lines, or elements of a JSON list; a document alone is the only one. */
  records: readonly unknown[]
  /** The JSON document, of a long one its beginning; undefined for other layouts. */
  document: unknown
  /** The text of a page, whole up to 8 MiB; undefined for other layouts. */
  html?: string | undefined
  /** Whether the name of the file, or a captures table beside it, tells which search it answers, and when. */
  namesSearch: boolean
}

/** What a file is taken for. */
export interface Recognised {
  kind: MappedKind
  /** What it is, in a few words that follow "a file of": `posts of TikTok`. */
  of: string
}

/** A format of payloads. */
export interface PayloadFormat {
  /** Whether a mapping can name its fields. */
  isMappable: boolean
  /**
   * Recognises files of the format by what no other form has; undefined for any other file. Null where files are never of it: only
   * collected answers are.
   */
  recognise: ((sample: Sample) => Recognised | undefined) | null
  /**
   * Parses the payload. An unreadable record is rejected by itself.
   * @param from number of the first line or element in its file
   * @throws UnfitPayload when the payload as a whole is not what it should be, or not what was asked for
   */
  parse(payload: RawPayload, context: ReadingContext, from: number): ParsedPayload
  /** Names of columns by our field, where a table of the format is known by them: tells those that are not read. */
  names?: Readonly<Record<string, readonly string[]>>
}

/** The objects in records and in their lists and objects, some levels deep: collectors keep charts by storefront or day. */
export function objectsIn(value: unknown, depth = 8): object[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  const inside = Object.values(value)
    .slice(0, mostInList)
    .flatMap((one) => objectsIn(one, depth - 1))
  return Array.isArray(value) ? inside : [value, ...inside]
}

const mostInList = 50
