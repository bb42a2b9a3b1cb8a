import type { PolicyEffect, RetainedSpan } from '../projections/retention/retain.ts'
import { command, Refusal } from './command.ts'
import { jsonFlag, jsonSummaryFlag } from './fields.ts'

export const retentionCommands = {
  /** The stored amount of each kind, and what its policy would remove. */
  'retention show': command({
    readsConfiguration: true,
    lowPriority: true,
    input: { json: jsonFlag },
    async perform({ db, retention: retentionCommands, terminal }, { json: jsonFlag }) {
      const { policyEffects } = await import('../projections/retention/retain.ts')
      const kinds = await policyEffects(db, retentionCommands, new Date()).catch(refuse)
      if (jsonFlag) terminal.out(JSON.stringify({ kinds }))
      else {
        for (const one of kinds) terminal.out(lineOf(one, 'would be removed'))
        terminal.out(summaryOf(kinds, 'would be removed by rivalscope retention apply'))
      }
      return 0
    },
  }),

  /** Prints a line for each kind with removed evidence, and a summary. */
  'retention apply': command({
    writes: true,
    readsConfiguration: true,
    lowPriority: true,
    input: { json: jsonSummaryFlag },
    async perform({ db, media, retention: retentionCommands, terminal, signal }, { json: jsonFlag }) {
      const { removeOld } = await import('../projections/retention/retain.ts')
      const kinds = await removeOld(
        { db, media },
        retentionCommands,
        new Date(),
        (done, total, kind) => terminal.progress({ label: kind, done, total, unit: 'months' }),
        signal,
      ).catch((error: unknown) => {
        if (!signal.aborted) return refuse(error)
        throw new Refusal(
          'Interrupted. Each month was removed as a whole or not at all; the same command goes on.',
        )
      })
      if (jsonFlag) terminal.out(JSON.stringify({ kinds }))
      else {
        for (const one of kinds) if (one.removes) terminal.out(lineOf(one, 'removed'))
        terminal.out(summaryOf(kinds, 'removed'))
      }
      return 0
    },
  }),
}

/** @throws Refusal that says why nothing or no more was removed; other errors unchanged */
async function refuse(error: unknown): Promise<never> {
  const { TablesInUseError } = await import('../projections/swap-tables.ts')
  const { RetentionUnderWayError } = await import('../projections/retention/retain.ts')
  if (error instanceof TablesInUseError)
    throw new Refusal(
      'A backup or a long statement has had the tables in use for ten minutes. Months before were removed; the same command goes on once it has ended.',
    )
  throw error instanceof RetentionUnderWayError ? new Refusal(error.message) : error
}

function lineOf({ kind, keepDays, unit, stored, standsAlone, removes }: PolicyEffect, goes: string): string {
  const kept = keepDays === null ? 'everything' : `${keepDays} days`
  const held = stored === null ? 'nothing stored' : spanned(stored, unit)
  const why = standsAlone
    ? ': one month alone would be left, as after a clock that jumped; the next month settles it'
    : ''
  const going = removes === null ? `nothing ${goes}${why}` : `${goes}: ${spanned(removes, unit)}`
  return `${kind.padEnd(13)} keep ${kept.padEnd(11)} ${held}${keepDays === null ? '' : `; ${going}`}`
}

const spanned = ({ from, to, count, bytes }: RetainedSpan, unit: string) =>
  `${from === to ? from : `${from} to ${to}`}, ${count} ${unit}, ${(bytes / 1e6).toFixed(1)} MB`

function summaryOf(kinds: readonly PolicyEffect[], goes: string): string {
  if (kinds.every(({ keepDays }) => keepDays === null))
    return 'Everything is kept: no policy is configured (docs/operations.md, Retention).'
  const bytes = kinds.reduce((sum, { removes }) => sum + (removes?.bytes ?? 0), 0)
  return kinds.every(({ removes }) => removes === null)
    ? `nothing ${goes}`
    : `about ${(bytes / 1e6).toFixed(1)} MB ${goes}`
}
