import { count, countryName } from '../../../evidence/format.ts'
import { Empty } from '../../../ui/parts.tsx'
import type { ChartHistory } from '../rank-lines.ts'

/** Absent from charts that were looked at, or nobody looked: never the same. */
export function NothingDrawn({
  histories,
  isNarrowed,
}: {
  histories: readonly ChartHistory[]
  isNarrowed: boolean
}) {
  return (
    <Empty title="No chart of the window shows this app">
      <ul>
        {histories.map(({ country, coverage: { chartsObserved } }) => (
          <li key={country}>
            {countryName(country)}:{' '}
            {chartsObserved === 0
              ? 'not measured, no chart was captured in this window.'
              : `∅ ${count(chartsObserved)} ${chartsObserved === 1 ? 'chart was' : 'charts were'} captured, and the app was in none.`}
          </li>
        ))}
      </ul>
      {isNarrowed && <p>Other charts, categories or days may show it.</p>}
    </Empty>
  )
}
