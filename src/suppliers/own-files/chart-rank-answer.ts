import { shown, valueAt } from '../../ingest/mapping/mapping.ts'
import type { Row } from '../../ingest/rows.ts'

/** Apple's number of all categories together. */
const allCategories = 36

/**
 * The ranks of single apps in charts that an answer of AppTweak's "App Category Ranking - History" tells, as rows of a chart file; undefined
 * for anything else. The answer names neither storefront nor device. Source: the types of a public program that reads it, November 2026.
 */
export function chartRankAnswer(document: unknown): Row[] | undefined {
  const result = valueAt(document, 'result')
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined
  const apps = Object.entries(result).map(([storeId, told]) => ({ storeId, days: valueAt(told, 'rankings') }))
  if (apps.length === 0 || !apps.every(({ days }) => Array.isArray(days))) return undefined
  return apps.flatMap(({ storeId, days }) =>
    (days as unknown[]).flatMap((day, index) => {
      const places = valueAt(day, 'value')
      return (Array.isArray(places) ? places : []).map((place, at) => ({
        position: `app ${storeId}, day ${index + 1}, rank ${at + 1}`,
        record: {
          storeId,
          capturedAt: valueAt(day, 'date'),
          chart: valueAt(place, 'chart_type'),
          category: /\ball\b/i.test(shown(valueAt(place, 'category_name') ?? ''))
            ? allCategories
            : valueAt(place, 'category'),
          rank: valueAt(place, 'rank') ?? null,
          // The history of an app, and no chart, whatever its places are.
          whole: 'false',
        },
      }))
    }),
  )
}
