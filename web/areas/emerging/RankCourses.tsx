import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { readInTurn } from '../../api/bounded.ts'
import type { ReplyOf } from '../../api/operations.ts'
import { Sparkline } from '../../charts/Sparkline.tsx'
import { RankValue } from '../../evidence/Fact.tsx'
import { counted } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { chartInWords } from '../../evidence/words.ts'
import { Skeleton } from '../../ui/parts.tsx'
import { useSeen } from '../../ui/seen.ts'
import styles from './emerging.module.css'

/** Charts shown of an app; their room is kept while they are read. */
const shownCharts = 3
/** Days drawn, so that the courses of all candidates can be compared. */
const days = 30

/** The ranks of an app in the charts where it stands best, small beside each other. Read once they are looked at. */
export function RankCourses({ storeId, country }: { storeId: string; country: Country }) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useSeen(place)
  const history = useQuery({ ...readInTurn('get_apple_chart_history', { storeId, country }), enabled: isSeen })
  return (
    <div ref={place} className="small" style={{ minHeight: 101 }}>
      {history.data ? (
        <Courses history={history.data} />
      ) : history.error ? (
        <p className="quiet">Its ranks could not be read.</p>
      ) : (
        <Skeleton height={shownCharts * 28 + 17} />
      )}
    </div>
  )
}

function Courses({ history: { charts, coverage } }: { history: ReplyOf<'get_apple_chart_history'> }) {
  if (charts.length === 0)
    return (
      <p className="quiet">
        {coverage.chartsObserved === 0
          ? 'No chart of this storefront was captured.'
          : `In none of ${counted(coverage.chartsObserved, 'captured chart')}.`}
      </p>
    )
  const more = charts.length - shownCharts
  return (
    <>
      <p className="row nowrap between quiet tiny" style={{ height: 17 }} aria-hidden="true">
        <span>Ranks over {days} days</span>
        <span>Now</span>
      </p>
      <ul aria-label={`Ranks over ${days} days`}>
        {charts
          .slice(0, shownCharts)
          .map(({ chart, categoryId, categoryName, device, series, current, evidence }) => {
            const name = `${chartInWords[chart]}, ${categoryName}${device === 'ipad' ? ', iPad' : ''}`
            const shown = series.slice(-days)
            return (
              <li key={`${chart} ${categoryId} ${device}`} className={styles.course}>
                <span className="cut quiet">{name}</span>
                <Sparkline
                  values={shown.map(({ rank }) =>
                    rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined,
                  )}
                  label={`Ranks in ${name} over ${days} days`}
                  inverted
                />
                <span className="end">
                  <RankValue rank={current} evidence={evidence} />
                </span>
              </li>
            )
          })}
      </ul>
      {more > 0 && <p className="quiet tiny">and {counted(more, 'more chart')}</p>}
    </>
  )
}
