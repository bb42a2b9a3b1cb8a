import { cssColour } from '../../charts/theme.ts'
import { saveFile } from '../../ui/csv.ts'
import { type HeatRow, rankBandOf, rankBands } from './heatmap.ts'

const [nameWidth, cellSize, headHeight, footHeight, margin] = [220, 26, 64, 40, 16]
/** Sharp on screens with two pixels to the point, and in print. */
const scale = 2

/** Saves a heat map as a picture, in the theme that is shown. */
export function saveHeatmapPng(
  name: string,
  title: string,
  source: string,
  dates: readonly string[],
  rows: readonly HeatRow[],
): void {
  const canvas = document.createElement('canvas')
  const width = margin * 2 + nameWidth + dates.length * cellSize
  const height = margin * 2 + headHeight + rows.length * cellSize + footHeight
  canvas.width = width * scale
  canvas.height = height * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(scale, scale)
  const family = getComputedStyle(document.body).fontFamily
  const [text, quiet] = [cssColour('--text'), cssColour('--text-quiet')]
  const write = (words: string, x: number, y: number, colour: string, font: string, widest?: number) => {
    context.fillStyle = colour
    context.font = `${font} ${family}`
    context.fillText(widest === undefined ? words : shortened(context, words, widest), x, y)
  }
  context.fillStyle = cssColour('--surface')
  context.fillRect(0, 0, width, height)
  context.textBaseline = 'middle'
  write(title, margin, margin + 10, text, '600 15px')
  context.textAlign = 'center'
  const x = (column: number) => margin + nameWidth + column * cellSize
  const y = (row: number) => margin + headHeight + row * cellSize
  for (const [column, date] of dates.entries()) {
    const middle = x(column) + cellSize / 2
    if (column === 0 || date.endsWith('-01')) write(date.slice(0, 7), middle + 10, y(0) - 26, quiet, '11px')
    write(String(Number(date.slice(8))), middle, y(0) - 10, quiet, '11px')
  }
  for (const [row, { app, cells }] of rows.entries()) {
    context.textAlign = 'start'
    write(app.name ?? app.storeId, margin, y(row) + cellSize / 2, text, '12px', nameWidth - 12)
    context.textAlign = 'center'
    for (const [column, cell] of cells.entries()) {
      const [left, top, size] = [x(column), y(row), cellSize - 1]
      const words = { rank: '', outside: '∅', gap: '', suspect: '?' }[cell.kind]
      if (cell.kind === 'gap') hatch(context, left, top, size)
      if (cell.kind === 'rank') {
        const band = rankBandOf(cell.rank)
        context.fillStyle = cssColour(`--heat-${band}`)
        context.fillRect(left, top, size, size)
        write(String(cell.rank), left + size / 2, top + size / 2, cssColour(`--on-heat-${band}`), '11px')
      } else write(words, left + size / 2, top + size / 2, quiet, '11px')
    }
  }
  context.textAlign = 'start'
  const legend = [...rankBands.map(({ name }) => name), '∅ not ranked', '/// not collected', '? empty response']
  let at = margin
  for (const [index, words] of legend.entries()) {
    if (index < rankBands.length) {
      context.fillStyle = cssColour(`--heat-${index + 1}`)
      context.fillRect(at, y(rows.length) + 8, 14, 14)
      at += 20
    }
    write(words, at, y(rows.length) + 15, quiet, '11px')
    at += context.measureText(words).width + 16
  }
  write(source, margin, y(rows.length) + 36, quiet, '11px', width - 2 * margin)
  canvas.toBlob((content) => content && saveFile(`${name}.png`, content), 'image/png')
}

function hatch(context: CanvasRenderingContext2D, left: number, top: number, size: number): void {
  context.save()
  context.beginPath()
  context.rect(left, top, size, size)
  context.clip()
  context.strokeStyle = cssColour('--border-strong')
  context.beginPath()
  for (let step = -size; step < size; step += 5) {
    context.moveTo(left + step, top + size)
    context.lineTo(left + step + size, top)
  }
  context.stroke()
  context.restore()
}

/** A text that is cut where it would be too wide, never in the middle of a character. */
function shortened(context: CanvasRenderingContext2D, words: string, widest: number): string {
  if (context.measureText(words).width <= widest) return words
  const characters = [...new Intl.Segmenter().segment(words)].map(({ segment }) => segment)
  while (characters.length > 0 && context.measureText(`${characters.join('')}…`).width > widest)
    characters.pop()
  return `${characters.join('')}…`
}
