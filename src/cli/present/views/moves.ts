import type { Block, Cell } from '../blocks.ts'
import { cellOf } from '../cells.ts'
import { optionalSection, quietBlock, table, textCell } from './parts.ts'
import type { ReplyOf } from './view.ts'

type Moves = ReplyOf<'list_aso_apps'>['items'][number]['moves']
type Part = Moves[Exclude<keyof Moves, 'days'>]
type Move<Of extends Part> = Exclude<Of, { state: 'not-measured' }>['items'][number]

const partNames = { keywords: 'keyword', charts: 'chart', listing: 'field', ads: 'ad', posts: 'post' } as const

const partsOf = ({ days: _, ...parts }: Moves) => Object.entries(parts) as [keyof typeof partNames, Part][]

/** Such as `7 keywords, 3 charts, 1 ad`, of the parts that were looked at in these days. */
export function movedText(moves: Moves): Cell {
  const looked = partsOf(moves).flatMap(([name, part]) =>
    part.state === 'measured' ? [{ name: partNames[name], moved: part.moved }] : [],
  )
  if (looked.length === 0) return cellOf({ state: 'not-measured', reason: 'no-snapshot' })
  const moved = looked.filter((part) => part.moved > 0)
  return textCell(
    moved.map(({ name, moved: count }) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ') || 'nothing',
  )
}

/** The moves of an app, part by part, and of which parts nothing is known for these days. */
export function movesBlocks(moves: Moves): Block[] {
  const parts = partsOf(moves)
  const rows = parts.flatMap(([name, part]) => [
    ...(part.state === 'not-measured' ? [] : part.items.map((move) => ({ name, ...lineOf(move) }))),
  ])
  const unknown = parts.flatMap(([name, part]) =>
    part.state === 'measured'
      ? []
      : part.state === 'not-looked-at'
        ? `${name} not looked at since ${part.lastAt.slice(0, 10)}`
        : `${name} not measured (${part.reason})`,
  )
  const left = parts.flatMap(([name, part]) =>
    part.state !== 'not-measured' && part.moved > part.items.length
      ? `${part.moved - part.items.length} more ${name}`
      : [],
  )
  const said = [...left, ...unknown].join(', ')
  return optionalSection(`Moved in ${moves.days} days`, 'before each part was looked at last', [
    ...table(rows, [
      { title: 'part', cell: ({ name }) => textCell(partNames[name]), stays: 4 },
      { title: 'what', cell: ({ what }) => textCell(what), stays: 1 },
      { title: 'from', cell: ({ from }) => textCell(String(from)), stays: 3 },
      { title: 'to', cell: ({ to }) => textCell(String(to)), stays: 2 },
      { title: 'compared with', cell: ({ before }) => cellOf(before), stays: 6 },
      { title: 'seen', cell: ({ at }) => textCell(at.slice(0, 10)), stays: 5 },
    ]),
    ...(rows.length === 0 ? [quietBlock('Nothing moved in what was looked at.')] : []),
    ...(said === '' ? [] : [quietBlock(`${said}.`)]),
  ])
}

interface Line {
  what: string
  from: number | string
  to: number | string
  /** Day of the older observation; null for what is new. */
  before: string | null
  at: string
}

function lineOf(move: Move<Part>): Line {
  if ('field' in move) {
    const { from = '', to = '', comparedAt, at } = move
    const what = move.field.replaceAll('-', ' ')
    return { what, from: from ?? 'none', to: to ?? 'none', before: comparedAt.slice(0, 10), at }
  }
  if ('comparedOn' in move) {
    const { from, to, comparedOn, at } = move
    const what = 'term' in move ? move.term : move.chart
    return { what, from: from ?? '', to: to ?? '', before: comparedOn, at }
  }
  const what = 'postId' in move ? move.postId : `${move.platform} ${move.archiveId}`
  return { what, from: '', to: move.text ?? '', before: null, at: move.firstSeenAt }
}
