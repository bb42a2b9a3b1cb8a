import { isStorefront } from '../../vocabulary/storefronts.ts'
import type { PayloadFormat } from '../format.ts'
import { rowsOf } from '../rows.ts'
import { salesPayload } from '../sales-payload.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { readSalesReport } from './sales-report.ts'

/** A daily sales report of App Store Connect. */
export const ascSalesFormat: PayloadFormat = {
  supplier: 'apple',
  isMappable: false,
  parse(payload, context, from) {
    if (context.layout !== 'csv') throw new UnfitPayload('a sales report is a table')
    const { rows, rejected } = rowsOf(payload, context, from)
    const report = readSalesReport(
      rows.map((row) => row.record as Record<string, unknown>),
      isStorefront,
    )
    const refused = report.rejected.flatMap(({ index, reason }) => {
      const row = rows[index]
      return row ? [{ ...row, reason }] : []
    })
    const { macRows } = report
    const sales = salesPayload(report.sales, [...rejected, ...refused], rows.length + rejected.length)
    return macRows === 0
      ? sales
      : { ...sales, notes: [`${macRows} ${macRows === 1 ? 'row' : 'rows'} of Mac products not counted`] }
  },
}
