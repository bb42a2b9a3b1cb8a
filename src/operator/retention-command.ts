import {
  type KindUnderPolicy,
  RetentionUnderWayError,
  removeOld,
  type Span,
  underPolicy,
} from '../projections/retention/retain.ts'
import { TablesInUseError } from '../projections/swap.ts'
import type { OperatorContext } from './operator-context.ts'

/** Shows what is stored of each kind under its policy, and what the policy would remove. */
export async function showRetentionCommand(
  { db, retention, terminal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  try {
    const kinds = await underPolicy(db, retention, new Date())
    if (json) terminal.out(JSON.stringify({ kinds }))
    else {
      for (const one of kinds) terminal.out(lineOf(one, 'would be removed'))
      terminal.out(summaryOf(kinds, 'would be removed by rivalscope retention apply'))
    }
    return 0
  } catch (error) {
    return refused(terminal, error)
  }
}

/** Removes what the policies say. Ends with a line for each kind of which something went, and a summary. */
export async function applyRetentionCommand(
  { db, media, retention, terminal, signal }: OperatorContext,
  { json }: { json?: boolean },
): Promise<0 | 1> {
  try {
    const kinds = await removeOld(
      { db, media },
      retention,
      new Date(),
      (done, total, kind) => terminal.progress({ label: kind, done, total, unit: 'months' }),
      signal,
    )
    if (json) terminal.out(JSON.stringify({ kinds }))
    else {
      for (const one of kinds) if (one.removes) terminal.out(lineOf(one, 'removed'))
      terminal.out(summaryOf(kinds, 'removed'))
    }
    return 0
  } catch (error) {
    if (!signal.aborted) return refused(terminal, error)
    terminal.note('Interrupted. Each month was removed as a whole or not at all; the same command goes on.')
    return 1
  }
}

/** Why nothing was removed, or no more. */
const refusals = [RetentionUnderWayError, TablesInUseError] as const

function refused(terminal: OperatorContext['terminal'], error: unknown): 1 {
  if (!refusals.some((refusal) => error instanceof refusal)) throw error
  terminal.note(
    error instanceof TablesInUseError
      ? 'A backup or a long statement has had the tables in use for ten minutes. Months before were removed; the same command goes on once it has ended.'
      : (error as Error).message,
  )
  return 1
}

function lineOf({ kind, keepDays, unit, stored, standsAlone, removes }: KindUnderPolicy, goes: string): string {
  const kept = keepDays === null ? 'everything' : `${keepDays} days`
  const held = stored === null ? 'nothing stored' : spanned(stored, unit)
  const why = standsAlone
    ? ': one month alone would be left, as after a clock that jumped; the next month settles it'
    : ''
  const going = removes === null ? `nothing ${goes}${why}` : `${goes}: ${spanned(removes, unit)}`
  return `${kind.padEnd(13)} keep ${kept.padEnd(11)} ${held}${keepDays === null ? '' : `; ${going}`}`
}

const spanned = ({ from, to, count, bytes }: Span, unit: string) =>
  `${from === to ? from : `${from} to ${to}`}, ${count} ${unit}, ${(bytes / 1e6).toFixed(1)} MB`

function summaryOf(kinds: readonly KindUnderPolicy[], goes: string): string {
  if (kinds.every(({ keepDays }) => keepDays === null))
    return 'Everything is kept: no policy is configured (docs/operations.md, Retention).'
  const bytes = kinds.reduce((sum, { removes }) => sum + (removes?.bytes ?? 0), 0)
  return kinds.every(({ removes }) => removes === null)
    ? `nothing ${goes}`
    : `about ${(bytes / 1e6).toFixed(1)} MB ${goes}`
}
