import type { CSSProperties, ReactNode } from 'react'
import styles from './Fact.module.css'
import { count, dayText, decimal, signedNumber } from './format.ts'
import { EvidenceLines, FormulaLines, Line, useProvenance } from './provenance.tsx'
import type {
  Evidence,
  FactOf,
  NotMeasuredReason,
  Rank,
  RankChange,
  RankOfDay,
  Score100,
  SeriesSource,
} from './shapes.ts'
import { reasonInShort, reasonInWords } from './words.ts'

/** A value in three states with its provenance on hover and focus. `evidence` is the list that its index points into. */
export function Fact<Value>({
  fact,
  evidence,
  format,
  absent = 'none',
}: {
  fact: FactOf<Value>
  evidence: readonly Evidence[]
  format: (value: Value) => ReactNode
  /** The word for checked and absent. */
  absent?: string
}) {
  if (fact.state === 'not-measured') return <NotMeasured reason={fact.reason} />
  if (fact.state === 'absent') return <Absent evidence={evidence[fact.evidence]}>{absent}</Absent>
  return <Measured evidence={evidence[fact.evidence]}>{format(fact.value)}</Measured>
}

/** A measured value with where it comes from. */
export function Measured({
  children,
  evidence,
  observedAt,
  formula,
  note,
}: {
  children: ReactNode
  evidence?: Evidence | SeriesSource | undefined
  observedAt?: string | undefined
  formula?: string | undefined
  /** A note shown with the evidence. */
  note?: ReactNode
}) {
  const provenance = useProvenance(() => (
    <>
      {note && <p>{note}</p>}
      <EvidenceLines evidence={evidence} observedAt={observedAt} formula={formula} />
    </>
  ))
  return (
    <span className={styles.measured} {...provenance}>
      {children}
    </span>
  )
}

/** Looked for and not there. Never a zero, never empty. */
export function Absent({
  children = 'none',
  evidence,
  depth,
  observedAt,
  surface,
}: {
  children?: ReactNode
  evidence?: Evidence | undefined
  observedAt?: string | null | undefined
  surface?: string | null | undefined
  /** How many places were read. */
  depth?: number | undefined
}) {
  const provenance = useProvenance(() => (
    <>
      <p>
        {depth === undefined ? 'Checked, none found' : `Not in the top ${count(depth)}`}
        {surface ? ` on ${surface}` : ''}.
      </p>
      <EvidenceLines evidence={evidence} observedAt={observedAt ?? undefined} />
    </>
  ))
  return (
    <span className={`${styles.other} quiet nobreak`} {...provenance}>
      <span aria-hidden="true">∅</span> {children}
    </span>
  )
}

/** Not measured, with the reason. */
export function NotMeasured({ reason, short = false }: { reason: NotMeasuredReason; short?: boolean }) {
  const provenance = useProvenance(() => (
    <>
      <strong>No data</strong>
      <p>{reasonInWords[reason]}</p>
    </>
  ))
  return (
    <span
      className={`${styles.other} ${styles.notMeasured} quiet nobreak ${short ? styles.short : ''}`}
      {...provenance}
    >
      <span className={short ? 'hidden' : undefined}>{short ? 'no data' : reasonInShort[reason]}</span>
      {short && <span aria-hidden="true">·</span>}
    </span>
  )
}

/** `>200`: not among so many places, all that were read. */
export const NotInTop = ({ depth }: { depth: number }) => (
  <>
    <span className="hidden">not in top {count(depth)}</span>
    <span aria-hidden="true">&gt;{count(depth)}</span>
  </>
)

/** A rank in three states: `3`, `∅ >200` (as many places were read), or not measured. */
export function RankValue({
  rank,
  evidence,
  observedAt,
  surface,
}: {
  rank: Rank | RankOfDay
  evidence?: Evidence | undefined
  observedAt?: string | null | undefined
  surface?: string | null | undefined
}) {
  if (rank.state === 'not-measured') return <NotMeasured reason={rank.reason} />
  if (rank.state === 'absent')
    return (
      <Absent evidence={evidence} depth={rank.depth} observedAt={observedAt} surface={surface}>
        {rank.depth === 0 ? 'no results' : <NotInTop depth={rank.depth} />}
      </Absent>
    )
  return (
    <Measured
      evidence={evidence}
      observedAt={observedAt ?? undefined}
      note={`Rank ${count(rank.value)}${surface ? ` on ${surface}` : ''}${
        rank.depth === null ? '; the ranks around it are not known' : `; top ${count(rank.depth)} collected`
      }.`}
    >
      {count(rank.value)}
    </Measured>
  )
}

/** A change of rank. Up is better, told by arrow and word as well as by colour. */
export function RankChangeValue({ change }: { change: RankChange }) {
  switch (change.state) {
    case 'not-measured':
      return <NotMeasured reason={change.reason} short />
    case 'absent':
      return <Absent>not ranked</Absent>
    case 'entered':
      return (
        <Movement
          direction="up"
          text="new"
          note={`Not in the top ${count(change.depth)} on ${dayText(change.comparedOn)}.`}
        />
      )
    case 'left':
      return (
        <Movement
          direction="down"
          text="out"
          note={`Rank ${count(change.from)} on ${dayText(change.comparedOn)}, now not in the top ${count(change.depth)}.`}
        />
      )
    case 'measured':
      return (
        <Movement
          direction={change.places > 0 ? 'up' : change.places < 0 ? 'down' : 'same'}
          text={change.places === 0 ? '0' : signedNumber(change.places)}
          note={`Compared with ${dayText(change.comparedOn)}.`}
        />
      )
  }
}

const looks = { up: 'good', down: 'bad', same: 'quiet' } as const

/** An arrow with a text, and what it was compared with. A count of none has the arrow and no colour. */
export function Movement({
  direction,
  text,
  note,
}: {
  direction: keyof typeof looks
  text: string
  note: string
}) {
  const provenance = useProvenance(() => <p>{note}</p>)
  const arrow = { up: '▲', down: '▼', same: '=' }[direction]
  return (
    <span className={`${styles.other} ${looks[text === '0' ? 'same' : direction]} nobreak`} {...provenance}>
      <span aria-hidden="true" className={styles.arrow}>
        {arrow}
      </span>{' '}
      <span className="hidden">{{ up: 'up', down: 'down', same: 'unchanged' }[direction]}</span>
      {text}
    </span>
  )
}

/** A score from 0 to 100 with a small bar, and its formula on hover and focus. */
export function ScoreValue({
  score,
  name,
  none,
}: {
  score: Score100
  name: string
  /** The explanation of a score of 0 that means absence and not a small number; shown instead of the number. */
  none?: string | undefined
}) {
  const isNone = none !== undefined && score.state === 'estimated' && score.value === 0
  const provenance = useProvenance(() => (
    <>
      <strong>{name}</strong>
      {score.state === 'estimated' ? (
        <dl>
          <Line name="Score">{`${decimal(score.value)} out of 100 (estimate)`}</Line>
          {isNone && <Line name="Because">{none}</Line>}
          <FormulaLines formula={score.formula} />
        </dl>
      ) : (
        <p>{reasonInWords[score.reason]}</p>
      )}
    </>
  ))
  if (score.state !== 'estimated') return <NotMeasured reason={score.reason} short />
  if (isNone)
    return (
      <span className={`${styles.other} quiet nobreak`} {...provenance}>
        <span aria-hidden="true">∅</span> <span className="hidden">{none}</span>
      </span>
    )
  return (
    <span className={`${styles.measured} line`} {...provenance}>
      <span>{count(score.value)}</span>
      <span className={styles.bar} style={{ '--part': `${score.value}%` } as CSSProperties} />
    </span>
  )
}
