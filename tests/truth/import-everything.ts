import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ImportSummary } from '../../src/imports/run-import.ts'
import type { MappedKind } from '../../src/ingest/mapping/mappable-fields.ts'
import { readMapping } from '../../src/ingest/mapping/mapping.ts'
import { sharedData, type World } from '../support/world.ts'

/** When the catalogue of 2017 and the social and ad files were observed, as far as the suite is told. */
const observedAt = {
  catalogue: '2017-07-15',
  tiktok: '2020-12-21',
  reddit: '2025-12-01',
  ads: '2026-10-01',
}

/** Brings all real files in, as a user would. @param world where to @returns what became of each kind */
export async function importEverything(world: Pick<World, 'import'>): Promise<Record<string, ImportSummary>> {
  const mapping = (name: string, kind: MappedKind) =>
    readMapping(fileURLToPath(new URL(`../../docs/maps/${name}.json`, import.meta.url)), kind)
  const filesOf = (directory: string, pattern: RegExp) =>
    readdirSync(join(sharedData, directory))
      .filter((name) => pattern.test(name))
      .sort()
      .map((name) => join(directory, name))
  const day = observedAt.catalogue
  return {
    table: await world.import({
      kind: 'catalogue',
      paths: ['catalogue/AppleStore.csv'],
      observedAt: day,
      mapping: await mapping('app-store-2017', 'catalogue'),
    }),
    descriptions: await world.import({
      kind: 'catalogue',
      paths: filesOf('catalogue', /^appleStore_description\d*\.csv$/),
      observedAt: day,
      mapping: await mapping('app-store-2017-descriptions', 'catalogue'),
    }),
    pages: await world.import({
      kind: 'search-results',
      paths: filesOf('apple/search', /^(search_chat.*\.json|captures\.csv)$/),
    }),
    charts: await world.import({
      kind: 'charts',
      paths: ['apple/charts/us-daily-2026', 'apple/charts/rss-v1-hk-2019'],
    }),
    lists: await world.import({
      kind: 'charts',
      paths: filesOf('apple/charts/jp-finance-daily', /\.json$/),
      mapping: await mapping('ranked-list', 'charts'),
    }),
    tiktok: await world.import({
      kind: 'organic',
      paths: ['social/tiktok-trending-2020.json'],
      observedAt: observedAt.tiktok,
    }),
    reddit: await world.import({
      kind: 'organic',
      paths: ['social/reddit-notion-2025.json'],
      observedAt: observedAt.reddit,
    }),
    ads: await world.import({
      kind: 'paid-ads',
      paths: filesOf('ads/meta', /\.json$/),
      observedAt: observedAt.ads,
    }),
  }
}
