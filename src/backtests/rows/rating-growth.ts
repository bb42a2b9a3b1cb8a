import { quantile } from '../../domain/estimates/distributions.ts'
import { estimateEvidence } from '../../domain/estimates/evidence.ts'
import { ownApps } from '../../domain/estimates/own-sales.ts'
import { growthAround, ratingsPerDownload } from '../../domain/estimates/rating-growth.ts'
import { estimateFormulas } from '../../domain/estimates/series.ts'
import type { Backtest, BacktestContext } from '../backtest.ts'
import type { Outcome } from '../outcome.ts'
import { bootstrapInterval } from '../statistics.ts'
import { medianFactor } from './own-sales-said.ts'

const fewestApps = 3

/** A day of an own app of which the ratings gained are known. */
interface RatedDay {
  app: string
  value: number
  said: number
  constant: number
}

/** How far are downloads from what ratings gained say of them? Nothing is fitted: the rate is assumed. */
export const ratingGrowth: Backtest = {
  model: 'rating-growth',
  formula: estimateFormulas['rating-growth'],
  measure: 'median factor between the downloads of a day of an own app and what its ratings alone say',
  better: 'lower',
  unit: 'times',
  baseline: 'the median of the figures of the other own apps',
  goal: null,
  data: 'imported sales reports of days between two stored rating counts; nothing is fitted',
  run,
}

async function run({ db, signal, progress }: BacktestContext): Promise<Outcome> {
  const own = await ownApps(db)
  const apps: Omit<RatedDay, 'constant'>[][] = []
  for (const [done, app] of own.entries()) {
    signal.throwIfAborted()
    const { ratings } = await estimateEvidence(db, app, new Date(), false)
    const days = app.days.flatMap(({ day, downloads }) => {
      const growth = growthAround(ratings, day)
      if (downloads === null || !growth || growth.gained < 0) return []
      const said = growth.gained / growth.days / ratingsPerDownload.mid
      return [{ app: `${app.storeId} ${app.country}`, value: downloads, said }]
    })
    if (days.length > 0) apps.push(days)
    progress(done + 1, own.length)
  }
  if (apps.length < fewestApps)
    return {
      state: 'not-validated',
      why: `Own sales and rating counts of the same days are there of ${apps.length} apps; ${fewestApps} are needed.`,
    }
  const groups = apps.map((days) => {
    const others = apps.filter((other) => other !== days).flat()
    const known = others.map(({ value }) => value).sort((one, other) => one - other)
    return days.map((day): RatedDay => ({ ...day, constant: quantile(known, 0.5) }))
  })
  const factor = (of: 'said' | 'constant') => (list: readonly RatedDay[]) =>
    medianFactor(list.map((day) => [day[of], day.value]))
  return {
    state: 'measured',
    figure: factor('said')(groups.flat()),
    interval: bootstrapInterval(groups, factor('said')),
    baselineFigure: factor('constant')(groups.flat()),
    cases: groups.flat().length,
    leftOut: 0,
    details: [
      {
        kind: 'table',
        title: 'By app',
        columns: ['app', 'days', 'median factor by ratings', 'by the other apps'],
        rows: groups
          .slice(0, 500)
          .map((days) => [days[0]?.app ?? '', days.length, factor('said')(days), factor('constant')(days)]),
      },
    ],
  }
}
