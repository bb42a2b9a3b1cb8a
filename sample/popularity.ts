import type { SampleApp } from './app.ts'
import { firstDay, lastDay, type Span, weekday } from './calendar.ts'
import { dice } from './dice.ts'
import type { SampleCountry } from './document.ts'

/** The popularity of an app in a storefront on a day; only the order matters. */
export type Popularity = (app: SampleApp, day: number) => number

/** Autocorrelation of the daily noise: ranks drift and seldom jump. */
const memory = 0.94
const shock = 0.1

/**
 * Base popularity and storefront bonus, plus an autocorrelated random walk, plus the plot: launches climb, and some fall
 * again; a failed update costs most of the audience within a week.
 */
export function popularityIn(apps: readonly SampleApp[], country: SampleCountry, span: Span): Popularity {
  const first = firstDay(span)
  const days = lastDay(span) - first + 1
  const luck = new Map<SampleApp, Float64Array>()
  for (const app of apps) {
    const fortune = dice(span.seed, 'luck', country, app.storeId)
    const walk = new Float64Array(days)
    let now = fortune.bell() * 0.3
    for (let at = 0; at < days; at++) {
      walk[at] = now
      now = memory * now + shock * fortune.bell()
    }
    luck.set(app, walk)
  }
  return (app, day) => {
    const weekend = app.area === 'games' && (weekday(day) === 0 || weekday(day) === 6) ? 0.15 : 0
    return (
      app.popularity +
      app.favour[country] +
      (luck.get(app)?.[day - first] ?? 0) +
      weekend +
      plotEffect(app, day)
    )
  }
}

function plotEffect({ plot, releasedDay }: SampleApp, day: number): number {
  if (plot.launch) {
    const { climbDays, height, fades } = plot.launch
    const age = day - releasedDay
    const climbed = height / (1 + Math.exp((-8 * (age - climbDays / 2)) / climbDays))
    return fades ? climbed - Math.max(0, age - climbDays) * 0.12 : climbed
  }
  if (plot.crashDay !== undefined && day >= plot.crashDay) return -Math.min(3.5, 0.6 * (day - plot.crashDay))
  return 0
}
