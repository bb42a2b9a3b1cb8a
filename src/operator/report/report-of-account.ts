import { accountName } from '../../domain/accounts/queries.ts'
import { accountTimesOf } from '../../domain/watches/channels.ts'
import type { Database } from '../../storage/database.ts'
import { storefrontOf } from '../../vocabulary/storefronts.ts'
import { reportPage, reportTitle } from './page.ts'
import { resolveWeek } from './week.ts'
import { appsToReport, weeklyReport } from './weekly-report.ts'

/**
 * The weekly report of an account as a page, by the functions of the command.
 * @param linked whether it links to pages of the app, at the address it is shown at
 * @returns a sentence where there is nothing to report on
 */
export async function reportOfAccount(
  db: Database,
  accountId: string,
  { week: askedWeek, country }: { week?: string | undefined; country?: string | undefined },
  linked: boolean,
): Promise<{ title: string; page: string } | string> {
  const { timeZone } = await accountTimesOf(db, accountId)
  const week = resolveWeek(askedWeek === undefined ? {} : { week: askedWeek }, timeZone, new Date())
  if (typeof week === 'string') return week
  const apps = await appsToReport(db, accountId, { storeIds: undefined, country })
  if (apps.length === 0)
    return `This account tracks no app${country === undefined ? '' : ` in ${storefrontOf(country).name}`} yet. Track your app and its competitors first.`
  const account = await accountName(db, accountId)
  const report = await weeklyReport(db, { accountId, account }, apps, week, () => {})
  return { title: reportTitle(week), page: reportPage(report, linked ? '' : undefined) }
}
