import { RankValue } from '../evidence/Fact.tsx'
import { dayText, spanText } from '../evidence/format.ts'
import type { ToolRankHistory, ToolRankSeries } from '../evidence/shapes.ts'
import { Sparkline } from './Sparkline.tsx'

type Told = Omit<ToolRankSeries, 'series'>

/** The title of what another tool told: its ranks are no observations of ours. */
const toolName = ({ tool, device }: Told) => `${tool ?? 'Another tool'}${device === 'ipad' ? ' (iPad)' : ''}`

/** A rank as a file holds it. */
const cellOf = ({ newest }: Told) =>
  newest.state === 'measured'
    ? String(newest.value)
    : newest.state === 'absent'
      ? `not in top ${newest.depth}`
      : ''

/** What other tools told, for a cell of a CSV file. */
export const otherToolsText = (told: readonly Told[]): string =>
  told.map((one) => `${toolName(one)} ${cellOf(one)} on ${one.to}`).join('; ')

const pointsOf = (one: ToolRankHistory | ToolRankSeries): (number | 'absent' | undefined)[] =>
  'series' in one
    ? one.series.map((rank) => (rank === null ? undefined : typeof rank === 'number' ? rank : 'absent'))
    : one.history.map(({ rank }) =>
        rank.state === 'measured' ? rank.value : rank.state === 'absent' ? 'absent' : undefined,
      )

/** Ranks that other tools told of a keyword, each with its course and its tool, apart from our own. */
export function OtherTools({
  term,
  told,
}: {
  term: string
  told: readonly (ToolRankHistory | ToolRankSeries)[]
}) {
  if (told.length === 0) return <span className="quiet">none</span>
  return told.map((one) => (
    <span
      key={`${one.tool} ${one.device}`}
      className="line"
      style={{ gap: 'var(--space-2)', whiteSpace: 'nowrap' }}
    >
      <RankValue rank={one.newest} evidence={one.evidence} />
      <Sparkline
        inverted
        width={64}
        values={pointsOf(one)}
        label={`Ranks for ${term} from ${toolName(one)}, ${spanText(one.from, one.to)}`}
      />
      <span className="quiet small">
        <bdi>{toolName(one)}</bdi>, {dayText(one.to)}
      </span>
    </span>
  ))
}
