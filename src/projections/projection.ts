import type { NewEvidence } from '../domain/demand/queries.ts'
import { type ChangedScopes, union } from '../domain/evidence/change-scopes.ts'
import type { Reading } from '../domain/evidence/reading.ts'
import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { Database } from '../storage/database.ts'
import type { FormatName } from '../suppliers/formats.ts'
import type { DataKind } from '../vocabulary/data-requests.ts'

/** A reading, and the parsed content of its payload. */
export interface ParsedReading {
  reading: Reading
  parsed: ParsedPayload
}

/** The exports of evidence, each with the import that accepts it. */
export type ExportName = 'catalogue' | 'result-pages' | 'keyword-ranks' | 'charts' | 'organic' | 'paid-ads'

/** The apps that new evidence is about. */
type AppsAbout = Omit<NewEvidence, 'kind'>

/**
 * The complete definition of a kind of record that is derived from payloads. Has no defaults, so that a new projection has
 * to decide each property.
 */
export interface ProjectionDefinition<Part, Outcome, Formats, Kind extends DataKind> {
  /** A short description of the data that a replay rebuilds. */
  summary: string
  /** The tables that only this projection writes; referenced tables first. */
  tables: readonly string[]
  /** Formats of payloads it uses; it is not called for others. */
  formats: Formats
  /** Projections whose tables it reads while writing: they are rebuilt together with it. */
  restsOn: readonly string[]
  /** The parts of a payload that it uses. */
  parse(one: ParsedReading): readonly Part[]
  /** Adds parts to its tables. The result is independent of the order of parts. Runs inside the caller's transaction. */
  project(db: Database, parts: readonly Part[]): Promise<Outcome>
  /**
   * Applies data that does not come from readings: decisions of users, and results of jobs, since a time. The last step of a
   * replay, while nobody stores anything. Null where everything comes from readings.
   */
  settle: ((db: Database, since: Date) => Promise<void>) | null
  /** Removes everything derived from these readings; null where none of its formats can be withdrawn. */
  withdraw: ((db: Database, gone: readonly ParsedReading[]) => Promise<void>) | null
  /** The data requests that its parts fulfil: for each kind, the apps. */
  fulfils: Readonly<Record<Kind, (parts: readonly Part[], outcome: Outcome) => readonly AppsAbout[]>>
  /** All that replies may show otherwise after these parts were added. */
  changes: (parts: readonly Part[], outcome: Outcome) => ChangedScopes
  /** The export of its evidence; null where there is none. */
  exportedAs: ExportName | null
}

/** What a projection made of payloads. */
interface Derived {
  /** New evidence, which may fulfil data requests. */
  arrivals: NewEvidence[]
  changes: ChangedScopes
}

/** A projection without its own types, for code that handles all of them. */
export interface Projection
  extends Pick<
    ProjectionDefinition<never, unknown, readonly FormatName[], DataKind>,
    'summary' | 'tables' | 'formats' | 'restsOn' | 'settle' | 'withdraw' | 'exportedAs'
  > {
  /** Derives records from parsed payloads. */
  derive(db: Database, read: readonly ParsedReading[]): Promise<Derived>
}

export function defineProjection<
  Part,
  Outcome,
  const Formats extends readonly FormatName[],
  Kind extends DataKind = never,
>(definition: ProjectionDefinition<Part, Outcome, Formats, Kind>) {
  const { formats, parse, project, fulfils, changes } = definition
  const taken = new Set<string>(formats)
  return {
    ...definition,
    async derive(db: Database, read: readonly ParsedReading[]): Promise<Derived> {
      const parts = read.filter(({ reading }) => taken.has(reading.format)).flatMap((one) => parse(one))
      if (parts.length === 0) return { arrivals: [], changes: [] }
      const outcome = await project(db, parts)
      const arrivals = (Object.keys(fulfils) as Kind[]).flatMap((kind) =>
        arrivalsOf(kind, fulfils[kind](parts, outcome)),
      )
      return { arrivals, changes: union([changes(parts, outcome)]) }
    },
  } satisfies Projection
}

/** Groups apps by storefront, without duplicates. */
function arrivalsOf(kind: DataKind, about: readonly AppsAbout[]): NewEvidence[] {
  return [...Map.groupBy(about, ({ country }) => country)]
    .map(([country, some]) => ({
      kind,
      country,
      storeIds: [...new Set(some.flatMap(({ storeIds }) => storeIds))],
    }))
    .filter(({ storeIds }) => storeIds.length > 0)
}
