import type { BacktestContext, BacktestOutcome } from './backtest.ts'
import { type Benchmark, usableCases } from './benchmark.ts'
import { bootstrapInterval } from './statistics.ts'

interface JudgedApp {
  name: string
  /** Judged after the formula was fixed, for an app that was not used before. */
  fresh?: true
}

/** Among some terms, the number that a professional would take, and the number judged. */
interface Judged {
  usable: number
  judged: number
}

/** The counts for the terms suggested for an app; terms that were not judged are counted separately. */
export interface NamedTerms extends Judged {
  unjudged: number
  baseline: Judged
}

/**
 * The share of terms named for the apps for checking that a professional would take.
 * @param named what is named for an app; undefined where no listing of it is stored
 * @param enough so many terms are what an app should get
 */
export async function shareOfUsableTerms<App extends JudgedApp>(
  { signal, progress }: BacktestContext,
  benchmark: Benchmark<App>,
  named: (app: App) => Promise<NamedTerms | undefined>,
  enough: number,
): Promise<BacktestOutcome> {
  const checked = benchmark.cases.filter(({ use }) => use === 'check')
  const counted = new Map<App, NamedTerms>()
  for (const [index, app] of checked.entries()) {
    signal.throwIfAborted()
    const found = await named(app)
    if (found) counted.set(app, found)
    progress(index + 1, checked.length)
  }
  const { leftOut, tooFew } = usableCases(benchmark, (app) => counted.has(app))
  if (tooFew) return tooFew
  const all = [...counted].map(([app, terms]) => ({ app, ...terms }))
  const apps = all.filter(({ judged, baseline }) => judged + baseline.judged > 0)
  if (apps.length === 0)
    return { state: 'not-validated', why: 'Nobody has judged what is named in this store.' }
  return {
    state: 'measured',
    figure: share(apps),
    interval: bootstrapInterval(
      apps.map((app) => [app]),
      share,
    ),
    baselineFigure: share(apps.map(({ baseline }) => baseline)),
    cases: sum(apps, 'judged'),
    leftOut,
    details: [
      {
        kind: 'table',
        title: 'By whether anybody had looked at them before',
        columns: ['apps', 'usable', 'judged', 'usable, %', 'baseline, %'],
        rows: [false, true].map((isFresh) => {
          const some = apps.filter(({ app }) => (app.fresh ?? false) === isFresh)
          const baseline = some.map((one) => one.baseline)
          const title = isFresh ? 'fresh' : 'looked at before'
          return [title, sum(some, 'usable'), sum(some, 'judged'), share(some), share(baseline)]
        }),
      },
      {
        kind: 'table',
        title: 'Apps by how many terms are named',
        columns: ['none', `fewer than ${enough}`, `${enough} and more`],
        rows: [
          [(of: number) => of === 0, (of: number) => of > 0 && of < enough, (of: number) => of >= enough].map(
            (isSo) => all.filter(({ judged, unjudged }) => isSo(judged + unjudged)).length,
          ),
        ],
      },
      {
        kind: 'table',
        title: 'Apps for checking',
        columns: ['app', 'usable', 'judged', 'not judged'],
        rows: all.map(({ app, usable, judged, unjudged }) => [app.name, usable, judged, unjudged]),
      },
    ],
  }
}

const sum = (of: readonly Judged[], what: keyof Judged) => of.reduce((total, one) => total + one[what], 0)

const share = (of: readonly Judged[]) => (100 * sum(of, 'usable')) / sum(of, 'judged')
