import type { PaidAd } from '../../evidence/shapes.ts'

/** The observed delivery period of an ad. Days are `YYYY-MM-DD`. */
export interface Run {
  from: string
  to: string
  /** `first-seen`: nobody knows when it began; it was running when it was first seen, or by the day that a library names as a bound. */
  start: 'stated' | 'first-seen'
  /** `open`: running when it was last seen. `last-seen`: not running by then, or nobody can tell. */
  end: 'ended' | 'open' | 'last-seen'
}

type Delivery = Pick<
  PaidAd,
  'deliveryStartedOn' | 'deliveryEndedOn' | 'active' | 'firstObservedAt' | 'lastObservedAt' | 'byCountry'
>

export function runOf(ad: Delivery): Run {
  const { deliveryStartedOn: started, deliveryEndedOn: ended, active } = ad
  const seen = ad.lastObservedAt.slice(0, 10)
  const from = started.state === 'measured' ? started.value : (startedBy(ad) ?? ad.firstObservedAt.slice(0, 10))
  const to = ended.state === 'measured' ? ended.value : seen
  const isRunning = active.state === 'measured' && active.value
  return {
    from,
    // An ad may be announced before it starts.
    to: to < from ? from : to,
    start: started.state === 'measured' ? 'stated' : 'first-seen',
    end: ended.state === 'measured' ? 'ended' : isRunning ? 'open' : 'last-seen',
  }
}

/** The first day by which it had started, where a library tells a bound and no day. */
function startedBy({ byCountry }: Pick<Delivery, 'byCountry'>): string | undefined {
  if (byCountry.state !== 'measured') return undefined
  return byCountry.value.flatMap((one) => one.firstShownOn ?? one.firstShownBy ?? []).sort()[0]
}

/** The days of a timeline; the space after the last day shows that running ads continue. */
export interface Axis {
  from: number
  days: number
}

const dayMs = 86_400_000
const dayNumber = (day: string): number => Date.parse(day) / dayMs

export function axisOf(runs: readonly Run[]): Axis | undefined {
  if (runs.length === 0) return undefined
  const from = Math.min(...runs.map((run) => dayNumber(run.from)))
  const to = Math.max(...runs.map((run) => dayNumber(run.to)))
  const days = to - from + 1
  return { from, days: days + Math.max(2, Math.ceil(days * 0.04)) }
}

/** Where a run stands on the axis, as parts of its length; both its days are counted. */
export function placeOf({ from, to }: Run, axis: Axis): { start: number; length: number } {
  return {
    start: (dayNumber(from) - axis.from) / axis.days,
    length: (dayNumber(to) - dayNumber(from) + 1) / axis.days,
  }
}

/** Days to write on the axis, at most six: of months where it is long, else of weeks or days. */
export function ticksOf({ from, days }: Axis): { day: string; at: number }[] {
  const all = Array.from({ length: days }, (_, index) => new Date((from + index) * dayMs))
  const begins: ((date: Date) => boolean)[] = [
    () => true,
    (date) => date.getUTCDay() === 1,
    (date) => date.getUTCDate() === 1,
    (date) => date.getUTCDate() === 1 && date.getUTCMonth() % 3 === 0,
    (date) => date.getUTCDate() === 1 && date.getUTCMonth() === 0,
  ]
  const shown =
    begins.map((begin) => all.filter(begin)).find((dates) => dates.length <= 6 && dates.length > 0) ?? []
  return shown.map((date) => ({
    day: date.toISOString().slice(0, 10),
    at: (date.getTime() / dayMs - from) / days,
  }))
}
