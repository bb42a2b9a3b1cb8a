import type { ChartTogether } from './similar-queries.ts'
import type { Reason } from './similar-reasons.ts'

/** Place by capture, null where an app was not in the chart. */
type Ranks = readonly (number | null)[]

/** Steps from one capture to the next that a common movement needs, and those at which it counts half. */
const fewestSteps = 6
const halfSteps = 5

/** Apps that move most with an app, of which each has so many nearest; and how much sharing those says of moving together. */
const neighbours = { looked: 60, nearest: 15, share: 0.3 }

/** Strongest reason of the charts of one category that show both. */
export function togetherReasons(charts: readonly ChartTogether[]): Map<string, Reason> {
  const found = new Map<string, Reason>()
  for (const chart of charts) {
    const moved = movedWith(chart)
    for (const [storeId, ranks] of chart.others) {
      const reason = togetherReason(chart, ranks, moved.get(storeId) ?? 0)
      const known = found.get(storeId)
      if (reason && (!known || reason.strength > known.strength)) found.set(storeId, reason)
    }
  }
  return found
}

/**
 * Standing in one chart says little: everything popular in a category does. What says more is being there at the same
 * times and not at others (lift), and climbing and falling on the same days, which apps for the same occasions do.
 */
function togetherReason({ captures, own }: ChartTogether, ranks: Ranks, moved: number): Reason | undefined {
  const shown = own.filter((rank) => rank !== null).length
  const both = own.flatMap((rank, at) => {
    const other = ranks[at] ?? null
    return rank === null || other === null ? [] : [[rank, other] as const]
  })
  if (both.length === 0) return undefined
  const held = ranks.filter((rank) => rank !== null).length
  const lift = liftOf(both.length, shown, held, captures)
  const apart = both.reduce((sum, [one, other]) => sum + Math.abs(Math.log2(one / other)), 0) / both.length
  const near = Math.max(0, 1 - apart / 4)
  const strength = Math.min(1, 0.25 * lift + 0.65 * moved + 0.1 * near) * Math.min(1, both.length / shown)
  const moves = moved >= 0.5 ? ', and rises and falls with it' : ''
  return {
    kind: 'charting-together',
    strength,
    detail: `in ${both.length} of the ${shown} category chart snapshots that show the app${moves}`,
  }
}

/** Normalised pointwise mutual information of being in a capture, 0 to 1. */
function liftOf(both: number, one: number, other: number, captures: number): number {
  if (both < 3 || both === captures) return 0
  return Math.max(0, Math.log((both * captures) / (one * other)) / -Math.log(both / captures))
}

/**
 * How much each app rises and falls with the one asked about. An app that moves like everything in the chart is near to
 * all: it counts less than one that is near to the same few as this one (shared nearest neighbours, Jarvis and Patrick
 * 1973).
 */
function movedWith({ own, others }: ChartTogether): Map<string, number> {
  const mine = stepsOf(own)
  const moving = [...others]
    .map(([storeId, ranks]) => ({ storeId, steps: stepsOf(ranks) }))
    .map((one) => ({ ...one, moved: alikeSteps(mine, one.steps) }))
    .filter(({ moved }) => moved > 0)
    .sort((one, other) => other.moved - one.moved || (one.storeId < other.storeId ? -1 : 1))
  const looked = moving.slice(0, neighbours.looked)
  const nearest = nearestOf([mine, ...looked.map(({ steps }) => steps)])
  const near = nearest[0] ?? new Set()
  const shared = new Map(
    looked.map(({ storeId }, index) => [storeId, (nearest[index + 1] ?? new Set()).intersection(near).size]),
  )
  return new Map(
    moving.map(({ storeId, moved }) => {
      const common = (shared.get(storeId) ?? 0) / neighbours.nearest
      return [storeId, (1 - neighbours.share) * moved + neighbours.share * common]
    }),
  )
}

/** The nearest of each, by their places in the list; an app is the nearest to itself. */
function nearestOf(all: readonly Float64Array[]): Set<number>[] {
  return all.map((one) => {
    const near = all
      .map((other, at) => ({ at, alike: one === other ? 1 : alikeSteps(one, other) }))
      .filter(({ alike }) => alike > 0)
      .sort((first, second) => second.alike - first.alike || first.at - second.at)
    return new Set(near.slice(0, neighbours.nearest).map(({ at }) => at))
  })
}

/** The steps of the logarithm of a rank from capture to capture, NaN where the app was not in both. */
function stepsOf(ranks: Ranks): Float64Array {
  const logs = ranks.map((rank) => (rank === null ? Number.NaN : Math.log(rank)))
  return Float64Array.from(
    { length: Math.max(0, logs.length - 1) },
    (_, at) => (logs[at + 1] ?? 0) - (logs[at] ?? 0),
  )
}

/** The correlation of two apps' steps, less where there are few of them, 0 where they go apart. */
function alikeSteps(mine: Float64Array, theirs: Float64Array): number {
  let product = 0
  let one = 0
  let other = 0
  let steps = 0
  for (let at = 0; at < mine.length; at++) {
    const step = mine[at] ?? Number.NaN
    const otherStep = theirs[at] ?? Number.NaN
    const both = step * otherStep
    if (Number.isNaN(both)) continue
    product += both
    one += step * step
    other += otherStep * otherStep
    steps++
  }
  if (steps < fewestSteps || one === 0 || other === 0) return 0
  return Math.max(0, product / Math.sqrt(one * other)) * (steps / (steps + halfSteps))
}
