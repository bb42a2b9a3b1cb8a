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

const windowDays = 14

test('on real charts to have moved up foretells no better ranks, after five days or ten, as docs/models/emerging.md says', {
  skip,
}, () => {
  const charts = [...histories(american()), ...histories(japanese())]
  const { verdict, after } = backtestEmerging(charts, { horizons: [5, 10], windowDays })
  assert.equal(verdict, 'does-not-foretell')
  for (const { days, movedUp, others, sameRanks, belowMedian } of after)
    for (const baseline of [others, sameRanks, belowMedian])
      assert.ok((movedUp.better ?? 1) < (baseline.better ?? 0), `${days} days later`)
})
