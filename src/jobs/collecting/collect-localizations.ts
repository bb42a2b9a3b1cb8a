import {
  type AppInLanguage,
  recordLocalizationChecks,
  trackedInLanguages,
} from '../../domain/collecting/localization-checks.ts'
import { isAnswerFaulty, SourceFailure } from '../../sources/polite/failure.ts'
import type { Database } from '../../storage/database.ts'
import { lookupBatch } from '../../suppliers/apple/clients.ts'
import type { AppsChecked } from './collect-due-apps.ts'
import type { Collector } from './collector.ts'
import type { Outcome } from './outcome.ts'

/** Most pages of one job, so that a storefront with many languages does not block others. */
const pagesPerJob = 60

/** The `localizations` section of the schedule. */
export interface LocalizationRules {
  everyDays: number
  languages: Parameters<typeof trackedInLanguages>[1]
  lookups: boolean
}

/** Tracked apps in languages that are due, those never asked for first. */
export const dueLocalizations = (
  db: Database,
  { everyDays, languages }: LocalizationRules,
): Promise<AppInLanguage[]> => trackedInLanguages(db, languages, new Date(Date.now() - everyDays * 86_400_000))

/** Asks for the due languages of a storefront. A page in another language than asked for does not block others. */
export async function readDueLocalizations(
  db: Database,
  collector: Collector,
  country: string,
  rules: LocalizationRules,
  signal: AbortSignal,
): Promise<AppsChecked> {
  const due = (await dueLocalizations(db, rules)).filter((one) => one.country === country).slice(0, pagesPerJob)
  let unusable = 0
  if (rules.lookups) await lookUp(collector, country, due, signal)
  for (const one of due)
    await readLocalization(db, collector, one, signal).catch((error: unknown) => {
      if (!isFaulty(error)) throw error
      unusable++
    })
  return { apps: due.length, unusable }
}

const isFaulty = (error: unknown) => error instanceof SourceFailure && isAnswerFaulty(error)

/** Reads the page of an app in a language, and records that it was asked for, also where the answer is of no use. */
export async function readLocalization(
  db: Database,
  collector: Collector,
  one: AppInLanguage,
  signal: AbortSignal,
): Promise<Outcome> {
  const outcome = await collector.localizedPage(one, signal).catch(async (error: unknown) => {
    if (isFaulty(error)) await recordLocalizationChecks(db, [one.storeId], one, new Date())
    throw error
  })
  await recordLocalizationChecks(db, [one.storeId], one, new Date())
  return outcome
}

async function lookUp(
  collector: Collector,
  country: string,
  due: readonly AppInLanguage[],
  signal: AbortSignal,
): Promise<void> {
  for (const [language, apps] of Map.groupBy(due, (one) => one.language))
    for (let at = 0; at < apps.length; at += lookupBatch) {
      const storeIds = apps.slice(at, at + lookupBatch).map(({ storeId }) => storeId)
      await collector.localizedLookup(storeIds, country, language, signal).catch((error: unknown) => {
        if (!isFaulty(error)) throw error
      })
    }
}
