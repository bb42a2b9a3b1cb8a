import type { BacktestDetail } from './backtest.ts'
import { baselineCell, figureCell, isSeries, markdownTable, recordsTable } from './markdown.ts'
import { type BacktestRecord, figureText } from './record.ts'

/** The marker in `report.json` by which a folder is recognised as a report. */
export const reportKind = 'rivalscope-backtest'

const warning = '**The store holds made-up evidence: these figures say nothing about real apps.**'

/** The files of a report by their names: `report.md`, `report.json` and the pictures of the first. @param madeUp whether the store holds evidence that was made up */
export function reportFiles(
  records: readonly BacktestRecord[],
  at: Date,
  madeUp: boolean,
): Map<string, string> {
  const files = new Map<string, string>()
  const sections = records.map((record) => sectionOf(record, files))
  const table = recordsTable(records, ({ model }) => model)
  files.set(
    'report.md',
    `# Backtests\n\n${at.toISOString()}${madeUp ? `. ${warning}` : ''}\n\n${table}\n${sections.join('')}`,
  )
  const names = [...files.keys(), 'report.json']
  const json = { kind: reportKind, madeAt: at.toISOString(), madeUp, files: names, results: records }
  files.set('report.json', `${JSON.stringify(json, null, 2)}\n`)
  return files
}

function sectionOf(record: BacktestRecord, files: Map<string, string>): string {
  const { model, formula, measure, better, data, command, outcome } = record
  const facts = [
    `Figure: ${figureCell(record)}.`,
    ...(outcome.state === 'definition'
      ? []
      : [`Measure: ${measure} (${better} is better).`, `Baseline: ${baselineCell(record)}.`, `Data: ${data}.`]),
    ...(outcome.state === 'measured' ? [`Cases: ${outcome.cases}, left out: ${outcome.leftOut}.`] : []),
    `Again: \`${command}\`.`,
  ].map((fact) => `- ${fact.replace(/\.\.$/, '.')}`)
  const details = outcome.state === 'measured' ? outcome.details : []
  const parts = details.map((detail, index) => partOf(detail, `${model}-${index + 1}.svg`, files))
  return `\n## ${model} (\`${formula}\`)\n\n${facts.join('\n')}\n${parts.join('')}`
}

function partOf(detail: BacktestDetail, name: string, files: Map<string, string>): string {
  if (!isSeries(detail)) return `\n### ${detail.title}\n\n${markdownTable(detail.columns, detail.rows)}\n`
  files.set(name, svgOfSeries(detail))
  return `\n### ${detail.title}\n\n![${detail.title.replaceAll(/[[\]\n]/g, ' ')}](${name})\n`
}

type Series = BacktestDetail & { kind: 'series' }

const width = 720
/** Height of the plot, without the legend above and the labels below. */
const plotHeight = 260
const [nameHeight, edge] = [16, { left: 64, right: 16, top: 32, bottom: 48 }]
/** Colours that can be distinguished with red-green colour blindness (Okabe and Ito). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

/** Lines of a report as a picture by itself: SVG without scripts, fonts or addresses. */
export function svgOfSeries({ title, axes, lines }: Series): string {
  const above = edge.top + nameHeight * lines.length
  const height = above + plotHeight + edge.bottom
  const points = lines.flatMap((line) => line.points)
  const [x, y] = [scaleOf(points.map(([x]) => x)), scaleOf([0, ...points.map(([, y]) => y)])]
  const left = (value: number) => edge.left + x.share(value) * (width - edge.left - edge.right)
  const top = (value: number) => above + (1 - y.share(value)) * plotHeight
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...y.ticks.map((tick) => rule(top(tick), figureText(tick))),
    ...x.ticks.map((tick) => text(left(tick), height - edge.bottom + 16, figureText(tick), 'middle')),
    text((edge.left + width - edge.right) / 2, height - 10, axes.x, 'middle'),
    text(8, above - 10, axes.y, 'start'),
    ...lines.map((line, index) => drawn(line.points, colourOf(index))),
    ...lines.map((line, index) =>
      text(8, nameHeight * (index + 1), `● ${line.name}`, 'start', colourOf(index)),
    ),
    '</svg>\n',
  ].join('\n')

  function drawn(line: Series['lines'][number]['points'], colour: string): string {
    const at = line.map(([x, y]) => `${shown(left(x))},${shown(top(y))}`)
    const dots = at
      .map((point) => point.split(','))
      .map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="2.5"/>`)
    return `<g fill="${colour}"><polyline points="${at.join(' ')}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join('')}</g>`
  }
}

const colourOf = (index: number) => colours[index % colours.length] ?? '#000000'

function rule(at: number, label: string): string {
  return `<line x1="${edge.left}" x2="${width - edge.right}" y1="${shown(at)}" y2="${shown(at)}" stroke="#dddddd"/>${text(edge.left - 8, at + 4, label, 'end')}`
}

function text(
  x: number,
  y: number,
  words: string,
  anchor: 'start' | 'middle' | 'end',
  fill = '#333333',
): string {
  return `<text x="${shown(x)}" y="${shown(y)}" text-anchor="${anchor}" fill="${fill}">${escaped(words)}</text>`
}

/** Axis ticks: the minimum, round numbers, and the maximum. */
function scaleOf(values: readonly number[]) {
  const least = values.reduce((one, other) => Math.min(one, other), values[0] ?? 0)
  const greatest = values.reduce((one, other) => Math.max(one, other), least)
  const span = greatest - least || 1
  const rough = span / 5
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const first = Math.ceil(least / step)
  const count = Math.floor((least + span) / step) - first + 1
  return {
    share: (value: number) => (value - least) / span,
    ticks: Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12))),
  }
}

const shown = (at: number) => String(Math.round(at * 10) / 10)

const escaped = (words: string) => words.replaceAll(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
