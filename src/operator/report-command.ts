import { extname, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { ProgramFailed } from '../decoding/program.ts'
import { timesOf } from '../domain/watches/ways.ts'
import { writeWhole } from '../exports/run-export.ts'
import { reportBrokenExport } from './export-file.ts'
import type { OperatorContext } from './operator-context.ts'
import { reportPage } from './report/page.ts'
import { findChromium, printed } from './report/print.ts'
import { type Week, weekOf } from './report/week.ts'
import { appsToReport, weeklyReport } from './report/weekly-report.ts'
import { resolveApp } from './resolve-app.ts'
import { namedAccount } from './watch-commands.ts'

export interface ReportOptions {
  account: string
  app?: readonly string[]
  country?: string
  week?: string
  until?: string
  out?: string
  publicUrl?: string
}

/** Writes the weekly report of an account as a page, or as PDF where the file is called so. Standard output carries its path alone. */
export async function reportCommand(context: OperatorContext, options: ReportOptions): Promise<0 | 1> {
  const { db, terminal, directory, signal, telling, environment } = context
  const accountId = await namedAccount(context, options.account)
  const week = accountId && (await askedWeek(context, accountId, options))
  const apps = accountId && week && (await askedApps(context, accountId, options))
  if (!accountId || !week || !apps) return 1
  const path = resolve(directory, options.out ?? `rivalscope-report-${week.days.at(-1)}.html`)
  const isPdf = extname(path).toLowerCase() === '.pdf'
  const chromium = isPdf ? await findChromium(environment) : undefined
  if (isPdf && chromium === undefined) {
    terminal.note(
      'PDF is printed by Chromium, and none was found: install chromium or chromium-headless-shell, or name one in RIVALSCOPE_CHROMIUM. Without it, --out report.html writes a page that any browser prints.',
    )
    return 1
  }
  try {
    const named = { accountId, account: options.account }
    const report = await weeklyReport(db, named, apps, week, (done) => {
      signal.throwIfAborted()
      terminal.progress({ label: 'report', done, total: apps.length, unit: 'apps' })
    })
    const publicUrl = options.publicUrl ?? telling.publicUrl
    const page = reportPage(report, publicUrl?.replace(/\/+$/, ''))
    const content = chromium === undefined ? Buffer.from(page) : await printed(chromium, page, signal)
    await writeWhole(Readable.from([content]), path, signal)
    terminal.out(path)
    return 0
  } catch (error) {
    if (!signal.aborted && !(error instanceof ProgramFailed) && !isOfFile(error)) throw error
    return reportBrokenExport(terminal, signal, error)
  }
}

const isOfFile = (error: unknown) => error instanceof Error && 'syscall' in error

async function askedWeek(
  { db, terminal }: OperatorContext,
  accountId: string,
  { week, until }: ReportOptions,
): Promise<Week | undefined> {
  if (week !== undefined && until !== undefined) {
    terminal.note('Give either --week or --until.')
    return undefined
  }
  const { timeZone } = await timesOf(db, accountId)
  const found = weekOf({ ...(week && { week }), ...(until && { until }) }, timeZone, new Date())
  if (typeof found !== 'string') return found
  terminal.note(found)
  return undefined
}

/** The tracked apps that are asked for, at least one; says what to do where there is none. */
async function askedApps(
  context: OperatorContext,
  accountId: string,
  { account, app, country }: ReportOptions,
) {
  const storeIds: string[] = []
  for (const one of app ?? []) {
    const storeId = await resolveApp(context, one)
    if (storeId === undefined) return undefined
    storeIds.push(storeId)
  }
  const apps = await appsToReport(context.db, accountId, { storeIds: app && storeIds, country })
  const untracked = storeIds.find((storeId) => !apps.some((one) => one.storeId === storeId))
  const where = country === undefined ? '' : ` in ${country}`
  if (untracked !== undefined) {
    context.terminal.note(
      `The account "${account}" does not track the app ${untracked}${where}; rivalscope list-aso-apps names those it tracks.`,
    )
    return undefined
  }
  if (apps.length > 0) return apps
  context.terminal.note(
    `The account "${account}" tracks no app${where}, so there is nothing to report: rivalscope track-aso-app --app … --role own, then its rivals with --role rival.`,
  )
  return undefined
}
