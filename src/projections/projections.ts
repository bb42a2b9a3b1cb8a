import type { NewEvidence } from '../domain/demand/queries.ts'
import type { Database } from '../storage/database.ts'
import { ads } from './ads.ts'
import { catalogue } from './catalogue.ts'
import { charts } from './charts.ts'
import { keywords } from './keywords.ts'
import { type ProjectionName, projectionNames } from './names.ts'
import { posts } from './posts.ts'
import type { ParsedReading, Projection } from './projection.ts'
import { sales } from './sales.ts'
import { similar } from './similar.ts'
import { suspicions } from './suspicions.ts'

/**
 * Every kind of record that is derived from payloads. Storing, replay, requests for data, exports and the tests' notion of what
 * is derived go through this table. The names stand in the order in which a payload is projected: what reads the tables of
 * another stands where it finds them as it expects.
 */
export const projections = {
  catalogue,
  similar,
  charts,
  sales,
  ads,
  keywords,
  posts,
  suspicions,
} as const satisfies Record<ProjectionName, Projection>

/**
 * Derives what follows from payloads.
 * @param names which projections are told, in the order of the table
 * @returns what they bring that people may be waiting for
 */
export async function derive(
  db: Database,
  read: readonly ParsedReading[],
  names: readonly ProjectionName[] = projectionNames,
): Promise<NewEvidence[]> {
  const arrivals: NewEvidence[] = []
  for (const name of names) arrivals.push(...(await projections[name].derive(db, read)))
  return arrivals
}

/** Exports of payloads as they came, and the formats they hold. */
export const exportedFormats = {
  catalogue: catalogue.formats,
  'result-pages': keywords.formats,
} as const

export type ExportedKind = keyof typeof exportedFormats
export type ExportedFormat = (typeof exportedFormats)[ExportedKind][number]
