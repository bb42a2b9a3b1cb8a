import type { Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import type { ReplyOf } from './view.ts'

type Movement = ReplyOf<'get_aso_workstation'>['movement']['over1Day']

/** The number of keywords that rose and fell; "unknown" where nothing could be compared, which is not "unchanged". */
export function movementText(
  { climbed, fallen, entered, left, unchanged, absent, notMeasured }: Movement,
  share: { state: string },
): Cell {
  const up = climbed + entered
  const down = fallen + left
  if (up + down + unchanged + absent === 0)
    return cellOf(
      notMeasured === 0
        ? null
        : share.state === 'estimated'
          ? { state: 'not-measured', reason: 'no-snapshot' }
          : share,
    )
  return {
    text: up + down === 0 ? '=' : `▲${up} ▼${down}`,
    number: true,
    ...(up > down ? { tone: 'good' } : down > up ? { tone: 'bad' } : {}),
  }
}
