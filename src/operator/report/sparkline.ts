import { escapeHtml } from '../../text/markup.ts'

const [width, height, edge] = [112, 22, 2]

/**
 * Daily ranks as a small SVG, the first place on top, with a text alternative. A line breaks where nothing was measured; a
 * dot at the bottom is a day on which the app was absent.
 * @param drawn a rank, `>` and the places looked at, or null, for each day; oldest first
 * @param weekDays how many of the last days are the week
 */
export function sparkline(drawn: readonly (number | string | null)[], weekDays: number): string {
  const ranks = drawn.filter((rank) => typeof rank === 'number')
  const [best, worst] = [Math.min(...ranks), Math.max(...ranks)]
  const step = width / drawn.length
  const left = (index: number) => shown((index + 0.5) * step)
  // A logarithmic scale: 2 to 1 is as far as 100 to 50.
  const top = (rank: number) =>
    shown(
      worst === best
        ? height / 2
        : edge + (height - 3 * edge) * (Math.log(rank / best) / Math.log(worst / best)),
    )
  const dot = (at: string, y: string | number, look: string) =>
    `<circle cx="${at}" cy="${y}" r="1.2" class="${look}"/>`
  const marks = drawn.flatMap((rank, index) => {
    if (rank === null) return []
    if (typeof rank === 'string') return [dot(left(index), height - edge, 'out')]
    return isNumber(drawn[index - 1]) || isNumber(drawn[index + 1]) ? [] : [dot(left(index), top(rank), 'rank')]
  })
  const lines = runsOf(drawn).map(
    (run) => `<polyline points="${run.map(({ index, rank }) => `${left(index)},${top(rank)}`).join(' ')}"/>`,
  )
  const weekAt = shown(width - weekDays * step)
  return [
    `<svg class="line" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(inWords(drawn))}">`,
    `<rect x="${weekAt}" width="${shown(weekDays * step)}" height="${height}"/>`,
    ...lines,
    ...marks,
    '</svg>',
  ].join('')
}

function inWords(drawn: readonly (number | string | null)[]): string {
  const ranks = drawn.filter((rank) => typeof rank === 'number')
  const measured = drawn.filter((rank) => rank !== null).length
  const days = `${measured} of ${drawn.length} days with data`
  if (ranks.length === 0) return `No rank; ${days}`
  return `Rank ${ranks[0]} first, ${ranks.at(-1)} last, ${Math.min(...ranks)} best; ${days}`
}

const isNumber = (rank: unknown) => typeof rank === 'number'

/** Ranks of consecutive days, at least two. */
function runsOf(drawn: readonly (number | string | null)[]): { index: number; rank: number }[][] {
  const runs: { index: number; rank: number }[][] = [[]]
  for (const [index, rank] of drawn.entries()) {
    if (typeof rank === 'number') runs.at(-1)?.push({ index, rank })
    else runs.push([])
  }
  return runs.filter(({ length }) => length > 1)
}

const shown = (at: number) => String(Math.round(at * 10) / 10)
