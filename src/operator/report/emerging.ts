import { labelsOfApps } from '../../domain/catalogue/app.ts'
import { emergingCandidatesOf } from '../../domain/emerging/candidate-queries.ts'
import { type DiscoveryResult, newestRun } from '../../domain/emerging/discovery.ts'
import { backtestInWords } from '../../domain/emerging/stored-backtest.ts'
import type { Database } from '../../storage/database.ts'
import type { EmergingKind } from '../../vocabulary/emerging.ts'
import type { Week } from './week.ts'

/** Apps that discovery runs found for the first time in a week. */
export interface EmergingWeek {
  /** The strongest of them. */
  apps: EmergingApp[]
  /** How many there are. */
  total: number
  /** The later course of apps that moved up, by the newest run of each storefront, in words. */
  backtests: { country: string; words: string }[]
}

export interface EmergingApp {
  storeId: string
  country: string
  name: string
  /** Null where the charts of the storefront do not carry the name of a kind. */
  kind: EmergingKind | null
  score: number
  reason: string | undefined
}

/** A storefront with its relevant categories. */
export interface Market {
  country: string
  categoryIds: readonly number[]
}

const most = 4
/** Candidates of a run that are examined. */
const read = 100

/** Candidates of the runs over all categories and over the relevant ones, strongest first, without tracked apps. */
export async function emergingOfWeek(
  db: Database,
  markets: readonly Market[],
  tracked: ReadonlySet<string>,
  { from, until }: Week,
): Promise<EmergingWeek> {
  const apps = new Map<string, EmergingApp>()
  const backtests: EmergingWeek['backtests'] = []
  for (const { country, categoryIds } of markets) {
    for (const categoryId of [null, ...categoryIds]) {
      const since = from.toISOString().slice(0, 10)
      const found = await emergingCandidatesOf(db, { country, categoryId }, { since }, undefined, read)
      const ofWeek = found.filter(
        ({ storeId, discoveredAt }) => discoveredAt >= from && discoveredAt < until && !tracked.has(storeId),
      )
      const labels = await labelsOfApps(
        db,
        ofWeek.map(({ storeId }) => storeId),
        country,
      )
      const names = new Map(labels.map(({ storeId, name }) => [storeId, name]))
      for (const { storeId, kind, score, reasons } of ofWeek) {
        const name = names.get(storeId) ?? `App ${storeId}`
        const one = { storeId, country, name, kind, score, reason: reasons[0]?.detail }
        const known = apps.get(`${country} ${storeId}`)
        if (!known || known.score < score) apps.set(`${country} ${storeId}`, one)
      }
      const run = await newestRun(db, { country, categoryId }, {})
      const { backtest } = (run?.result ?? {}) as Partial<DiscoveryResult>
      if (backtest && categoryId === null) backtests.push({ country, words: backtestInWords(backtest) })
    }
  }
  const strongest = [...apps.values()].sort((one, other) => other.score - one.score).slice(0, most)
  return { apps: strongest, total: apps.size, backtests }
}
