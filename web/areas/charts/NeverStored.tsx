import { Link } from '@tanstack/react-router'
import { countryName } from '../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../evidence/words.ts'
import { Empty } from '../../ui/parts.tsx'
import type { Chart, StoredChart } from './chart-search.ts'

/** A chart that nobody captured: the way to those that are stored, and how it can be collected. */
export function NeverStored({ chart, instead }: { chart: Chart; instead: readonly StoredChart[] }) {
  const collect = `rivalscope collect charts --country ${chart.country} --chart ${chart.chart} --category ${chart.categoryId}`
  const isHere = instead.some(({ country }) => country === chart.country)
  return (
    <Empty title={`This chart of ${countryName(chart.country)} was never stored`}>
      {instead.length > 0 && (
        <nav aria-label="Stored charts">
          <p>
            {isHere
              ? 'These are stored, those most like it first:'
              : `No chart of ${countryName(chart.country)} is stored. These are, of other storefronts:`}
          </p>
          <ul
            className="row stretch middle gap-4 rows-2"
            style={{ marginBlock: 'var(--space-2) var(--space-4)' }}
          >
            {instead.map(({ country, chart: kind, categoryId, categoryName, device }) => (
              <li key={`${country} ${kind} ${categoryId} ${device}`}>
                <Link to="." search={{ country, chart: kind, category: categoryId, device }}>
                  {[
                    chartInWords[kind],
                    categoryName,
                    deviceInWords[device],
                    ...(isHere ? [] : [countryName(country)]),
                  ].join(' · ')}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p>
        The operator collects it with <code>{collect}</code>.
      </p>
    </Empty>
  )
}
