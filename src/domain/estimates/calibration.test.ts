import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { coverageOfRivals } from '../../../research/programs/coverage-of-rivals.ts'
import { type CalibrationFit, fitCalibration, predictionAtRank, type SalesPoint } from './calibration-fit.ts'
import { type RankLaw, rankLawAt } from './distributions.ts'
import { medianSlope } from './priors.ts'

const anyLaw = fc.record({
  scale: fc.double({ min: 1e4, max: 1e7, noNaN: true }),
  slope: fc.double({ min: 0.4, max: 1.4, noNaN: true }),
})

/** Days generated from a law, one for each rank. */
function drawn(
  law: RankLaw,
  ranks: readonly number[],
  noise: (index: number) => number = () => 1,
): SalesPoint[] {
  return ranks.map((rank, index) => ({
    app: '7',
    maker: null,
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    rank,
    value: rankLawAt(law, rank) * noise(index),
    before: rankLawAt(law, rank) * 3,
  }))
}

const saidAt = (fit: CalibrationFit | undefined, rank: number) => (fit ? rankLawAt(fit, rank) : Number.NaN)

test('Ranges hold days of rivals as often as they say, with three and with ten own apps, few days and many', () => {
  for (const apps of [3, 10])
    for (const sd of [0.35, 0.5])
      for (const days of [8, 30]) {
        const covered = coverageOfRivals({ apps, sd, days, samples: 300 })
        assert.ok(covered >= 0.76 && covered <= 0.84, `${apps} apps, ${sd}, ${days} days: ${covered}`)
      }
})

test('They hold counts of few downloads as often', () => {
  for (const apps of [3, 10]) {
    const covered = coverageOfRivals({ apps, sd: 0.5, days: 8, samples: 300, scale: [20, 400] })
    assert.ok(covered >= 0.76 && covered <= 0.84, `${apps} apps: ${covered}`)
  }
})

test('Own apps of one maker, which may have much in common, tell less of how apps differ than those of many', () => {
  for (const apps of [3, 10]) {
    const [common, apart] = [0.5, 0].map((ofMaker) =>
      coverageOfRivals({ apps, sd: 0.5, days: 8, samples: 300, ofMaker }),
    )
    assert.ok(common && common >= 0.68 && apart && apart <= 0.9, `${apps} apps: ${common}, ${apart}`)
  }
})

test('With one own app they rest on an assumption: too wide where rivals differ less, and not too narrow where they differ more', () => {
  for (const [sd, least, most] of [
    [0.35, 0.86, 0.93],
    [0.5, 0.75, 0.84],
  ] as const) {
    const covered = coverageOfRivals({ apps: 1, sd, days: 8, samples: 300 })
    assert.ok(covered >= least && covered <= most, `${sd}: ${covered}`)
  }
})

describe('A calibration', () => {
  const anyRanks = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 16, maxLength: 120 })

  test('recovers the law its days were drawn from', () => {
    fc.assert(
      fc.property(anyLaw, anyRanks, (law, some) => {
        const fit = fitCalibration(drawn(law, [5, 80, 8, 60, ...some]), 0.8)
        assert.ok(fit?.slopeFitted && fit.used)
        assert.ok(Math.abs(fit.slope - law.slope) < 0.05, `${fit.slope}`)
        assert.ok(Math.abs(saidAt(fit, 30) / rankLawAt(law, 30) - 1) < 0.05)
        assert.ok(fit.errorBefore && fit.errorAfter < fit.errorBefore)
      }),
      { numRuns: 50 },
    )
  })

  test('stays near the usual slope where all its ranks are close together, and says that it has none of its own', () => {
    fc.assert(
      fc.property(
        anyLaw,
        fc.array(fc.integer({ min: 38, max: 42 }), { minLength: 8, maxLength: 60 }),
        (law, ranks) => {
          const fit = fitCalibration(drawn(law, ranks), 0.8)
          assert.ok(fit && !fit.slopeFitted && Math.abs(fit.slope - 0.8) < 0.3)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('never rises with the rank where figures grow with a worse rank, and is not used: a constant does better', () => {
    const rising = drawn({ scale: 1_000, slope: -1 }, [1, 2, 4, 8, 16, 32, 64, 99])
    const fit = fitCalibration(
      rising.map((point) => ({ ...point, before: null })),
      0.8,
    )
    assert.ok(fit && fit.slope >= 0.3 && !fit.used)
  })

  test('is not ruled by one day at a hundredth among eight', () => {
    const [law, ranks] = [{ scale: 20_000, slope: 0.9 }, [5, 9, 14, 20, 28, 36, 44, 60]]
    for (const bad of ranks.keys()) {
      const fit = fitCalibration(
        drawn(law, ranks, (index) => (index === bad ? 0.01 : 1)),
        0.8,
      )
      const share = saidAt(fit, 25) / rankLawAt(law, 25)
      assert.ok(share > 0.9 && share < 1.1, `day ${bad}: ${share}`)
    }
  })

  test('counts days of none: an app that sells one every other day has half a sale a day', () => {
    const values = Array.from({ length: 40 }, (_, index) => index % 2)
    const points = values.map((value, index) => ({
      ...drawn({ scale: 1, slope: 1 }, [40])[0],
      app: '7',
      maker: null,
      day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
      rank: 30 + (index % 20),
      value,
      before: null,
    }))
    const said = saidAt(fitCalibration(points, 0.8), 40)
    assert.ok(said > 0.4 && said < 0.6, `${said}`)
    const without = saidAt(
      fitCalibration(
        points.filter(({ value }) => value > 0),
        0.8,
      ),
      40,
    )
    assert.ok(without > 0.8, `${without}`)
  })

  test('tells the error between apps from the error between days, and its range is of both', () => {
    const apps = [0.5, 1, 2, 0.7, 1.5, 1.1].flatMap((factor, app) =>
      drawn(
        { scale: 20_000 * factor, slope: 0.9 },
        [5, 8, 13, 21, 34, 55, 40, 30],
        (index) => 1 + 0.02 * (index % 3),
      ).map((point) => ({ ...point, app: String(app) })),
    )
    const fit = fitCalibration(apps, 0.8)
    assert.ok(fit && fit.apps === 6 && fit.betweenApps > 0.3 && fit.betweenApps < 0.7 && fit.daySd < 0.12)
    const { sd } = predictionAtRank(fit, 20, true)
    assert.ok(sd > fit.betweenApps && sd < 2 * fit.betweenApps)
    assert.ok(fit.heldOut === apps.length && fit.covered > 0.6, 'every day was said without its app')
  })

  test('that is no better than what was before is not used', () => {
    const reported = drawn({ scale: 1_000, slope: 0.9 }, [1, 5, 9, 20, 30, 40, 50, 60], (day) =>
      day < 6 ? 1 : 4,
    )
    const known = reported.map((point) => ({ ...point, before: point.value }))
    assert.equal(fitCalibration(known, 0.8)?.used, false)
    const unknown = reported.map((point) => ({ ...point, before: null }))
    const fit = fitCalibration(unknown, 0.8)
    assert.deepEqual([fit?.used, fit?.errorBefore], [true, null])
  })

  test('needs eight days', () => {
    assert.equal(fitCalibration(drawn({ scale: 9, slope: 1 }, [1, 2, 3, 4, 5, 6, 7]), 0.8), undefined)
  })

  test('has a usual slope for each kind of chart between the published ones', () => {
    assert.ok(medianSlope('top-free') > 0.5 && medianSlope('top-free') < 0.82)
    assert.ok(medianSlope('top-paid') > 0.9 && medianSlope('top-paid') < 0.95)
    assert.ok(medianSlope('top-grossing') > 0.84 && medianSlope('top-grossing') < 0.86)
  })
})
