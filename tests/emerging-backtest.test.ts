import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { backtestEmerging, type ChartHistory } from '../src/domain/emerging/backtest.ts'
import { storefrontDay } from '../src/vocabulary/storefront-day.ts'
import { sharedData } from './support/world.ts'

const directory = join(sharedData, 'apple/charts')
const skip = existsSync(directory) ? false : 'the real material is not beside the project (../shared/data)'

interface Snapshot {
  chart: string
  day: string
  capturedAt: number
  storeIds: string[]
}

const filesOf = (name: string) =>
  readdirSync(join(directory, name))
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({ file, content: JSON.parse(readFileSync(join(directory, name, file), 'utf8')) }))

const american = (): Snapshot[] =>
  filesOf('us-daily-2026').map(({ file, content: { date, items } }) => ({
    chart: file.replace(date, ''),
    day: date,
    capturedAt: Date.parse(date),
    storeIds: items.map(({ id }: { id: string }) => id),
  }))

const japanese = (): Snapshot[] =>
  filesOf('jp-finance-daily').map(({ file, content }) => {
    const [, day, hour, minute] = /_(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z/.exec(file) ?? []
    const capturedAt = Date.parse(`${day}T${hour}:${minute}:00Z`)
    const storeIds = content.map(({ url }: { url: string }) => /\/id(\d+)/.exec(url)?.[1] ?? '')
    return { chart: 'jp', day: storefrontDay('jp', new Date(capturedAt)), capturedAt, storeIds }
  })

/** Each chart with the last capture of every day. */
const histories = (snapshots: readonly Snapshot[]): ChartHistory[] =>
  [...Map.groupBy(snapshots, ({ chart }) => chart).values()].map((ofChart) => [
    ...new Map(
      ofChart.sort((one, other) => one.capturedAt - other.capturedAt).map((one) => [one.day, one]),
    ).values(),
  ])

/** The thresholds were set on American charts up to this day, and are judged on the days after it and on Japan. */
const dayAfterFitted = '2026-02-26'
const windowDays = 14

test('on charts that set nothing, rising apps do better five days later than new entrants, and stay more than all others', {
  skip,
}, () => {
  const checks = {
    'us from 26 February': backtestEmerging(histories(american()), {
      horizonDays: 5,
      windowDays,
      from: dayAfterFitted,
    }),
    'jp finance': backtestEmerging(histories(japanese()), { horizonDays: 5, windowDays }),
  }
  for (const [name, { rising, newEntrants, others, verdict, lift }] of Object.entries(checks)) {
    assert.equal(verdict, 'beats-new-entrants', name)
    assert.ok((lift ?? 0) > 2.5, `${name}: ${lift}`)
    assert.ok((rising.charting ?? 0) > 2.5 * (newEntrants.charting ?? 0), name)
    assert.ok((rising.charting ?? 0) > (others.charting ?? 0), name)
    assert.ok((rising.better ?? 0) > (others.better ?? 0), name)
  }
})

test('ten days later rising apps still do better than new entrants, and no better than others', {
  skip,
}, () => {
  const { rising, newEntrants, others, verdict } = backtestEmerging(histories(japanese()), {
    horizonDays: 10,
    windowDays,
  })
  assert.equal(verdict, 'beats-new-entrants')
  assert.ok((rising.better ?? 0) > 2.5 * (newEntrants.better ?? 0))
  assert.ok((rising.better ?? 0) < (others.better ?? 0), 'as docs/emerging.md says')
})
