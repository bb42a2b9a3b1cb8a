import { readFile } from 'node:fs/promises'
import { figureCell } from '../../../research/markdown.ts'
import { BacktestRecord, withUnit } from '../../../research/record.ts'
import { type NotMeasured, notMeasuredOf } from '../../domain/watches/not-measured.ts'
import { WatchDefinition } from '../../domain/watches/watch.ts'
import type { Database } from '../../storage/database.ts'
import type { Model } from '../../vocabulary/models.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import type { WatchKind } from '../../vocabulary/watches.ts'
import { holdsSyntheticEvidence } from '../synthetic-evidence.ts'
import type { AppWeek } from './app-week.ts'
import type { Week } from './week.ts'

/** The evidence behind a report, and its gaps. */
export interface ReportCoverage {
  notMeasured: NotMeasured[]
  /**
   * Whether ads were collected for none of the apps, and discovery ran in none of their storefronts: then a count of zero
   * means nothing.
   */
  unseen: { ads: boolean; emerging: boolean }
  /** Each computed score of the report with the result of its backtest on real data. */
  scores: { name: string; formula: string; found: string; on: string }[]
  /** Whether the store holds evidence that was made up, such as the demo's. */
  madeUp: boolean
}

/** The scores that a report shows. */
const shownScores: readonly { model: Model; name: string }[] = [
  { model: 'emerging', name: 'Emerging apps' },
  { model: 'outlier-score', name: 'Outlier score' },
]

/** Lists what was not measured for the tracked apps, as digests do for watches, and their keywords without a page. */
export async function reportCoverage(
  db: Database,
  accountId: string,
  apps: readonly AppWeek[],
  { from, until }: Week,
): Promise<ReportCoverage> {
  const countries = [...new Set(apps.map(({ country }) => country))]
  const ids = [...new Set(apps.map(({ storeId }) => storeId))]
  const looks = [
    ...apps.map(({ storeId, country }) => ({ kind: 'listing', app: storeId, country })),
    ...ids.map((app) => ({ kind: 'ads', app })),
    ...countries.map((country) => ({ kind: 'emerging', country })),
  ]
  const watches = looks.map((look) => ({
    watchId: '',
    accountId,
    definition: WatchDefinition.parse(look),
    since: from,
    mutedAt: null,
    lastError: null,
  }))
  const missing = await notMeasuredOf(db, watches, { from, until })
  const unseen = (kind: WatchKind) => missing.filter((one) => one.kind === kind).length
  return {
    notMeasured: [...unmeasuredKeywords(apps), ...missing],
    unseen: { ads: unseen('ads') === ids.length, emerging: unseen('emerging') === countries.length },
    scores: await Promise.all(shownScores.map(validated)),
    madeUp: await holdsSyntheticEvidence(db),
  }
}

function unmeasuredKeywords(apps: readonly AppWeek[]): NotMeasured[] {
  const named = apps.flatMap(({ country, keywords: { unmeasured } }) =>
    unmeasured.map((term) => `Search results for "${term}" (${storefrontOf(country).name})`),
  )
  return [...new Set(named)].map((what) => ({
    kind: 'chart',
    what,
    why: 'no valid results collected',
    at: null,
  }))
}

async function validated({
  model,
  name,
}: (typeof shownScores)[number]): Promise<ReportCoverage['scores'][number]> {
  const file = new URL(`docs/models/results/${model}.json`, import.meta.resolve('rivalscope/package.json'))
  const record = BacktestRecord.parse(JSON.parse(await readFile(file, 'utf8')))
  return { name, formula: record.formula, found: foundBy(record), on: record.date }
}

/** The result of a backtest as a sentence: one that counts foretells nothing, so nothing of it can be tested. */
function foundBy(record: BacktestRecord): string {
  const { outcome, measure, unit } = record
  if (outcome.state === 'definition') return `no backtest. ${outcome.why}`
  if (outcome.state !== 'measured') return figureCell(record)
  return `tested on real data, ${measure}: ${figureCell(record)} of ${withUnit(outcome.baselineFigure, unit)}`
}
