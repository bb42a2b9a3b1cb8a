import { storeSales } from '../domain/estimates/own-sales.ts'
import { defineProjection } from './projection.ts'

/** The operator's own downloads and revenue. */
export const sales = defineProjection({
  summary: 'your own sales by day',
  tables: ['own_sales'],
  formats: ['sales-rows', 'asc-sales'],
  restsOn: [],
  parse: ({ reading: { readingId }, parsed }) => (parsed.sales ? [{ readingId, sales: parsed.sales }] : []),
  project: storeSales,
  settle: null,
  withdraw: null,
  fulfils: {},
  exportedAs: null,
})
