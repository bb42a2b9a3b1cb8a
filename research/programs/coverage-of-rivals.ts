import { dice } from '../../sample/dice.ts'
import { fitRankLaw, predictionAtRank, type SalesPoint } from '../../src/domain/estimates/calibration-fit.ts'
import { estimateRangeOf } from '../../src/domain/estimates/distributions.ts'
import { medianSlope } from '../../src/domain/estimates/priors.ts'

/** Made-up apps of one chart: how much they differ from each other and from day to day, and how much of them is known. */
export interface Setting {
  /** Own apps, and the days known of each. */
  apps: number
  days: number
  /** Between apps at one place, of the logarithm. */
  sd: number
  /** Between days of one app. */
  daySd?: number
  /** What the first place has a day at least and at most; days are counts of whole downloads. */
  scale?: [least: number, most: number]
  /** Share of the variance between apps that all own apps have in common, being of one maker; each has its own when left out. */
  ofMaker?: number
  /** How often it all is drawn anew, with twenty rivals each time. */
  samples: number
}

const rivals = 20
const daysOfRival = 4

/** How often the 80 % range of a day of a rival holds the truth, after a calibration with own apps. The same every time. */
export function coverageOfRivals({
  apps,
  days,
  sd,
  daySd = 0.2,
  scale: [least, most] = [20_000, 120_000],
  ofMaker,
  samples,
}: Setting): number {
  const { roll, bell } = dice('coverage of rivals', apps, days, String(sd))
  const gap = () => -Math.log(1 - roll())
  /** A Poisson count, by the gaps between events; a normal where there are many. */
  const counted = (mean: number) => {
    if (mean > 500) return Math.max(0, Math.round(mean + Math.sqrt(mean) * bell()))
    let count = 0
    for (let time = gap(); time < mean; time += gap()) count++
    return count
  }
  let [held, all] = [0, 0]
  for (let sample = 0; sample < samples; sample++) {
    const slope = 0.6 + 0.35 * roll()
    const scale = least + (most - least) * roll()
    const common = sd * Math.sqrt(ofMaker ?? 0) * bell()
    const made = (app: number, count: number): SalesPoint[] => {
      const own = app < apps ? common + sd * Math.sqrt(1 - (ofMaker ?? 0)) * bell() : sd * bell()
      const usual = Math.log(5 + 60 * roll())
      let wander = 0
      return Array.from({ length: count }, (_, index) => {
        wander = 0.8 * wander + 0.25 * bell()
        const rank = Math.round(Math.exp(Math.min(Math.log(100), Math.max(0, usual + wander))))
        const value = counted(scale * rank ** -slope * Math.exp(own + daySd * bell()))
        const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)
        return {
          app: String(app),
          maker: ofMaker === undefined ? String(app) : null,
          day,
          rank,
          value,
          before: null,
        }
      })
    }
    const known = Array.from({ length: apps }, (_, app) => made(app, days)).flat()
    const law = fitRankLaw(known, medianSlope('top-free'), true)
    for (let rival = 0; rival < rivals; rival++)
      for (const { rank, value } of made(apps + rival, daysOfRival)) {
        const { low, high } = estimateRangeOf(predictionAtRank(law, rank, true))
        all++
        if (low <= value && value <= high) held++
      }
  }
  return held / all
}
