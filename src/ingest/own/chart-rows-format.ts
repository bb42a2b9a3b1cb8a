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
    const { rejected: refused, ...read } = readChartRows(rows, context, document, rejected.length)
    return {
      source: 'chart-file',
      sightings: [],
      ...read,
      rejected: [...rejected, ...refused],
      records: rows.length + rejected.length,
    }
  },
}
