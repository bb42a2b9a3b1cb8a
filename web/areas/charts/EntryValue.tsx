import { NotMeasured } from '../../evidence/Fact.tsx'
import { count, countWithNoun, momentText } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import type { Entry } from './chart-search.ts'
import styles from './charts.module.css'

/** How an app moved since the snapshot before, as an arrow, a word and the number of places. */
export function EntryValue({ entry, comparedAt }: { entry: Entry; comparedAt: string | null }) {
  const { change, previousRank } = entry
  if (entry.entry === 'unknown')
    return <NotMeasured reason={previousRank.state === 'not-measured' ? previousRank.reason : 'no-snapshot'} />
  const since = comparedAt ? `the chart of ${momentText(comparedAt)}` : 'the previous chart'
  switch (entry.entry) {
    case 'new':
      return <EntryWord look="up" sign="✦" text="new" note="Not in any earlier chart collected." />
    case 'returning':
      return <EntryWord look="up" sign="↩" text="returning" note={`Ranked earlier, but not in ${since}.`} />
    case 'same':
      return <EntryWord look="same" sign="=" text="same" note={`Same rank as in ${since}.`} />
    default: {
      const places = Math.abs(change ?? 0)
      const isUp = entry.entry === 'up'
      return (
        <EntryWord
          look={isUp ? 'up' : 'down'}
          sign={isUp ? '▲' : '▼'}
          text={`${isUp ? 'up' : 'down'} ${count(places)}`}
          note={`${isUp ? 'Up' : 'Down'} ${countWithNoun(places, 'place')} since ${since}.`}
        />
      )
    }
  }
}

const looks = { up: 'good', down: 'bad', same: 'quiet' } as const

/** A word with a sign before it, and what it rests on. */
export function EntryWord({
  look,
  sign,
  text,
  note,
}: {
  look: keyof typeof looks
  sign: string
  text: string
  note: string
}) {
  const provenance = useProvenance(() => <p>{note}</p>)
  return (
    <span className={`${styles.word} line baseline gap-1 nobreak ${looks[look]}`} {...provenance}>
      <span aria-hidden="true">{sign}</span>
      {text}
    </span>
  )
}
