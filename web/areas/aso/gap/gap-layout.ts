/** A keyword of the gap, as far as its place in the picture goes. A rank is null where the app was looked for in vain. */
export interface GapPoint {
  term: string
  own: number | null
  rival: number | null
  /** From 0 to 100; null where it is not measured. */
  opportunity: number | null
}

export interface PlacedPoint<Point> {
  point: Point
  x: number
  y: number
  radius: number
}

export interface GapLayout<Point> {
  width: number
  height: number
  /** The edges of the field where both apps rank. */
  field: { left: number; right: number; top: number; bottom: number }
  /** The middle of the rails outside it, for keywords where one of them was looked for in vain. */
  rails: { x: number; y: number }
  /** The diagonal of equal ranks, from the worst to the best. */
  diagonal: { x1: number; y1: number; x2: number; y2: number }
  ticks: { rank: number; x: number; y: number }[]
  points: PlacedPoint<Point>[]
  labels: PlacedText[]
  /** The labels of the two sides of the diagonal, in the corners of the plot. */
  sides: PlacedText[]
}

export interface PlacedText {
  text: string
  x: number
  y: number
  anchor: 'start' | 'end'
}

const margin = { left: 46, right: 18, top: 16, bottom: 44 }
const rail = 56
/** Between the edges of the field and the best and the worst rank, so that bubbles stay inside. */
const inset = 22
const letterWidth = 6.2
const labelHeight = 14
const mostLabels = 40

/**
 * Places keywords by the rank of both apps, on logarithmic axes with rank 1 at the end and on top, so that what is above the
 * diagonal is the rival's. Keywords that would lie on each other are moved apart by their own size.
 * @param points at least one of the two ranks in each; those that matter most first: they keep their place and are named
 */
export function layOutGap<Point extends GapPoint>(
  points: readonly Point[],
  width: number,
  height: number,
): GapLayout<Point> {
  const field = {
    left: margin.left + rail,
    right: width - margin.right,
    top: margin.top,
    bottom: height - margin.bottom - rail,
  }
  const rails = { x: margin.left + rail / 2, y: height - margin.bottom - rail / 2 }
  const ranks = points.flatMap(({ own, rival }) => [own ?? 1, rival ?? 1])
  const deepest = Math.max(10, ...ranks) * 1.15
  const part = (rank: number) => Math.log(rank) / Math.log(deepest)
  const x = (rank: number) => field.right - inset - part(rank) * (field.right - field.left - 2 * inset)
  const y = (rank: number) => field.top + inset + part(rank) * (field.bottom - field.top - 2 * inset)
  const placed: PlacedPoint<Point>[] = []
  for (const point of points) {
    const radius = radiusOf(point.opportunity)
    const home = {
      x: point.own === null ? rails.x : x(point.own),
      y: point.rival === null ? rails.y : y(point.rival),
    }
    placed.push({ point, radius, ...freePlace(home, radius, placed) })
  }
  const sides: PlacedText[] = [
    { text: 'Competitor ahead', x: field.left + 10, y: field.top + 14, anchor: 'start' },
    { text: 'This app ahead', x: field.right - 10, y: field.bottom - 10, anchor: 'end' },
  ]
  return {
    width,
    height,
    field,
    rails,
    diagonal: { x1: x(deepest), y1: y(deepest), x2: x(1), y2: y(1) },
    ticks: [1, 2, 3, 5, 10, 20, 50, 100, 200]
      .filter((rank) => rank <= deepest)
      .map((rank) => ({ rank, x: x(rank), y: y(rank) })),
    points: placed,
    sides,
    labels: labelsOf(placed, sides, width),
  }
}

/** The area of a bubble says the opportunity; one whose opportunity is not measured is as small as can be. */
const radiusOf = (opportunity: number | null): number =>
  opportunity === null ? 4 : 4 + Math.sqrt(opportunity / 100) * 11

/** The place itself, or the nearest on a spiral around it that hides no other keyword by more than half. */
function freePlace(
  home: { x: number; y: number },
  radius: number,
  placed: readonly PlacedPoint<unknown>[],
): { x: number; y: number } {
  for (let step = 0; step < 60; step++) {
    const [angle, distance] = [step * 2.4, Math.sqrt(step) * radius * 0.5]
    const place = { x: home.x + Math.cos(angle) * distance, y: home.y + Math.sin(angle) * distance }
    const hides = placed.some(
      (other) => Math.hypot(other.x - place.x, other.y - place.y) < Math.max(other.radius, radius),
    )
    if (!hides) return place
  }
  return home
}

/** Names of keywords beside their bubbles, as many as find room. */
function labelsOf<Point extends GapPoint>(
  placed: readonly PlacedPoint<Point>[],
  sides: readonly PlacedText[],
  width: number,
): PlacedText[] {
  const taken: Box[] = [
    ...placed.map(({ x, y, radius }) => boxOf(x - radius, y - radius, radius * 2, radius * 2)),
    ...sides.map(boxOfText),
  ]
  const labels: PlacedText[] = []
  for (const { point, x, y, radius } of placed) {
    if (labels.length === mostLabels) break
    const text = point.term.length > 28 ? `${point.term.slice(0, 27)}…` : point.term
    for (const anchor of ['start', 'end'] as const) {
      const label: PlacedText = { text, x: anchor === 'start' ? x + radius + 4 : x - radius - 4, y, anchor }
      const box = boxOfText(label)
      const fits = box.left >= 0 && box.right <= width && !taken.some((other) => overlap(box, other))
      if (!fits) continue
      taken.push(box)
      labels.push(label)
      break
    }
  }
  return labels
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const boxOf = (left: number, top: number, width: number, height: number): Box => ({
  left,
  right: left + width,
  top,
  bottom: top + height,
})

function boxOfText({ text, x, y, anchor }: PlacedText): Box {
  const length = [...text].reduce((sum, letter) => sum + (letter > '\u2E80' ? 2 : 1) * letterWidth, 0)
  return boxOf(anchor === 'start' ? x : x - length, y - labelHeight / 2, length, labelHeight)
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
