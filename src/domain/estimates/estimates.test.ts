import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type EstimateRange, estimateRangeOf, rankLawAt } from './distributions.ts'
import { chartPriorOf, publishedDisagreement } from './priors.ts'
import { bridgedModel, type Calibration, type RankModel, rankModelsOf } from './rank-models.ts'
import { ratingGrowthAround } from './rating-growth.ts'
import { type ChartDays, type EstimatedDay, estimateDays } from './series.ts'

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
    centre: fc.double({ min: 0, max: 5.3, noNaN: true }),
    levelSd: fc.double({ min: 0.01, max: 2, noNaN: true }),
    slopeSd: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
    appSd: fc.double({ min: 0.02, max: 2, noNaN: true }),
    daySd: fc.double({ min: 0.03, max: 2, noNaN: true }),
    rankFrom: fc.integer({ min: 1, max: 100 }),
    span: fc.integer({ min: 0, max: 100 }),
  })
  .map(
    ({ law, rankFrom, span, ...errors }): Calibration => ({
      ...chart('de', 'top-free'),
      ...law,
      ...errors,
      apps: 2,
      calibrationId: 1,
      currency: null,
      rankFrom,
      rankTo: rankFrom + span,
      points: 20,
      heldOut: 20,
      errorAfter: 0.4,
      covered: 0.8,
      errorBefore: null,
      used: true,
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
      fc.constantFrom(...published).map((one) => rankModelsOf(one, [], 2022)[0]),
      anyCalibration.map((one) => rankModelsOf(one, [one], 2022)[0]),
    ),
    fc.option(anyBridge),
  )
  .map(([model, bridge]) => (model && bridge ? bridgedModel(model, 'overall', bridge) : model))
  .filter((model) => model !== undefined)

const rangeAt = (model: RankModel | undefined, rank: number): EstimateRange | undefined => {
  const level = model?.at(rank)
  return level && estimateRangeOf({ mean: level.mean, sd: Math.sqrt(level.app + level.law + level.bridge) })
}

const ordered = ({ low, mid, high }: EstimateRange) =>
  0 <= low && low <= mid && mid <= high && Number.isFinite(high)

describe('A model of ranks, whatever it is made from', () => {
  test('gives a low, a mid and a high in this order, and never more for a worse rank', () => {
    fc.assert(
      fc.property(anyModel, fc.integer({ min: 1, max: 199 }), (model, rank) => {
        const [better, worse] = [rangeAt(model, rank), rangeAt(model, rank + 1)]
        assert.ok(better && worse && ordered(better), JSON.stringify(better))
        for (const part of ['low', 'mid', 'high'] as const) assert.ok(worse[part] <= better[part] * (1 + 1e-12))
      }),
    )
  })

  test('says nothing outside its ranks, and nothing past the last place looked at', () => {
    fc.assert(
      fc.property(
        anyModel,
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 9, max: 100 }),
        (model, rank, more) => {
          const depth = rank + more
          const days: ChartDays = {
            chart: chart('us', 'top-free'),
            days: new Map([['2026-03-01', { rank, depth }]]),
            couldHoldOn: () => true,
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
    const at = rangeAt(rankModelsOf(chart('us', 'top-free'), [], 2022)[0], 1)
    assert.ok(at && at.low <= 90_000 && at.mid >= 90_000 && at.mid <= 185_000 && at.high >= 185_000)
    const games = rankModelsOf(chart('us', 'top-free', 6014), [], 2022)[0]
    const [first, tenth] = [rangeAt(games, 1), rangeAt(games, 10)]
    assert.ok(first && tenth && first.high > 174_000 && tenth.low < 26_000)
  })

  test('makes Japan lower and less certain than the US', () => {
    const [us, jp] = [chart('us', 'top-free'), chart('jp', 'top-free')].map(
      (one) => rankModelsOf(one, [], 2022)[0],
    )
    const [there, here] = [rangeAt(us, 25), rangeAt(jp, 25)]
    assert.ok(there && here)
    assert.ok(Math.abs(here.mid / there.mid - 0.38) < 0.2)
    assert.ok(here.high / here.low > there.high / there.low)
  })

  test('of what people pay in a country adds up to what is stated of it, within a factor of two', () => {
    const laws = chartPriorOf(chart('us', 'top-grossing'))?.laws ?? []
    const perYear = laws.map((law) => {
      let day = 0
      for (let rank = 1; rank <= 200; rank++) day += rankLawAt(law, rank)
      return Math.log(365 * day)
    })
    const middle = Math.exp(perYear.reduce((sum, one) => sum + one, 0) / perYear.length)
    assert.ok(middle >= 53e9 / 2 && middle <= 53e9 * 2, `${middle}`)
    const tenth = rangeAt(rankModelsOf(chart('us', 'top-grossing'), [], 2026)[0], 10)
    assert.ok(tenth && tenth.low > 250_000 && tenth.mid > 800_000 && tenth.mid < 2_000_000)
  })

  test('is less sure the older it is, and says of which years it is', () => {
    for (const [one, year] of published.map((one) => [one, 2024] as const)) {
      const [then, later] = [year, year + 8].map((at) => rankModelsOf(one, [], at)[0])
      const [near, far] = [rangeAt(then, 20), rangeAt(later, 20)]
      assert.ok(
        near && far && far.high / far.low > near.high / near.low && Math.abs(far.mid / near.mid - 1) < 1e-9,
      )
      assert.match(later?.validation ?? '', /^published numbers of 20\d\d/)
      assert.ok(
        later?.inputs.some(({ name, value }) => name === 'published for' && /^20\d\d/.test(String(value))),
      )
    }
  })

  test('says nothing of other countries, of other categories and of iPad', () => {
    assert.equal(chartPriorOf(chart('de', 'top-free')), undefined)
    assert.equal(chartPriorOf(chart('jp', 'top-paid')), undefined)
    assert.equal(chartPriorOf(chart('jp', 'top-free', 6014)), undefined)
    assert.equal(chartPriorOf(chart('us', 'top-free', 6015)), undefined)
    assert.equal(chartPriorOf({ ...chart('us', 'top-free'), device: 'ipad' }), undefined)
    assert.deepEqual(chartPriorOf(chart('us', 'top-grossing'))?.ranks, { from: 10, to: 50 })
  })
})

describe('Days of one app', () => {
  const dayAt = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
  const model = rankModelsOf(chart('us', 'top-free'), [], 2026)
  /** Downloads of every day: a rank of 20 until the tenth day, then no chart; few ratings throughout. */
  const series = (last: number, rated = true) => {
    const charts: ChartDays[] = [
      {
        chart: chart('us', 'top-free'),
        days: new Map(Array.from({ length: 10 }, (_, at) => [dayAt(at), { rank: 20, depth: 100 }])),
        couldHoldOn: () => true,
        modelsOn: () => model,
      },
    ]
    const ratings = Array.from({ length: rated ? last + 1 : 0 }, (_, at) => ({
      day: dayAt(at),
      count: 1_000 + at,
    }))
    const days = Array.from({ length: last + 1 }, (_, at) => dayAt(at))
    return estimateDays({ days, charts, ratings, versions: [] }).filter(({ metric }) => metric === 'downloads')
  }

  test('are one series: without a chart an estimate follows from the last rank and grows less sure, in no step', () => {
    const days = series(120)
    for (const [at, day] of days.entries()) {
      const before = days[at - 1]?.range
      if (!before) continue
      assert.ok(day.range, `${at}: ${day.reason}`)
      const step = Math.abs(Math.log(day.range.mid / before.mid))
      assert.ok(step < 0.3, `${at}: ${before.mid} to ${day.range.mid}`)
    }
    const [known, week, later] = [days[9], days[17], days[119]]
    assert.ok(known?.range && week?.range && later?.range)
    assert.ok(week.range.mid > known.range.mid / 2, 'a week later')
    assert.ok(later.range.low < known.range.low && later.range.mid < week.range.mid)
  })

  test('name the chart that they follow from, and its day', () => {
    const inputs = new Map(series(20)[16]?.inputs.map(({ name, value }) => [name, value]))
    assert.deepEqual(
      [inputs.get('rank'), inputs.get('chart of'), inputs.get('days between')],
      [20, dayAt(9), 7],
    )
  })

  test('are not told by a rank alone after three months, and not by one a year old at all', () => {
    const alone = series(100, false)
    assert.ok(alone[99]?.range && !alone[100]?.range)
    const rated = series(376)
    assert.deepEqual(
      [rated[374]?.inputs, rated[375]?.inputs]
        .map((inputs) => inputs?.some(({ name }) => name === 'chart of' || /rank 20/.test(name)))
        .at(1),
      false,
    )
  })

  test('are not told by an old rank beside ratings that fell, which say nothing', () => {
    const charts: ChartDays[] = [
      {
        chart: chart('us', 'top-free'),
        days: new Map([[dayAt(0), { rank: 20, depth: 100 }]]),
        couldHoldOn: () => true,
        modelsOn: () => model,
      },
    ]
    const on = (count: number) =>
      estimateDays({
        days: [dayAt(200)],
        charts,
        ratings: [
          { day: dayAt(195), count: 1_000 },
          { day: dayAt(205), count },
        ],
        versions: [],
      })[0]
    assert.ok(on(1_010)?.inputs.some(({ value }) => /rank 20/.test(String(value))))
    assert.equal(on(990)?.range, null)
  })

  test('are told by the nearest chart of ten places or more, though a shorter capture lies nearer', () => {
    const charts: ChartDays[] = [
      {
        chart: chart('us', 'top-free'),
        days: new Map([
          [dayAt(0), { rank: 20, depth: 100 }],
          [dayAt(3), { rank: 4, depth: 9 }],
        ]),
        couldHoldOn: () => true,
        modelsOn: () => model,
      },
    ]
    const told = estimateDays({ days: [dayAt(3), dayAt(5)], charts, ratings: [], versions: [] })
      .filter(({ metric }) => metric === 'downloads')
      .map(({ inputs }) => new Map(inputs.map(({ name, value }) => [name, value])))
    assert.deepEqual(
      told.map((inputs) => [inputs.get('rank'), inputs.get('chart of'), inputs.get('days between')]),
      [
        [20, dayAt(0), 3],
        [20, dayAt(0), 5],
      ],
    )
  })

  test('stay as they were where the rank that they followed from may have been removed', () => {
    const charts: ChartDays[] = [
      {
        chart: chart('us', 'top-free'),
        days: new Map([[dayAt(50), { rank: 20, depth: 100 }]]),
        couldHoldOn: () => true,
        modelsOn: () => model,
      },
    ]
    const ratings = Array.from({ length: 61 }, (_, at) => ({ day: dayAt(at), count: 1_000 + at }))
    const days = Array.from({ length: 61 }, (_, at) => dayAt(at))
    const of = (since: object) => estimateDays({ days, charts, ratings, versions: [], ...since })[0]?.day
    assert.deepEqual([of({}), of({ since: dayAt(0) })], [dayAt(0), dayAt(25)])
    charts.length = 0
    assert.equal(of({ since: dayAt(0) }), dayAt(0), 'an app that ratings alone tell of')
  })

  test('say where ranks and ratings exclude each other', () => {
    const told = (day: EstimatedDay | undefined) =>
      day?.inputs.find(({ name }) => name === 'disagreement')?.value
    assert.match(
      String(told(series(20)[5])),
      /^ranks [\d,]+ to [\d,]+, ratings [\d,.]+ to [\d,.]+: their 80 % ranges do not touch$/,
    )
    assert.equal(told(series(20, false)[5]), undefined)
  })
})

describe('Growth of ratings', () => {
  const ofRatings = (gained: number, days: number): EstimatedDay | undefined => {
    const ratings = [
      { day: '2026-03-01', count: 1_000 },
      { day: new Date(Date.UTC(2026, 2, 1 + days)).toISOString().slice(0, 10), count: 1_000 + gained },
    ]
    return estimateDays({ days: ['2026-03-01'], charts: [], ratings, versions: [] })[0]
  }

  test('is a range in order, less sure for fewer ratings and higher for more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e7 }), fc.integer({ min: 1, max: 60 }), (gained, days) => {
        const [less, more] = [ofRatings(gained, days)?.range, ofRatings(gained * 4 + 10, days)?.range]
        assert.ok(less && more && ordered(less) && less.low > 0 && more.mid > less.mid)
        assert.ok(less.high / less.low >= more.high / more.low - 0.5)
      }),
      { numRuns: 50 },
    )
  })

  test('of one rating and one day are told in the singular', () => {
    const says = ofRatings(1, 1)?.inputs.find(({ name }) => name === 'evidence')?.value
    assert.match(String(says), /^1 rating in 1 day: /)
  })

  test('of nothing is a low range and never a bare zero, and a falling count says nothing', () => {
    const none = ofRatings(0, 10)?.range
    assert.ok(none && none.low > 0 && none.mid < 3 && none.high > 3, JSON.stringify(none))
    assert.equal(ofRatings(-1, 10)?.reason, 'too-little-evidence')
  })

  test('speaks only of days between two observations at most 60 days apart', () => {
    const counts = [
      { day: '2026-01-01', count: 10 },
      { day: '2026-01-11', count: 30 },
      { day: '2026-03-12', count: 90 },
      { day: '2026-03-13', count: 91 },
    ]
    const first = { from: '2026-01-01', to: '2026-01-11', days: 10, gained: 20 }
    assert.deepEqual(ratingGrowthAround(counts, '2026-01-01'), first)
    assert.deepEqual(ratingGrowthAround(counts, '2026-01-11'), first)
    assert.deepEqual(ratingGrowthAround(counts, '2026-01-12')?.days, 60)
    assert.equal(ratingGrowthAround(counts, '2025-12-31'), undefined)
    assert.equal(ratingGrowthAround(counts, '2026-03-14'), undefined)
    assert.equal(ratingGrowthAround(counts.toSpliced(1, 1), '2026-01-20'), undefined)
  })
})

describe('All evidence of a day', () => {
  const day = '2026-03-01'
  const anyChart = fc.record({
    chart: fc.record({
      country: fc.constant('us'),
      kind: fc.constant('top-free' as const),
      categoryId: fc.constantFrom(36, 6014, 6015, 6000),
      device: fc.constant('iphone' as const),
    }),
    rank: fc.option(fc.integer({ min: 1, max: 200 })),
    depth: fc.integer({ min: 1, max: 200 }),
    model: anyModel.filter(({ currency }) => currency === null),
    couldHold: fc.boolean(),
  })
  const anyDay = fc.record({
    charts: fc.uniqueArray(anyChart, { maxLength: 4, selector: ({ chart }) => chart.categoryId }),
    ratings: fc.option(
      fc.record({ gained: fc.integer({ min: 0, max: 1e6 }), days: fc.integer({ min: 1, max: 60 }) }),
    ),
  })
  const estimate = ({ charts, ratings }: typeof anyDay extends fc.Arbitrary<infer D> ? D : never) =>
    estimateDays({
      days: [day],
      charts: charts.map(({ chart, rank, depth, model, couldHold }) => ({
        chart,
        days: new Map([[day, { rank, depth: Math.max(depth, rank ?? 0) }]]),
        couldHoldOn: () => couldHold,
        modelsOn: () => [model],
      })),
      ratings: ratings
        ? [
            { day, count: 50 },
            {
              day: new Date(Date.parse(day) + ratings.days * 86_400_000).toISOString().slice(0, 10),
              count: 50 + ratings.gained,
            },
          ]
        : [],
      versions: [],
    })[0]
  const close = (one: EstimateRange | null | undefined, other: EstimateRange | null | undefined) => {
    assert.equal(one === null, other === null)
    for (const part of ['low', 'mid', 'high'] as const)
      if (one && other)
        assert.ok(Math.abs(one[part] - other[part]) <= 0.02 * other[part], `${one[part]} and ${other[part]}`)
  }

  test('comes to a finite range in order, the same in any order of the evidence', () => {
    fc.assert(
      fc.property(anyDay, (all) => {
        const found = estimate(all)
        assert.ok(found)
        if (found.range) assert.ok(ordered(found.range) && found.range.low > 0, JSON.stringify(found))
        close(found.range, estimate({ ...all, charts: all.charts.toReversed() })?.range ?? null)
      }),
      { numRuns: 200 },
    )
  })

  test('is never narrower with fewer ranks, without the ratings, or without a bound', () => {
    const width = (found: EstimatedDay | undefined) =>
      found?.range ? Math.log(found.range.high / found.range.low) : Number.POSITIVE_INFINITY
    const wider = (one: EstimatedDay | undefined, other: EstimatedDay | undefined) =>
      assert.ok(width(one) >= width(other) - 0.03, `${width(one)} and ${width(other)}`)
    fc.assert(
      fc.property(anyDay, ({ charts, ratings }) => {
        const inside = charts.flatMap((entry) =>
          entry.rank === null ? [] : [{ ...entry, rank: Math.min(entry.rank, entry.model.ranks.to) }],
        )
        const ranked = inside.filter(({ rank, model }) => rank >= model.ranks.from)
        const many = ratings && { ...ratings, gained: ratings.gained + 30 }
        const whole = estimate({ charts: ranked, ratings: many })
        wider(estimate({ charts: ranked.slice(1), ratings: null }), estimate({ charts: ranked, ratings: null }))
        if (ranked.length > 0) wider(estimate({ charts: ranked, ratings: null }), whole)
        const absent = charts.map((entry) => ({ ...entry, rank: null }))
        const unbounded = absent.map((entry) => ({ ...entry, couldHold: false }))
        wider(estimate({ charts: unbounded, ratings: many }), estimate({ charts: absent, ratings: many }))
      }),
      { numRuns: 200 },
    )
  })

  test('names each piece with its weight, and the weights are of one', () => {
    fc.assert(
      fc.property(anyDay, (all) => {
        const weights = estimate(all)?.inputs.flatMap(({ name, value }) =>
          name === 'evidence' ? [Number(String(value).match(/weight ([\d.]+)$/)?.[1])] : [],
        )
        if (!weights || weights.length === 0) return
        const sum = weights.reduce((total, weight) => total + weight, 0)
        assert.ok(Math.abs(sum - 1) < 0.03, weights.join(' '))
      }),
      { numRuns: 100 },
    )
  })
})
