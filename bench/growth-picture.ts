export interface Point {
  apps: number
  /** Milliseconds. */
  p50: number
  p95: number
  /** Blocks that a read touches, on average. */
  blocks: number
}

const [left, top, across, height, rowHeight] = [70, 20, 460, 420, 17] as const

/** p95 against apps for each read as an SVG, both scales logarithmic: what is proportional rises at 45 degrees of a decade. */
export function drawGrowth(reads: ReadonlyMap<string, readonly Point[]>): string {
  const points = [...reads.values()].flat()
  const [fewest, most] = rangeOf(points.map(({ apps }) => apps))
  const [fastest, slowest] = rangeOf(points.map(({ p95 }) => p95))
  const x = (apps: number) => left + (across * Math.log(apps / fewest)) / Math.log(most / fewest)
  const y = (ms: number) => top + height - (height * Math.log(ms / fastest)) / Math.log(slowest / fastest)
  const decades = (from: number, to: number) =>
    Array.from({ length: 9 }, (_, power) => 10 ** (power - 1)).filter((one) => one >= from && one <= to)
  const lines = [...reads].map(([read, some], index) => {
    const colour = `hsl(${(index * 137) % 360} 65% 40%)`
    const path = some.map(({ apps, p95 }) => `${x(apps).toFixed(1)},${y(p95).toFixed(1)}`).join(' ')
    const row = top + index * rowHeight
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.5"/>
<rect x="${left + across + 20}" y="${row}" width="12" height="4" fill="${colour}"/>
<text x="${left + across + 38}" y="${row + 7}">${read}</text>`
  })
  const scales = [
    ...decades(fastest, slowest).map(
      (ms) =>
        `<path d="M${left} ${y(ms).toFixed(1)}h${across}" stroke="#ccc"/><text x="${left - 8}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end">${ms} ms</text>`,
    ),
    ...[...new Set(points.map(({ apps }) => apps))].map(
      (apps) =>
        `<text x="${x(apps).toFixed(1)}" y="${top + height + 18}" text-anchor="middle">${apps.toLocaleString('en')}</text>`,
    ),
  ]
  const tall = Math.max(top + height + 40, top + reads.size * rowHeight + 20)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${tall}" font-family="sans-serif" font-size="11">
<rect width="960" height="${tall}" fill="#fff"/>
${[...scales, ...lines].join('\n')}
<text x="${left + across / 2}" y="${top + height + 34}" text-anchor="middle">apps; p95 at the door</text>
</svg>
`
}

const rangeOf = (values: readonly number[]): [number, number] => [
  Math.min(...values),
  Math.max(...values) * 1.01,
]
