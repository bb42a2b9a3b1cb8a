import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { fitCalibration, type SalesPoint } from './calibration-fit.ts'
import { type Law, lawAt, type Range } from './power-law.ts'
import { priorOf, publishedDisagreement, usualSlope } from './priors.ts'
import { bridgedModel, type Calibration, modelsOf, type RankModel } from './rank-models.ts'
import { downloadsFromRatings, growthAround, ratingsPerDownload } from './rating-growth.ts'
import { type ChartDays, estimateDays } from './series.ts'

const chart = (country: string, kind: 'top-free' | 'top-paid' | 'top-grossing', categoryId = 36) => ({
  country,
  kind,
  categoryId,
  device: 'iphone' as const,
})
const published = [
  chart('us', 'top-free'),
  chart('us', 'top-free', 6014),
  chart('us', 'top-paid'),
  chart('us', 'top-grossing'),
  chart('jp', 'top-free'),
]
const anyLaw = fc.record({
  scale: fc.double({ min: 10, max: 1e7, noNaN: true }),
  slope: fc.double({ min: 0.3, max: 2, noNaN: true }),
})
const anyCalibration = fc
  .record({
    law: anyLaw,
    lowFactor: fc.double({ min: 0.01, max: 1, noNaN: true }),
    highFactor: fc.double({ min: 1, max: 100, noNaN: true }),
    rankFrom: fc.integer({ min: 1, max: 100 }),
    span: fc.integer({ min: 0, max: 100 }),
  })
  .map(
    ({ law, rankFrom, span, ...factors }): Calibration => ({
      ...chart('de', 'top-free'),
      ...law,
      ...factors,
      calibrationId: 1,
      currency: null,
      rankFrom,
      rankTo: rankFrom + span,
      points: 20,
    }),
  )
const anyBridge = fc
  .tuple(...Array.from({ length: 3 }, () => fc.double({ min: 0.2, max: 40, noNaN: true })))
  .map((factors) => {
    const [low = 1, mid = 1, high = 1] = factors.sort((one, other) => one - other)
    return { low, mid, high, sharedApps: 9 }
  })
const anyModel: fc.Arbitrary<RankModel> = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...published).map((one) => modelsOf(one, [])[0]),
      anyCalibration.map((one) => modelsOf(one, [one])[0]),
    ),
    fc.option(anyBridge),
  )
  .map(([model, bridge]) => (model && bridge ? bridgedModel(model, 'overall', bridge) : model))
  .filter((model) => model !== undefined)

const ordered = ({ low, mid, high }: Range) => 0 <= low && low <= mid && mid <= high && Number.isFinite(high)

describe('A model of ranks, whatever it is made from', () => {
  test('gives a low, a mid and a high in this order, and never more for a worse rank', () => {
    fc.assert(
      fc.property(anyModel, fc.integer({ min: 1, max: 199 }), (model, rank) => {
        const [better, worse] = [model.at(rank), model.at(rank + 1)]
        assert.ok(ordered(better), JSON.stringify(better))
        for (const part of ['low', 'mid', 'high'] as const) assert.ok(worse[part] <= better[part] * (1 + 1e-12))
      }),
    )
  })

  test('says nothing outside its ranks, and nothing past the last place looked at', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 100 }),
        (model, rank, more) => {
          const depth = rank + more
          const days: ChartDays = {
            chart: chart('us', 'top-free'),
            days: new Map([['2026-03-01', { rank, depth }]]),
            modelsOn: () => [model],
          }
          const [downloads] = estimateDays({ days: ['2026-03-01'], charts: [days], ratings: [], versions: [] })
          assert.ok(downloads)
          const inside = rank >= model.ranks.from && rank <= model.ranks.to
          assert.equal(downloads.reason, inside ? null : 'outside-valid-range')
          if (!inside || !downloads.range) return
          assert.ok(ordered(downloads.range))
          assert.ok(downloads.ranks && downloads.ranks.from <= rank && rank <= downloads.ranks.to)
          assert.ok(downloads.ranks.to <= depth)
        },
      ),
    )
  })
})

describe('What is published', () => {
  test('contradicts itself, and its range holds every number that was published for the place', () => {
    assert.ok(publishedDisagreement > 2 && publishedDisagreement < 2.1)
    const at = modelsOf(chart('us', 'top-free'), [])[0]?.at(1)
    assert.ok(at && at.low <= 90_000 && at.mid >= 90_000 && at.mid <= 185_000 && at.high >= 185_000)
    const games = modelsOf(chart('us', 'top-free', 6014), [])[0]
    assert.ok(games && games.at(1).high > 174_000 && games.at(10).low < 26_000)
  })

  test('makes Japan lower and less certain than the US', () => {
    const [us, jp] = [chart('us', 'top-free'), chart('jp', 'top-free')].map((one) => modelsOf(one, [])[0])
    const [there, here] = [us?.at(25), jp?.at(25)]
    assert.ok(there && here)
    assert.ok(Math.abs(here.mid / there.mid - 0.38) < 0.2)
    assert.ok(here.high / here.low > there.high / there.low)
  })

  test('says nothing of other countries, of other categories and of iPad', () => {
    assert.equal(priorOf(chart('de', 'top-free')), undefined)
    assert.equal(priorOf(chart('jp', 'top-paid')), undefined)
    assert.equal(priorOf(chart('jp', 'top-free', 6014)), undefined)
    assert.equal(priorOf(chart('us', 'top-free', 6015)), undefined)
    assert.equal(priorOf({ ...chart('us', 'top-free'), device: 'ipad' }), undefined)
    assert.deepEqual(priorOf(chart('us', 'top-grossing'))?.ranks, { from: 10, to: 50 })
  })
})

/** Days drawn from a law, each at its rank. */
function drawn(law: Law, ranks: readonly number[], noise: (index: number) => number = () => 1): SalesPoint[] {
  return ranks.map((rank, index) => ({
    day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    rank,
    value: lawAt(law, rank) * noise(index),
    before: lawAt(law, rank) * 3,
  }))
}

describe('A calibration', () => {
  const anyRanks = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 16, maxLength: 120 })

  test('recovers the law its days were drawn from', () => {
    fc.assert(
      fc.property(anyLaw, anyRanks, (law, some) => {
        const fit = fitCalibration(drawn(law, [5, 80, ...some]), 0.8)
        assert.ok(fit?.slopeFitted && fit.used)
        assert.ok(Math.abs(fit.slope - law.slope) < 1e-6)
        assert.ok(Math.abs(fit.scale / law.scale - 1) < 1e-6)
        assert.ok(fit.errorAfter < 1e-6 && fit.errorBefore && Math.abs(fit.errorBefore - 2) < 1e-6)
      }),
    )
  })

  test('takes the usual slope where all its ranks are close together', () => {
    fc.assert(
      fc.property(anyLaw, fc.array(fc.integer({ min: 30, max: 50 }), { minLength: 8 }), (law, ranks) => {
        const fit = fitCalibration(drawn(law, ranks), 0.8)
        assert.deepEqual([fit?.slopeFitted, fit?.slope], [false, 0.8])
      }),
    )
  })

  test('takes the usual slope where figures grow with a worse rank', () => {
    const rising = drawn({ scale: 10, slope: -1 }, [1, 2, 4, 8, 16, 32, 64, 99])
    assert.equal(fitCalibration(rising, 0.8)?.slope, 0.8)
  })

  test('is made from the older days alone; the latest quarter tells its error', () => {
    const points = drawn(
      { scale: 1_000, slope: 0.9 },
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
    const later = points.map((point, index) => (index < 30 ? point : { ...point, value: point.value * 2 }))
    const fit = fitCalibration(later, 0.8)
    assert.deepEqual([fit?.points, fit?.heldOut], [30, 10])
    assert.ok(fit && Math.abs(fit.scale - 1_000) < 1e-6 && Math.abs(fit.errorAfter - 0.5) < 1e-6)
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
    assert.ok(usualSlope('top-free') > 0.5 && usualSlope('top-free') < 0.82)
    assert.ok(usualSlope('top-paid') > 0.9 && usualSlope('top-paid') < 0.95)
    assert.ok(usualSlope('top-grossing') > 0.84 && usualSlope('top-grossing') < 0.86)
  })
})

describe('Growth of ratings', () => {
  test('is a range in order that counts as unsure what it counted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 1, max: 60 }), (gained, days) => {
        const range = downloadsFromRatings({ from: '', to: '', days, gained })
        assert.ok(range && ordered(range) && range.high > 0)
        assert.ok(range.high / Math.max(range.low, 1e-9) > ratingsPerDownload.high / ratingsPerDownload.low)
      }),
    )
  })

  test('of nothing is a range from zero, and a falling count says nothing', () => {
    const none = downloadsFromRatings({ from: '', to: '', days: 10, gained: 0 })
    assert.ok(none && none.low === 0 && none.mid === 0 && none.high > 50)
    assert.equal(downloadsFromRatings({ from: '', to: '', days: 10, gained: -1 }), undefined)
  })

  test('speaks only of days between two observations at most 60 days apart', () => {
    const counts = [
      { day: '2026-01-01', count: 10 },
      { day: '2026-01-11', count: 30 },
      { day: '2026-03-12', count: 90 },
      { day: '2026-03-13', count: 91 },
    ]
    const first = { from: '2026-01-01', to: '2026-01-11', days: 10, gained: 20 }
    assert.deepEqual(growthAround(counts, '2026-01-01'), first)
    assert.deepEqual(growthAround(counts, '2026-01-11'), first)
    assert.deepEqual(growthAround(counts, '2026-01-12')?.days, 60)
    assert.equal(growthAround(counts, '2025-12-31'), undefined)
    assert.equal(growthAround(counts, '2026-03-14'), undefined)
    assert.equal(growthAround(counts.toSpliced(1, 1), '2026-01-20'), undefined)
  })
})
