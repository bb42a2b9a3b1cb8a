import { extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ProgramFailed } from '../decoding/program.ts'
import { accountTimesOf } from '../domain/watches/channels.ts'
import { writeWhole } from '../exports/run-export.ts'
import type { Database } from '../storage/database.ts'
import { Refusal } from './command.ts'
import { exportRefusalOf } from './export-command.ts'
import type { Input } from './field-help.ts'
import type { OperatorContext } from './operator-context.ts'
import { reportPage } from './report/page.ts'
import { findChromium, printToPdf } from './report/print.ts'
import { resolveWeek, type Week } from './report/week.ts'
import { appsToReport, weeklyReport } from './report/weekly-report.ts'
import type { reportInput } from './report.ts'
import { accountIdOfName, resolveApp } from './resolve-names.ts'

type ReportInput = Input<typeof reportInput>

/** Writes the weekly report of an account as HTML, or as PDF by the file's extension. Standard output has only its path. */
export async function reportCommand(context: OperatorContext, options: ReportInput): Promise<0 | 1> {
  const { db, terminal, directory, signal, notifications, environment } = context
  const accountId = await accountIdOfName(db, options.account)
  const week = await askedWeek(db, accountId, options)
  const apps = await askedApps(db, accountId, options)
  const path = resolve(directory, options.out ?? `rivalscope-report-${week.days.at(-1)}.html`)
  const isPdf = extname(path).toLowerCase() === '.pdf'
  const chromium = isPdf ? await findChromium(environment) : undefined
  if (isPdf && chromium === undefined)
    throw new Refusal(
      'PDF is printed by Chromium, and none was found: install chromium or chromium-headless-shell, or name one in RIVALSCOPE_CHROMIUM. Without it, --out report.html writes a page that any browser prints.',
    )
  try {
    const named = { accountId, account: options.account }
    const report = await weeklyReport(db, named, apps, week, (done) => {
      signal.throwIfAborted()
      terminal.progress({ label: 'report', done, total: apps.length, unit: 'apps' })
    })
    const publicUrl = options.publicUrl ?? notifications.publicUrl
    const page = reportPage(report, publicUrl?.replace(/\/+$/, ''))
    const content = chromium === undefined ? Buffer.from(page) : await printToPdf(chromium, page, signal)
    await writeWhole(Readable.from([content]), path, signal)
    terminal.out(path)
    return 0
  } catch (error) {
    if (!signal.aborted && !(error instanceof ProgramFailed) && !isOfFile(error)) throw error
    throw exportRefusalOf(signal, error)
  }
}

const isOfFile = (error: unknown) => error instanceof Error && 'syscall' in error

async function askedWeek(db: Database, accountId: string, { week, until }: ReportInput): Promise<Week> {
  if (week !== undefined && until !== undefined) throw new Refusal('Give either --week or --until.')
  const { timeZone } = await accountTimesOf(db, accountId)
  const found = resolveWeek({ ...(week && { week }), ...(until && { until }) }, timeZone, new Date())
  if (typeof found === 'string') throw new Refusal(found)
  return found
}

/** The requested tracked apps, at least one. @throws Refusal that says what to do where there is none */
async function askedApps(db: Database, accountId: string, { account, app, country }: ReportInput) {
  const storeIds: string[] = []
  for (const one of app ?? []) storeIds.push(await resolveApp(db, one))
  const apps = await appsToReport(db, accountId, { storeIds: app && storeIds, country })
  const untracked = storeIds.find((storeId) => !apps.some((one) => one.storeId === storeId))
  const where = country === undefined ? '' : ` in ${country}`
  if (untracked !== undefined)
    throw new Refusal(
      `The account "${account}" does not track the app ${untracked}${where}; rivalscope list-aso-apps names those it tracks.`,
    )
  if (apps.length > 0) return apps
  throw new Refusal(
    `The account "${account}" tracks no app${where}, so there is nothing to report: rivalscope track-aso-app --app … --role own, then its rivals with --role rival.`,
  )
}
