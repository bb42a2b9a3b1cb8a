import type { RankChange } from './rank-days.ts'

/** Number of keywords by direction of movement; the counts add up to all keywords. */
export interface Movement {
  climbed: number
  fallen: number
  unchanged: number
  entered: number
  left: number
  absent: number
  notMeasured: number
}

export function movementOf(changes: readonly RankChange[]): Movement {
  const count = (fits: (change: RankChange) => boolean) => changes.filter(fits).length
  return {
    climbed: count((change) => change.state === 'measured' && change.places > 0),
    fallen: count((change) => change.state === 'measured' && change.places < 0),
    unchanged: count((change) => change.state === 'measured' && change.places === 0),
    entered: count(({ state }) => state === 'entered'),
    left: count(({ state }) => state === 'left'),
    absent: count(({ state }) => state === 'absent'),
    notMeasured: count(({ state }) => state === 'not-measured'),
  }
}
