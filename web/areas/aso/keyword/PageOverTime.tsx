import { useQueries } from '@tanstack/react-query'
import { useRef } from 'react'
import { read } from '../../../api/operations.ts'
import { daysBetween } from '../../../evidence/days.ts'
import { count, countWithNoun, dayText, spanText } from '../../../evidence/format.ts'
import { useEverInView } from '../../../ui/ever-in-view.ts'
import { Empty, Panel, Skeleton } from '../../../ui/parts.tsx'
import { changeMarksOf } from '../../app/rank-series.ts'
import type { Exploration, SearchResult } from '../shapes.ts'
import { BumpChart } from './BumpChart.tsx'
import { bumpColumnsOf, type RankHistory } from './bump.ts'

/** How many apps have a line, from the top of the newest page. */
const appsShown = 10
const height = 380

/**
 * The first apps of the newest page on the pages before it. Their places are those stored for each app (the history of
 * the keyword in its ASO record), read when the chart comes into view.
 */
export function PageOverTime({
  exploration,
  results,
}: {
  exploration: Exploration
  results: readonly SearchResult[]
}) {
  const place = useRef<HTMLDivElement>(null)
  const isSeen = useEverInView(place)
  return (
    <Panel title="Search results over time" note="The latest top 10 on every day collected">
      <div ref={place} style={{ minHeight: height }}>
        {exploration.pagesStored < 2 ? (
          <Empty title="Only one snapshot so far">The chart needs snapshots from two days.</Empty>
        ) : (
          isSeen && <Histories exploration={exploration} results={results} />
        )}
      </div>
    </Panel>
  )
}

function Histories({ exploration, results }: { exploration: Exploration; results: readonly SearchResult[] }) {
  const { term, country } = exploration
  const shown = results.slice(0, appsShown)
  const apps = shown.map(({ app }) => app)
  const { histories, missing, isPending } = useQueries({
    queries: apps.map(({ storeId }) => read('get_competitor_aso', { platform: 'ios', storeId, country })),
    combine: (records) => {
      const known = records.flatMap(({ data }, index): RankHistory[] => {
        const app = apps[index]
        const days = data?.keywords.items.find((keyword) => keyword.term === term)?.history
        if (!app || !days) return []
        const role = shown[index]?.role
        const changes =
          role === 'own' || role === 'rival'
            ? changeMarksOf(data.timeline).map(({ day, text }) => ({ day, text }))
            : []
        return [{ storeId: app.storeId, name: app.name ?? `App ${app.storeId}`, days, changes }]
      })
      return {
        histories: known,
        missing: apps.length - known.length,
        isPending: records.some((record) => record.isPending),
      }
    },
  })
  if (isPending) return <Skeleton height={height} />
  const bump = bumpColumnsOf(histories)
  if (bump.days.length < 2) return <Empty title="No earlier snapshots of these apps" />
  const [first, last] = [bump.days[0] ?? '', bump.days.at(-1) ?? '']
  const span = daysBetween(first, last) + 1
  const changes = bump.lines
    .flatMap(({ name, changes: ofOne }) => ofOne.map(({ day, text }) => ({ name, day, text })))
    .toSorted((a, b) => b.day.localeCompare(a.day))
  return (
    <>
      <BumpChart label={`Search results for ${term} over time`} bump={bump} />
      <p className="quiet">
        {spanText(first, last)}: data for {count(bump.days.length)} of {countWithNoun(span, 'day')}.
        {bump.afterGap.includes(true) && ' Dashed lines span days without data.'} 10+: below the top 10; ∅: not
        in the results.
        {missing > 0 &&
          ` No history for ${countWithNoun(missing, 'app')}: it covers the 100 best keywords of each app.`}
      </p>
      {changes.length > 0 && (
        <details className="small">
          <summary>
            {countWithNoun(changes.length, 'listing change')} of my apps and competitors (◆). Later rank changes
            may have other causes.
          </summary>
          <ul className="stack gap-1 scrolls" style={{ maxHeight: 180, paddingBlockStart: 'var(--space-2)' }}>
            {changes.map(({ name, day, text }) => (
              <li key={`${name} ${day} ${text}`}>
                <time dateTime={day}>{dayText(day)}</time> <bdi>{name}</bdi>, <bdi>{text}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
