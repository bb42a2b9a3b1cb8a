import type { Schedule } from '../../jobs/schedule.ts'
import type { Database } from '../../storage/database.ts'
import type { Terminal } from '../operator-context.ts'
import { error, type Finding, type Severity } from './finding.ts'
import { examineClock, examineDatabase, examineSchema } from './store-health.ts'
import { examineSchedule, examineSources, examineWork } from './work-health.ts'

/** All checks of a store. @param schedule undefined where the configuration cannot be read */
export async function examineStore(
  db: Database,
  schedule: Schedule | undefined,
  now: Date,
): Promise<readonly Finding[]> {
  const schema = await examineSchema(db)
  const findings = [...(await examineDatabase(db)), ...schema, ...(await examineClock(db))]
  // The tables of another schema version cannot be queried.
  if (schema.some(({ gravity }) => gravity !== 'ok')) return findings
  const scheduled = schedule ? await examineSchedule(db, schedule, now) : []
  return [...findings, ...(await examineWork(db, now)), ...scheduled, ...(await examineSources(db))]
}

/** A check that failed is reported as a finding. */
export const failedCheckFinding = (about: string, reason: unknown): Finding =>
  error(
    about,
    reason instanceof Error ? reason.message : String(reason),
    'Mend that, and run rivalscope doctor again.',
  )

const marks: Record<Severity, string> = { ok: 'ok', warning: 'WARNING', error: 'ERROR' }

/** Shows findings, the worst first. @returns the exit code: 1 where one is an error */
export function printFindings(terminal: Terminal, findings: readonly Finding[], json: boolean): 0 | 1 {
  const order: readonly Severity[] = ['error', 'warning', 'ok']
  const sorted = findings.toSorted((one, other) => order.indexOf(one.gravity) - order.indexOf(other.gravity))
  const count = (gravity: Severity) => sorted.filter((one) => one.gravity === gravity).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (json) terminal.out(JSON.stringify({ errors, warnings, findings: sorted }))
  else {
    for (const { about, gravity, found, todo } of sorted)
      terminal.out(
        `${marks[gravity].padEnd(8)}${about.padEnd(14)}${found}${todo === null ? '' : `\n${' '.repeat(22)}→ ${todo}`}`,
      )
    terminal.out(
      `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    )
  }
  return errors > 0 ? 1 : 0
}
