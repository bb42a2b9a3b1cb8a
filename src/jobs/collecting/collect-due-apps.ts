import { type CheckRules, dueApps, recordChecks } from '../../domain/collecting/attempts.ts'
import { isAnswerFaulty, SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import { lookupBatch } from '../../suppliers/apple/clients.ts'
import type { CheckKind } from '../../vocabulary/collecting.ts'
import type { Collector } from './collector.ts'
import { withControls } from './confirm-missed.ts'

/** Most calls of one job, so that a storefront with many due apps does not block others. */
const callsPerJob = 60

/** The age from which a check is due. */
export interface FreshnessRules {
  everyDays: number
  trackedEveryHours: number
}

/** The number of apps asked about, and of those without a usable answer. */
export type AppsChecked = {
  apps: number
  unusable: number
}

/**
 * Looks up the due apps of a storefront, until none is left or the calls of the job are used up. A faulty answer does not
 * block other apps.
 */
export async function lookUpDueApps(
  db: Database,
  collector: Collector,
  country: string,
  rules: FreshnessRules,
  signal: AbortSignal,
): Promise<AppsChecked> {
  const checked = { apps: 0, unusable: 0 }
  for (let calls = 0; calls < callsPerJob; calls++) {
    const storeIds = await dueApps(db, 'lookup', country, checkRules(rules), lookupBatch)
    if (storeIds.length === 0) break
    checked.apps += storeIds.length
    const asked = await withControls(db, country, storeIds)
    await collector.lookup(asked, country, signal).catch(async (error: unknown) => {
      throwUnlessFaultOfAnswer(error)
      checked.unusable += storeIds.length
      await recordChecks(db, 'lookup', country, storeIds, new Date())
    })
  }
  return checked
}

/** Reads the pages of the due apps of a storefront. A faulty page does not block other apps. */
export async function readDuePages(
  db: Database,
  collector: Collector,
  country: string,
  rules: FreshnessRules,
  signal: AbortSignal,
): Promise<AppsChecked> {
  const storeIds = await dueApps(db, 'page', country, checkRules(rules), callsPerJob)
  let unusable = 0
  for (const storeId of storeIds)
    await collector.page(storeId, country, signal).catch((error: unknown) => {
      throwUnlessFaultOfAnswer(error)
      unusable++
    })
  return { apps: storeIds.length, unusable }
}

function throwUnlessFaultOfAnswer(error: unknown): void {
  if (!(error instanceof SourceFailure && isAnswerFaulty(error))) throw error
}

function checkRules({ everyDays, trackedEveryHours }: FreshnessRules): CheckRules {
  const now = Date.now()
  return {
    before: new Date(now - everyDays * 86_400_000),
    trackedBefore: new Date(now - trackedEveryHours * 3_600_000),
  }
}

/** Storefronts with at least one due app. */
export async function dueStorefronts(
  db: Database,
  kind: CheckKind,
  rules: FreshnessRules & { countries: readonly string[] },
): Promise<string[]> {
  const due: string[] = []
  for (const country of rules.countries)
    if ((await dueApps(db, kind, country, checkRules(rules), 1)).length > 0) due.push(country)
  return due
}
