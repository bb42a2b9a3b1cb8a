import { count, countWithNoun, dayText } from '../../evidence/format.ts'
import { EntryWord } from './EntryValue.tsx'
import type { SnapshotMove } from './snapshots.ts'

/** The move of an app between two days, as a sign and a word. */
export function MoveValue({ move, since }: { move: SnapshotMove; since: string }) {
  const { kind, change, before, after } = move
  const places = Math.abs(change ?? 0)
  const compared = countWithNoun(places, 'place')
  switch (kind) {
    case 'climbed':
      return (
        <EntryWord
          look="up"
          sign="▲"
          text={`up ${count(places)}`}
          note={`Up ${compared} since ${dayText(since)}.`}
        />
      )
    case 'fell':
      return (
        <EntryWord
          look="down"
          sign="▼"
          text={`down ${count(places)}`}
          note={`Down ${compared} since ${dayText(since)}.`}
        />
      )
    case 'same':
      return <EntryWord look="same" sign="=" text="same" note={`Same rank as on ${dayText(since)}.`} />
    case 'entered':
      return <EntryWord look="up" sign="✦" text="entered" note={`Not in the chart on ${dayText(since)}.`} />
    case 'left':
      return <EntryWord look="down" sign="✕" text="out" note="Not in the chart on the later day." />
    case 'unclear': {
      const depth = before.state === 'absent' ? before.depth : after.state === 'absent' ? after.depth : 0
      return (
        <EntryWord
          look="same"
          sign="?"
          text="unknown"
          note={`Only the top ${count(depth)} were collected on one of the days; the app may have ranked lower.`}
        />
      )
    }
  }
}
