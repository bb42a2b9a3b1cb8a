import { dueApps, overdueCharts } from '../../domain/collecting/attempts.ts'
import { healthOfSources, type SourceHealth } from '../../domain/collecting/health.ts'
import { workersLastSeen } from '../../domain/work/queries.ts'
import { noWorkerSince, oftenTried, patienceHours } from '../../domain/work/work.ts'
import { hoursBefore, type Schedule, scheduledCharts } from '../../jobs/schedule.ts'
import type { Database } from '../../storage/database.ts'
import { chartName } from '../../vocabulary/chart-identity.ts'
import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import { surfaces } from '../../vocabulary/provenance.ts'
import { error, type Finding, findingsOrOk, warning } from './finding.ts'
import { jobsFailedSince, jobsWithoutHeartbeat, openWork } from './queries.ts'

/** A job without a heartbeat for this long should have been taken up by another worker. */
const silentMinutes = 5

/** Checks whether workers run, and which jobs are stuck. */
export async function examineWork(db: Database, now: Date): Promise<readonly Finding[]> {
  const [seenAt, work] = [await workersLastSeen(db), await openWork(db, oftenTried)]
  const findings: Finding[] = []
  const waiting = work.reduce((sum, one) => sum + one.waiting + one.running, 0)
  const since = work.flatMap((one) => one.waitingSince ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
  const nobody = noWorkerSince({ createdAt: since ?? now, workersSeenAt: seenAt }, now)
  const start = 'Start rivalscope serve with --work on, or rivalscope work.'
  if (nobody && waiting > 0)
    findings.push(
      error('work', `${waiting} pieces of work wait, and nobody works since ${minute(nobody)}`, start),
    )
  else if (nobody && seenAt)
    findings.push(warning('work', `nobody works on jobs since ${minute(nobody)}`, start))
  if (!nobody)
    for (const { kind, waiting: some, waitingSince } of work)
      if (waitingSince && waitingSince < hoursBefore(now, patienceHours))
        findings.push(
          warning(
            'work',
            `${some} of ${kind} wait, the first since ${minute(waitingSince)}`,
            'Start more of rivalscope work, or look in its log for what this kind waits for: a source on hold keeps its work.',
          ),
        )
  for (const { kind, failing, message } of work)
    if (failing > 0)
      findings.push(
        warning(
          'work',
          `${failing} of ${kind} failed ${oftenTried} times and more: ${message ?? 'nothing was told'}`,
          'It is tried again by itself; what the message says has to be mended first.',
        ),
      )
  const silent = nobody ? 0 : await jobsWithoutHeartbeat(db, new Date(now.getTime() - silentMinutes * 60_000))
  if (silent > 0)
    findings.push(
      warning(
        'work',
        `${silent} jobs are said to run, and nothing was heard of them for ${silentMinutes} minutes`,
        'Workers take up such jobs within seconds: look in their logs whether they reach the store.',
      ),
    )
  for (const { name, failed } of await jobsFailedSince(db, hoursBefore(now, 24)))
    findings.push(
      warning(
        'work',
        `${failed} jobs of ${name} failed for good in the last day`,
        'The log of the worker says why.',
      ),
    )
  const heard = seenAt ? `a worker was seen at ${minute(seenAt)}` : 'no worker was ever seen'
  return findingsOrOk(findings, 'work', `${heard}, and ${waiting} pieces of work are open`)
}

/** Checks for parts of the schedule that are more than one interval late. */
export async function examineSchedule(
  db: Database,
  schedule: Schedule,
  now: Date,
): Promise<readonly Finding[]> {
  const charts = scheduledCharts(schedule)
  const missed = await overdueCharts(
    db,
    charts.map(({ everyHours, ...chart }) => ({ ...chart, before: hoursBefore(now, 2 * everyHours) })),
  )
  const todo =
    'See work and sources here; rivalscope sources names charts that failed, collect charts --plan what the pace allows.'
  const findings: Finding[] = []
  const named = missed.slice(0, 3).map(chartName).join('; ')
  if (missed.length > 0)
    findings.push(
      warning(
        'schedule',
        `${missed.length} of ${charts.length} charts have not come for two turns, such as ${named}`,
        todo,
      ),
    )
  for (const [kind, rules] of [
    ['lookup', schedule.apps],
    ['page', schedule.pages],
  ] as const) {
    const late = {
      before: hoursBefore(now, 48 * (rules?.everyDays ?? 0)),
      trackedBefore: hoursBefore(now, 2 * (rules?.trackedEveryHours ?? 0)),
    }
    const behind: string[] = []
    for (const country of rules?.countries ?? [])
      if ((await dueApps(db, kind, country, late, 1)).length > 0) behind.push(country)
    if (behind.length > 0)
      findings.push(
        warning(
          'schedule',
          `${kind === 'lookup' ? 'records' : 'pages'} of apps have not been checked for two turns in ${behind.join(', ')}`,
          todo,
        ),
      )
  }
  const entries =
    charts.length + (schedule.apps ? 1 : 0) + (schedule.pages ? 1 : 0) + (schedule.localizations ? 1 : 0)
  return findingsOrOk(
    findings,
    'schedule',
    entries === 0 ? 'nothing is scheduled' : 'what is scheduled is there',
  )
}

/** Advice by kind of failure; all others are temporary, or up to the source. */
const remedies: Partial<Record<FailureKind, string>> = {
  throttled: 'Lower its callsPerMinute in the configuration; it is on hold until it may be asked again.',
  refused: 'Look whether this network address is blocked, and ask less often.',
  unreachable: 'Look at the network, DNS and proxy of this machine: rivalscope doctor --online.',
  certificate:
    'Look whether something between here and the source presents a certificate of its own, and at the clock.',
  timeout: 'Look at the network, or raise its timeoutSeconds in the configuration.',
  credential: 'Its token has ended or is wrong: set a new one, docs/ad-libraries.md.',
  permission: 'Its token is not authorised for this: docs/ad-libraries.md.',
  'unexpected-shape':
    'The source answers in another form: look for a newer version of Rivalscope, then replay.',
  'not-json':
    'Something else answers in its place, as a login page of a network does: look at its baseUrl and proxy.',
}

export async function examineSources(db: Database): Promise<readonly Finding[]> {
  const health = await healthOfSources(db)
  const findings = health.flatMap((one) => findingsOf(one))
  return findingsOrOk(
    findings,
    'sources',
    health.length === 0 ? 'no source was ever asked' : `all ${health.length} that were asked are well`,
  )
}

function findingsOf(one: SourceHealth): Finding[] {
  const name = `${surfaces[one.source]} (${one.country})`
  const findings: Finding[] = []
  if (one.failingSince)
    findings.push(
      warning(
        'sources',
        `${name} fails since ${minute(one.failingSince)}, ${one.failures} times in a row: ${one.failureMessage ?? one.failureKind}`,
        (one.failureKind && remedies[one.failureKind]) ??
          'It is asked again by itself; rivalscope sources shows how it does.',
      ),
    )
  if (one.differences !== null)
    findings.push(
      warning(
        'sources',
        `${name} answers in another form: ${one.differences}`,
        'What is known of it is read as before: look for a newer version of Rivalscope, then replay.',
      ),
    )
  if (one.suspects > 0)
    findings.push(
      warning(
        'sources',
        `${name} answers ${one.suspects} subjects with nothing where there was something`,
        'Such answers are kept apart; ask by hand whether the source means them.',
      ),
    )
  return findings
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16)}Z`
