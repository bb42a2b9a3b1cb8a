import type { PayloadFormat } from '../format.ts'
import { rowsOf } from '../rows.ts'
import { readChartRows, usualList } from './chart-rows.ts'

/** Charts that a collector saved in a form of its own, one place a row. */
export const chartRowsFormat: PayloadFormat = {
  supplier: 'own',
  isMappable: true,
  parse(payload, context, from) {
    const document = context.layout === 'document' ? payload.document() : undefined
    const list = context.list ?? usualList(document)
    const { rows, rejected } = rowsOf(payload, { ...context, ...(list ? { list } : {}) }, from)
    const { charts, rejected: refused } = readChartRows(rows, context, document)
    return {
      source: 'chart-file',
      sightings: [],
      charts,
      rejected: [...rejected, ...refused],
      records: rows.length + rejected.length,
    }
  },
}
