import { Measured, Movement } from '../../evidence/Fact.tsx'
import { count, countWithNoun } from '../../evidence/format.ts'
import { customProperties } from '../../ui/css.ts'
import styles from './aso.module.css'
import type { RankDistribution, RankMovement } from './shapes.ts'

/** How many keywords rank where, as a bar with its numbers. */
export function Distribution({ distribution }: { distribution: RankDistribution }) {
  const { keywords, top3, top10, top50, ranked, absent, notMeasured } = distribution
  if (keywords === 0) return <span className="quiet">no keywords</span>
  const parts = [
    { name: '1 to 3', keywords: top3, share: 100 },
    { name: '4 to 10', keywords: top10 - top3, share: 65 },
    { name: '11 to 50', keywords: top50 - top10, share: 35 },
    { name: 'over 50', keywords: ranked - top50, share: 18 },
    { name: 'not ranked', keywords: absent, share: 0, look: styles.absent },
    { name: 'no data', keywords: notMeasured, share: 0, look: styles.notMeasured },
  ].filter((part) => part.keywords > 0)
  const told = (
    <>
      <strong>{count(keywords)} keywords by rank</strong>
      <dl>
        {parts.map((part) => (
          <div key={part.name} className="row nowrap stretch between gap-4">
            <dt>{part.name}</dt>
            <dd>{count(part.keywords)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
  return (
    <Measured note={told}>
      <span className="line">
        <span className={styles.ranks} aria-hidden="true">
          {parts.map((part) => (
            <span
              key={part.name}
              className={part.look}
              style={{ flexGrow: part.keywords, ...customProperties({ '--share': `${part.share}%` }) }}
            />
          ))}
        </span>
        <span className="nobreak">
          <span className="hidden">Top 3, top 10, top 50:</span> {count(top3)} / {count(top10)} / {count(top50)}
        </span>
      </span>
    </Measured>
  )
}

/** How many keywords moved which way. */
export function Moves({ movement, days }: { movement: RankMovement; days: number }) {
  const { climbed, fallen, unchanged, entered, left, absent, notMeasured } = movement
  const up = climbed + entered
  const down = fallen + left
  const compared = up + down + unchanged + absent
  const note = `${countWithNoun(days, 'day')}: ${count(climbed)} up, ${count(entered)} newly ranked, ${count(fallen)} down, ${count(left)} dropped out, ${count(unchanged)} unchanged, ${count(absent)} not ranked, ${count(notMeasured)} without data to compare.`
  if (compared === 0) return <span className="quiet">{notMeasured === 0 ? 'none' : 'no data yet'}</span>
  return (
    <span className="line stretch gap-3">
      <Movement direction="up" text={count(up)} note={note} />
      <Movement direction="down" text={count(down)} note={note} />
    </span>
  )
}
