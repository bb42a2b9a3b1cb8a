import type { NewEvidence } from '../domain/demand/queries.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import type { FormatName } from '../ingest/formats.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { Database } from '../storage/database.ts'
import type { DataKind } from '../vocabulary/data-requests.ts'

/** A reading, and what was found in its payload. */
export interface ParsedReading {
  reading: Reading
  parsed: ParsedPayload
}

/** The exports that carry evidence out, each with the import that takes it back. */
export type ExportName = 'catalogue' | 'result-pages' | 'charts' | 'organic' | 'paid-ads'

/** Apps that evidence is about. */
type AppsAbout = Omit<NewEvidence, 'kind'>

/**
 * A kind of record that is derived from payloads: everything there is to say of it, said once. Nothing has a usual value, so
 * that whoever adds one decides each of them.
 */
export interface Definition<Part, Outcome, Formats, Kind extends DataKind> {
  /** What is made anew by a replay of it, in a few words. */
  summary: string
  /** The tables it alone writes; what they refer to stands before them. */
  tables: readonly string[]
  /** Formats of payloads it takes something from; of others it is told nothing. */
  formats: Formats
  /** Projections whose tables it reads while it writes: they are made anew together with it. */
  restsOn: readonly string[]
  /** What it takes of a payload. */
  parse(one: ParsedReading): readonly Part[]
  /** Adds parts to its tables. Every order in which parts come ends in the same. Runs inside the caller's transaction. */
  project(db: Database, parts: readonly Part[]): Promise<Outcome>
  /**
   * Has the tables hold what does not come from readings: what people decided and jobs made since a time. A replay calls it last,
   * while nobody stores anything. Null where all comes from readings.
   */
  settle: ((db: Database, since: Date) => Promise<void>) | null
  /** Has the tables hold nothing of these readings any more; null where none of its formats can be withdrawn. */
  withdraw: ((db: Database, gone: readonly ParsedReading[]) => Promise<void>) | null
  /** The requests for data that its parts answer: of each kind, about which apps. */
  fulfils: Readonly<Record<Kind, (parts: readonly Part[], outcome: Outcome) => readonly AppsAbout[]>>
  /** The export that carries its evidence out; null where none does. */
  exportedAs: ExportName | null
}

/** A projection as the parts of the product that go through all of them see it: its own types stay inside. */
export interface Projection
  extends Pick<
    Definition<never, unknown, readonly FormatName[], DataKind>,
    'summary' | 'tables' | 'formats' | 'restsOn' | 'settle' | 'withdraw' | 'exportedAs'
  > {
  /**
   * Derives what follows from payloads.
   * @returns what they bring that people may be waiting for
   */
  derive(db: Database, read: readonly ParsedReading[]): Promise<NewEvidence[]>
}

export function defineProjection<
  Part,
  Outcome,
  const Formats extends readonly FormatName[],
  Kind extends DataKind = never,
>(definition: Definition<Part, Outcome, Formats, Kind>) {
  const { formats, parse, project, fulfils } = definition
  const taken = new Set<string>(formats)
  return {
    ...definition,
    async derive(db: Database, read: readonly ParsedReading[]): Promise<NewEvidence[]> {
      const parts = read.filter(({ reading }) => taken.has(reading.format)).flatMap((one) => parse(one))
      if (parts.length === 0) return []
      const outcome = await project(db, parts)
      return (Object.keys(fulfils) as Kind[]).flatMap((kind) => arrivalsOf(kind, fulfils[kind](parts, outcome)))
    },
  } satisfies Projection
}

/** Each storefront once, with its apps. */
function arrivalsOf(kind: DataKind, about: readonly AppsAbout[]): NewEvidence[] {
  return [...Map.groupBy(about, ({ country }) => country)]
    .map(([country, some]) => ({
      kind,
      country,
      storeIds: [...new Set(some.flatMap(({ storeIds }) => storeIds))],
    }))
    .filter(({ storeIds }) => storeIds.length > 0)
}
