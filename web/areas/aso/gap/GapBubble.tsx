import { count, decimal, momentText } from '../../../evidence/format.ts'
import { Line, useProvenance } from '../../../evidence/provenance.tsx'
import type { Rank, Score100 } from '../../../evidence/shapes.ts'
import type { DrawnKeyword } from './drawn-keywords.ts'
import styles from './gap.module.css'
import type { GapKeyword } from './gap.ts'
import type { PlacedPoint } from './gap-layout.ts'

/** A keyword in the picture: a circle where both apps rank, a square where one does. It opens the keyword. */
export function GapBubble({
  placed: { point, x, y, radius },
  isFirst,
  onOpen,
}: {
  placed: PlacedPoint<DrawnKeyword>
  isFirst: boolean
  onOpen: () => void
}) {
  const { keyword } = point
  const provenance = useProvenance(() => <Told keyword={keyword} />)
  const look = `${styles.bubble} ${keyword.ahead === 'own' ? styles.own : styles.rival}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in a drawing
    <g
      {...provenance}
      tabIndex={isFirst ? 0 : -1}
      role="button"
      aria-label={inWords(keyword)}
      className={styles.point}
      onClick={onOpen}
      onKeyDown={(event) => event.key === 'Enter' && onOpen()}
    >
      {keyword.standing === 'both' ? (
        <circle className={look} cx={x} cy={y} r={radius} />
      ) : (
        <rect
          className={look}
          x={x - radius * 0.88}
          y={y - radius * 0.88}
          width={radius * 1.76}
          height={radius * 1.76}
          rx={2}
        />
      )}
    </g>
  )
}

function Told({ keyword }: { keyword: GapKeyword }) {
  const { term, own, rival, difficulty, opportunity, relevance, keywordId, observedAt, surface } = keyword
  return (
    <>
      <strong>
        <bdi>{term}</bdi>
      </strong>
      <dl>
        <Line name="This app">{rankText(own)}</Line>
        <Line name="Competitor">{rankText(rival)}</Line>
        <Line name="Opportunity">{scoreText(opportunity)}</Line>
        <Line name="Difficulty">{scoreText(difficulty)}</Line>
        <Line name="Relevance">{scoreText(relevance)}</Line>
        <Line name="Tracked">{keywordId ? 'yes' : 'no'}</Line>
        {observedAt && <Line name="Updated">{`${momentText(observedAt)}, ${surface ?? ''}`}</Line>}
      </dl>
    </>
  )
}

const rankText = (rank: Rank): string =>
  rank.state === 'measured'
    ? `${count(rank.value)} of ${count(rank.depth)}`
    : rank.state === 'absent'
      ? `∅ not in top ${count(rank.depth)}`
      : 'no data'

const scoreText = (score: Score100): string => (score.state === 'estimated' ? decimal(score.value) : 'no data')

const inWords = ({ term, own, rival, opportunity }: GapKeyword): string =>
  `${term}: this app ${rankText(own)}, competitor ${rankText(rival)}, opportunity ${scoreText(opportunity)}. Opens the keyword.`
