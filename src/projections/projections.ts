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
 * Every kind of record that is derived from payloads. Storing, replay, data requests, exports and tests of derived state use
 * this table. The order is that in which a payload is projected: a projection that reads the tables of another is placed
 * where it finds them in the state it expects.
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
 * Derives records from parsed payloads.
 * @param names which projections to run, in the order of the table
 * @returns the new evidence, which may fulfil data requests
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

/** Exports of raw payloads, and the formats they contain. */
export const exportedFormats = {
  catalogue: catalogue.formats,
  'result-pages': keywords.formats,
} as const

export type ExportedKind = keyof typeof exportedFormats
export type ExportedFormat = (typeof exportedFormats)[ExportedKind][number]
