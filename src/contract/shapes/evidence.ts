import { z } from 'zod'
import { Country, Timestamp } from './primitives.ts'

/** Where a value was read. Every number of the service points to one of these. */
export const Source = z
  .enum([
    'itunes-search',
    'itunes-lookup',
    'apple-rss-v2',
    'apple-rss-v1',
    'apple-rss-legacy',
    'apple-search-hints',
    'app-store-page',
    'chart-file',
    'catalogue-file',
    'organic-file',
    'meta-ad-library',
    'tiktok-ad-library',
    'paid-ads-file',
    'own-sales',
    'derived',
  ])
  .meta({
    id: 'Source',
    description:
      'What was read. `*-file` is a table or list brought by the operator with a mapping; `derived` is computed here from stored evidence.',
  })

export const Evidence = z
  .object({
    source: Source,
    origin: z
      .enum(['collected', 'imported', 'sample'])
      .describe('Fetched by this installation, brought as a file, or made up by the demo.'),
    surface: z.string().describe('The Apple, Meta or TikTok surface in words, such as `iTunes Search API`.'),
    country: Country.nullable().describe('Storefront asked; null where the source has no storefronts.'),
    observedAt: Timestamp.describe('When the upstream showed this.'),
    timeBasis: z
      .enum(['clock', 'payload', 'stated', 'file-name', 'file-modified'])
      .describe(
        'How the time is known: our clock at collection, the payload itself, the operator, the file name, or only the modification time of the file (weakest).',
      ),
    readingId: z.string().describe('The stored reading, which keeps the raw payload.'),
  })
  .meta({ id: 'Evidence', description: 'Where and when something was observed.' })

export const EvidenceList = z
  .array(Evidence)
  .describe('The observations behind this, newest first. Facts point into it by index.')
