import { failingCharts } from '../domain/collecting/chart-attempts.ts'
import { healthOfSources, type SourceHealth } from '../domain/collecting/health.ts'
import { chartName } from '../vocabulary/chart-identity.ts'
import { surfaces } from '../vocabulary/provenance.ts'
import type { OperatorContext } from './operator-context.ts'

/** Failing charts that are named; more are counted by their source. */
const chartsNamed = 20

/** Health of every source in every storefront that was called, those with trouble first. */
export async function sourcesCommand(
  { db, terminal }: OperatorContext,
  { json, failing }: { json?: boolean; failing?: boolean },
): Promise<0 | 1> {
  const all = await healthOfSources(db)
  const shown = failing ? all.filter((one) => one.failingSince !== null || isSuspected(one)) : all
  const charts = await failingCharts(db, chartsNamed)
  if (json) {
    terminal.out(JSON.stringify({ sources: shown, charts }))
    return 0
  }
  if (all.length === 0) terminal.out('No source was ever asked: see rivalscope collect --help.')
  else if (shown.length === 0) terminal.out('Every source that was asked is well.')
  for (const one of shown) terminal.out(line(one))
  if (charts.length > 0) terminal.out('\nCharts whose last try brought no snapshot:')
  for (const { failures, lastAt, message, ...chart } of charts) {
    const name = chartName(chart).padEnd(34)
    terminal.out(`  ${name}  ${failures} in a row, last ${minute(lastAt)}  ${message ?? ''}`)
  }
  return 0
}

function line(one: SourceHealth): string {
  const state = one.failingSince ? 'FAILING' : isSuspected(one) ? 'suspect' : 'well'
  const well = one.lastSuccessAt ? `last answer ${minute(one.lastSuccessAt)}` : 'never answered'
  const failing = one.failingSince
    ? `; failing since ${minute(one.failingSince)}, ${one.failures} in a row: ${one.failureMessage ?? ''}`
    : ''
  const suspect =
    one.suspects > 0 && one.suspectSince
      ? `; ${one.suspects} answering with nothing where there was something, since ${minute(one.suspectSince)}`
      : ''
  const short =
    one.shorts > 0 && one.shortSince
      ? `; ${one.shorts} answering with far less than before, since ${minute(one.shortSince)}`
      : ''
  return `${state.padEnd(8)} ${one.country}  ${surfaces[one.source].padEnd(36)} ${well}${failing}${suspect}${short}`
}

const isSuspected = ({ suspects, shorts }: SourceHealth) => suspects + shorts > 0

const minute = (at: Date) => `${at.toISOString().slice(0, 16)}Z`
