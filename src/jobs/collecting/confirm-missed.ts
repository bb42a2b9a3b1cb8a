import { controlApps, dueMissedChecks, type MissedCheck } from '../../domain/catalogue/missed-checks.ts'
import type { Database } from '../../storage/database.ts'
import { lookupBatch } from '../../suppliers/apple/clients.ts'
import type { Collector } from './collector.ts'

/** One lookup that confirms what was missed. */
export interface MissedLookup {
  country: string
  storeIds: string[]
  /** Where the apps are tracked, each once: their apps are asked for beside where the storefront has none. */
  trackedIn: string[]
}

/** Room for the apps that are asked for beside. */
const together = lookupBatch - 2

/** The lookups due now, by storefront; only of one where one is named. */
export async function dueMissedLookups(db: Database, now: Date, only?: string): Promise<MissedLookup[]> {
  const due = await dueMissedChecks(db, now)
  const byCountry = Map.groupBy(due, ({ country }) => country)
  return [...byCountry]
    .filter(([country]) => only === undefined || country === only)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([country, checks]) => batches(checks).map((some) => lookupOf(country, some)))
}

const lookupOf = (country: string, checks: readonly MissedCheck[]): MissedLookup => ({
  country,
  storeIds: checks.map(({ storeId }) => storeId),
  trackedIn: [...new Set(checks.map(({ trackedIn }) => trackedIn))],
})

const batches = (checks: readonly MissedCheck[]) =>
  Array.from({ length: Math.ceil(checks.length / together) }, (_, index) =>
    checks.slice(index * together, (index + 1) * together),
  )

/** The ids and, where there is room, those of apps by which an answer is told from an empty one. */
export async function withControls(
  db: Database,
  country: string,
  storeIds: readonly string[],
  otherCountries: readonly string[] = [],
): Promise<string[]> {
  const controls = await controlApps(db, [country, ...otherCountries], storeIds, lookupBatch - storeIds.length)
  return [...storeIds, ...controls]
}

/** Performs a lookup. @returns how many of its apps the storefront listed */
export async function performMissedLookup(
  db: Database,
  collector: Collector,
  { country, storeIds, trackedIn }: MissedLookup,
  signal: AbortSignal,
): Promise<number> {
  const asked = await withControls(db, country, storeIds, trackedIn)
  const { value } = await collector.lookup(asked, country, signal)
  return value.sightings.filter(({ sighting }) => storeIds.includes(sighting.storeId)).length
}
