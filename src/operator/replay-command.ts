import { computeRatingScales } from '../domain/aso/pages/rating-scale-runs.ts'
import { computeWordWeights } from '../domain/catalogue/word-weights.ts'
import { type ProjectionName, projectionNames } from '../projections/names.ts'
import { groupsOf, PayloadsGoneError, ReplayUnderWayError, replay, servedBytes } from '../projections/replay.ts'
import { TablesInUseError } from '../projections/swap.ts'
import type { OperatorContext } from './operator-context.ts'

/** Rebuilds projections from all stored payloads, one after the other. */
export async function replayCommand(
  { db, terminal, signal }: OperatorContext,
  { projections = [], json }: { projections?: readonly ProjectionName[]; json?: boolean },
): Promise<0 | 1> {
  const names = projections.length > 0 ? projections : projectionNames
  const done: ProjectionName[] = []
  let under: readonly ProjectionName[] = []
  try {
    const sizes = await Promise.all(groupsOf(names).map((together) => servedBytes(db, together)))
    terminal.note(`Needs ${inWords(Math.max(...sizes))} more on the disk of the store until its end.`)
    const summary = await replay(
      db,
      (readings, total, together) => {
        if (together !== under) done.push(...under)
        under = together
        terminal.progress({ label: together.join(' and '), done: readings, total, unit: 'records' })
      },
      signal,
      names,
    )
    if (names.includes('catalogue')) await computeWordWeights(db, new Date())
    await computeRatingScales(db, new Date())
    terminal.out(
      json
        ? JSON.stringify(summary)
        : `replayed ${summary.readings} readings, ${summary.refused} no longer readable`,
    )
    return 0
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) terminal.note((error as Error).message)
    else if (signal.aborted) terminal.note(`Interrupted. ${leftWords(done)}`)
    else throw error
    return 1
  }
}

/** Why a replay did not take place. */
const refusals = [ReplayUnderWayError, PayloadsGoneError, TablesInUseError] as const

const leftWords = (done: readonly ProjectionName[]) =>
  done.length === 0 ? 'Nothing was changed.' : `Made anew: ${done.join(', ')}. Everything else is as it was.`

function inWords(bytes: number): string {
  const mib = bytes / 2 ** 20
  return mib < 1024 ? `${Math.max(1, Math.round(mib))} MiB` : `${(mib / 1024).toFixed(1)} GiB`
}
