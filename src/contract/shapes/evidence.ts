import { z } from 'zod'
import { adPlatforms } from '../../vocabulary/ad-platforms.ts'
import { joinWithOr } from '../../vocabulary/join-with-or.ts'
import { doors, origins, type SourceName, surfaces, timeBases } from '../../vocabulary/provenance.ts'
import { supplierRow } from '../../vocabulary/suppliers.ts'
import { Country, Timestamp } from './primitives.ts'

const askedSuppliers = joinWithOr(
  new Set(['Apple', ...adPlatforms.map((platform) => supplierRow(platform).label)]),
)

/** The source of a value. Every number of the service refers to one. */
export const Source = z.enum(Object.keys(surfaces) as [SourceName, ...SourceName[]]).meta({
  id: 'Source',
  description:
    'What was read. `*-file` is a table or list brought by the operator with a mapping; `derived` is computed here from stored evidence.',
})

export const BroughtBy = z
  .object({
    account: z.enum(['own', 'other']).describe('This account, or another one of the installation.'),
    door: z.enum(doors).describe('The way it came in.'),
  })
  .meta({
    id: 'BroughtBy',
    description:
      'Only with evidence that an account brought itself: no source here was asked for it. It never takes the place of what a source said, and can be withdrawn.',
  })

export const Evidence = z
  .object({
    source: Source,
    origin: z
      .enum(origins)
      .describe('Fetched by this installation, brought as a file, or made up by the demo.'),
    surface: z.string().describe(`The ${askedSuppliers} surface in words, such as \`iTunes Search API\`.`),
    country: Country.nullable().describe('Storefront asked; null where the source has no storefronts.'),
    observedAt: Timestamp.describe('When the upstream showed this.'),
    timeBasis: z
      .enum(timeBases)
      .describe(
        'How the time is known: our clock at collection, the payload itself, the operator, the file name, or only the modification time of the file (weakest).',
      ),
    readingId: z.string().describe('The stored reading, which keeps the raw payload.'),
    broughtBy: BroughtBy.optional(),
  })
  .meta({ id: 'Evidence', description: 'Where and when something was observed.' })

/**
 * Shared by the points of a series, which come from few sources: instead of an `Evidence`, a point states when it was
 * observed and which of the `sources` showed it.
 */
export const SeriesSource = Evidence.pick({
  source: true,
  origin: true,
  surface: true,
  country: true,
  timeBasis: true,
}).meta({ id: 'SeriesSource', description: 'Where points of a series were read; each says when.' })

export const SeriesSources = z
  .array(SeriesSource)
  .describe('Where the points of series here were read, each source once; points name theirs by index.')

/** Fields of every point of a series that was observed. */
export const pointEvidence = {
  observedAt: Timestamp.describe('When the upstream showed this.'),
  source: z.int().min(0).describe('Index into the nearest `sources` list.'),
}

/** Fields of every point of a series that may not have been observed. */
export const optionalPointEvidence = {
  observedAt: pointEvidence.observedAt
    .nullable()
    .describe('When the upstream showed this; null where nobody looked.'),
  source: pointEvidence.source
    .nullable()
    .describe('Index into the nearest `sources` list; null where nobody looked.'),
}

export const EvidenceList = z
  .array(Evidence)
  .describe('The observations behind this, newest first. Facts point into it by index.')
