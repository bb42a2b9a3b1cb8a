import { styleText } from 'node:util'
import type { Block, Cell, Span, TableBlock, Tone } from './blocks.ts'
import { withoutControls } from './harmless-text.ts'
import { asciiIfNeeded, noValueMarks } from './marks.ts'
import { displayWidth, wrapText } from './screen-text.ts'
import type { Style } from './style.ts'
import { oneLine, planTable, rowLines, type TablePen, type TablePlan, titleLine } from './table.ts'

/** The column widths of the first table of an answer, kept for its further pages. */
export interface Paging {
  /** The widths from the page before; given them, only rows are written. */
  plan?: TablePlan
  keep: (plan: TablePlan) => void
  /** Marks that the legends of earlier pages have explained. */
  explained: Set<string>
}

/** Lays blocks out for one screen, with a legend of the marks that occur. Lines end without blanks. */
export function layOut(blocks: readonly Block[], style: Style, paging?: Paging): string {
  const seen: Seen = { marks: new Set(), paging }
  const lines: Span[][] = []
  let before: Block | undefined
  for (const block of blocks) {
    const own = linesOf(block, style, seen)
    if (own.length === 0) continue
    lines.push(...(before && apart(before, block) ? [[]] : []), ...own)
    before = block
  }
  return [...lines, ...legend(seen, style)].map((line) => printed(line, style)).join('\n')
}

/** A blank line stands between parts of different kinds, but not under what heads them. */
function apart(before: Block, block: Block): boolean {
  if (block.kind === 'title' || block.kind === 'section') return true
  if (before.kind === 'title' || before.kind === 'section') return false
  return before.kind !== block.kind
}

/** Marks that occurred, for the legend. */
interface Seen {
  marks: Set<string>
  paging: Paging | undefined
}

function linesOf(block: Block, style: Style, seen: Seen): Span[][] {
  switch (block.kind) {
    case 'title':
    case 'section':
      return headed(block, style)
    case 'text': {
      const indent = ' '.repeat(block.indent ?? 0)
      return paragraphs(block.text, style.width - indent.length).map((text) => [
        { text: indent },
        { text, ...(block.tone ? { tone: block.tone } : {}) },
      ])
    }
    case 'pairs':
      return pairLines(block.pairs, style)
    case 'table':
      return tableLines(block, style, seen)
    case 'drawing':
      return style.drawings
        ? block.draw({ width: Math.min(style.width, 160), unicode: style.unicode })
        : block.instead.flatMap((inside) => linesOf(inside, style, seen))
  }
}

function tableLines(table: TableBlock, style: Style, seen: Seen): Span[][] {
  const pen: TablePen = {
    width: style.width,
    ellipsis: asciiIfNeeded('…', style.unicode),
    drawings: style.drawings,
    write: (cell) => {
      if (cell.mark) seen.marks.add(cell.mark)
      return shown(cell, style)
    },
  }
  const before = seen.paging?.plan
  const plan = before ?? planTable(table, pen)
  seen.paging?.keep(plan)
  const explained =
    plan.leftOut.length > 0 && !before ? `Not shown at this width: ${plan.leftOut.join(', ')}.` : ''
  return [
    ...(before ? [] : [titleLine(table, plan, pen)]),
    ...rowLines(table, plan, pen),
    ...wrapText(explained, style.width).map((text): Span[] => [{ text, tone: 'quiet' }]),
  ]
}

function headed(block: { kind: string; text: string; aside?: string }, style: Style): Span[][] {
  const title = oneLine(block.text)
  const aside = block.aside ? oneLine(block.aside) : ''
  if (displayWidth(title) + displayWidth(aside) + 2 <= style.width)
    return [
      [{ text: title, tone: 'strong' }, ...(aside ? [{ text: `  ${aside}`, tone: 'quiet' as const }] : [])],
    ]
  return [
    ...wrapText(title, style.width).map((text): Span[] => [{ text, tone: 'strong' }]),
    ...wrapText(aside, style.width).map((text): Span[] => [{ text, tone: 'quiet' }]),
  ]
}

/** Labels under each other, values beside them; a value of several lines stays in its column. */
function pairLines(pairs: { label: string; cells: Cell[] }[], style: Style): Span[][] {
  const labels = Math.max(...pairs.map(({ label }) => displayWidth(label)), 0)
  return pairs.flatMap(({ label, cells }) => {
    const spans = cells
      .filter((cell) => style.drawings || !cell.drawing)
      .map((cell): Span => {
        const reason = cell.mark && noValueMarks[cell.mark]
        // A value beside a label has room for the reason.
        return reason && cell.text === reason.mark
          ? { text: `${asciiIfNeeded(reason.mark, style.unicode)} ${reason.words}`, tone: cell.tone ?? 'quiet' }
          : { ...cell, text: shown(cell, style) }
      })
    const [only, more] = cells
    const lines =
      only?.text.includes('\n') && !more
        ? paragraphs(only.text, style.width - labels - 2).map((text): Span[] => [{ text }])
        : flow(spans, style.width - labels - 2)
    return lines.map((line, index): Span[] => [
      { text: (index === 0 ? label : '').padEnd(labels + 2), tone: 'quiet' },
      ...line,
    ])
  })
}

/** Spans separated by spaces, wrapped between words. */
function flow(spans: readonly Span[], width: number): Span[][] {
  const lines: Span[][] = [[]]
  let used = 0
  for (const { text, ...rest } of spans) {
    for (const word of wrapText(text, width)) {
      const columns = displayWidth(word)
      if (used > 0 && used + 1 + columns > width) {
        lines.push([])
        used = 0
      }
      const line = lines.at(-1)
      if (used > 0) line?.push({ text: ' ' })
      line?.push({ ...rest, text: word })
      used += columns + (used > 0 ? 1 : 0)
    }
  }
  return lines
}

/** Cells with a mark or a number were written by us; all others may be evidence, whose letters are kept. */
function shown(cell: Cell, style: Style): string {
  return cell.ours || cell.number ? asciiIfNeeded(cell.text, style.unicode) : oneLine(cell.text)
}

function paragraphs(text: string, width: number): string[] {
  return text.split(/\r?\n/).flatMap((line) => wrapText(withoutControls(line), width))
}

function legend({ marks: occurred, paging }: Seen, style: Style): Span[][] {
  const entries = Object.entries(noValueMarks)
    .filter(([name]) => occurred.has(name) && !paging?.explained.has(name))
    .map(
      ([, { mark, words }]) =>
        `${asciiIfNeeded(mark, style.unicode)} ${mark.startsWith('?') ? 'not measured: ' : ''}${words}`,
    )
  for (const name of occurred) paging?.explained.add(name)
  const together = entries.join(` ${asciiIfNeeded('·', style.unicode)} `)
  const lines =
    displayWidth(together) <= style.width
      ? [together]
      : entries.flatMap((entry) => wrapText(entry, style.width))
  return entries.length > 0 ? [[], ...lines.map((text): Span[] => [{ text, tone: 'quiet' }])] : []
}

const tones: Record<Tone, Parameters<typeof styleText>[0]> = {
  strong: 'bold',
  quiet: 'dim',
  good: 'green',
  bad: 'red',
  warning: 'yellow',
}

/** The last filter: removes everything from evidence that a terminal would interpret. */
function printed(line: readonly Span[], { colour }: Style): string {
  const spans = line.map((span) => ({ ...span, text: withoutControls(span.text) }))
  while (spans.length > 0) {
    const last = spans.at(-1)
    if (!last) break
    last.text = last.text.trimEnd()
    if (last.text) break
    spans.pop()
  }
  return spans
    .map(({ text, tone }) =>
      colour && tone && text ? styleText(tones[tone], text, { validateStream: false }) : text,
    )
    .join('')
}
