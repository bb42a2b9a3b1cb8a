import { dice } from '../sample/dice.ts'
import { lawOf, levelAt, type SalesPoint } from '../src/domain/estimates/calibration-fit.ts'
import { rangeOf } from '../src/domain/estimates/log-normal.ts'
import { usualSlope } from '../src/domain/estimates/priors.ts'

/** Made-up apps of one chart: how much they differ from each other and from day to day, and how much of them is known. */
export interface Setting {
  /** Own apps, and the days known of each. */
  apps: number
  days: number
  /** Between apps at one place, of the logarithm. */
  sd: number
  /** Between days of one app. */
  daySd?: number
  /** How often it all is drawn anew, with twenty rivals each time. */
  samples: number
}

const rivals = 20
const daysOfRival = 4

/** How often the 80 % range of a day of a rival holds the truth, after a calibration with own apps. The same every time. */
export function coverageOfRivals({ apps, days, sd, daySd = 0.2, samples }: Setting): number {
  const { roll, bell } = dice('coverage of rivals', apps, days, String(sd))
  let [held, all] = [0, 0]
  for (let sample = 0; sample < samples; sample++) {
    const slope = 0.6 + 0.35 * roll()
    const scale = 20_000 + 100_000 * roll()
    const made = (app: number, count: number): SalesPoint[] => {
      const own = sd * bell()
      const usual = Math.log(5 + 60 * roll())
      let wander = 0
      return Array.from({ length: count }, (_, index) => {
        wander = 0.8 * wander + 0.25 * bell()
        const rank = Math.round(Math.exp(Math.min(Math.log(100), Math.max(0, usual + wander))))
        const value = Math.round(scale * rank ** -slope * Math.exp(own + daySd * bell()))
        const day = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)
        return { app: String(app), day, rank, value, before: null }
      })
    }
    const known = Array.from({ length: apps }, (_, app) => made(app, days)).flat()
    const law = lawOf(known, usualSlope('top-free'), true)
    for (let rival = 0; rival < rivals; rival++)
      for (const { rank, value } of made(apps + rival, daysOfRival)) {
        const { low, high } = rangeOf(levelAt(law, rank))
        all++
        if (low <= value && value <= high) held++
      }
  }
  return held / all
}
