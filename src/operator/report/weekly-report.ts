import { type TrackedAppRow, trackedAppsOf } from '../../domain/aso/tracking/tracked-apps.ts'
import type { Database } from '../../storage/database.ts'
import { type AppWeek, appWeek } from './app-week.ts'
import { type CreativesWeek, creativesOfWeek } from './creatives.ts'
import { type EmergingWeek, emergingOfWeek } from './emerging.ts'
import { type ReportCoverage, reportCoverage } from './report-coverage.ts'
import type { Week } from './week.ts'

/** The contents of a report, from stored evidence, by the functions that also answer the operations. */
export interface WeeklyReport {
  account: string
  week: Week
  madeAt: Date
  /** The apps by role, own ones first. */
  apps: AppWeek[]
  creatives: CreativesWeek
  emerging: EmergingWeek
  sure: ReportCoverage
}

/** Maximum number of tracked apps in a report. */
const mostApps = 100

/** The tracked apps of an account, optionally only some, or of one storefront. */
export async function appsToReport(
  db: Database,
  accountId: string,
  only: { storeIds: readonly string[] | undefined; country: string | undefined },
): Promise<TrackedAppRow[]> {
  const { storeIds, country } = only
  const all = await trackedAppsOf(
    db,
    accountId,
    { role: undefined, country },
    { limit: mostApps, after: undefined },
  )
  return storeIds ? all.filter(({ storeId }) => storeIds.includes(storeId)) : all
}

/** @param onApp called with the number of apps read */
export async function weeklyReport(
  db: Database,
  { accountId, account }: { accountId: string; account: string },
  tracked: readonly TrackedAppRow[],
  week: Week,
  onApp: (done: number) => void,
): Promise<WeeklyReport> {
  const apps: AppWeek[] = []
  for (const app of tracked) {
    apps.push(await appWeek(db, app, week))
    onApp(apps.length)
  }
  const storeIds = apps.map(({ storeId }) => storeId)
  return {
    account,
    week,
    madeAt: new Date(),
    apps,
    creatives: await creativesOfWeek(db, accountId, storeIds, week),
    emerging: await emergingOfWeek(db, marketsOf(apps), new Set(storeIds), week),
    sure: await reportCoverage(db, accountId, apps, week),
  }
}

/** The storefronts of the apps, with the categories of own apps. */
function marketsOf(apps: readonly AppWeek[]) {
  return [...Map.groupBy(apps, ({ country }) => country)].map(([country, there]) => ({
    country,
    categoryIds: [
      ...new Set(there.filter(({ role }) => role === 'own').flatMap(({ categoryId }) => categoryId ?? [])),
    ],
  }))
}
