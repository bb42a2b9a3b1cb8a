import type { z } from 'zod'
import type { LocalizationState, LocalizationStates } from '../contract/shapes/competitors.ts'
import type { StorefrontApp } from '../domain/catalogue/app.ts'
import { inLanguage, localizationStates, localizedListings } from '../domain/catalogue/localizations.ts'
import type { RecordState } from '../domain/catalogue/record.ts'
import { rereadLocalized } from '../jobs/collecting/reread-localized.ts'
import type { Database } from '../storage/database.ts'
import { readLanguage } from '../vocabulary/read-language.ts'
import {
  type LocalizationCode,
  localizationOf,
  storefrontOf,
  supportedLocalizations,
} from '../vocabulary/storefronts.ts'
import { unsearched } from './aso-facts.ts'
import { refuseInput } from './problem.ts'

/** The localization that an argument `language` means. @throws Problem `invalid-request` */
export function askedLanguage(text: string, country: string): LocalizationCode {
  const read = readLanguage(text, country)
  if ('refusal' in read) return refuseInput([{ pointer: '/query/language', message: read.refusal }])
  return read.language
}

/** Which localizations of an app are known, in the form of replies. */
export function localizationsShape({
  country,
  state,
  localized,
}: StorefrontApp): z.output<typeof LocalizationStates> {
  const states = localizationStates(country, state, localized)
  const supported = supportedLocalizations(country)
  const named = [...states.known, ...states.absent, ...states.notMeasured]
  return { ...states, unsupported: named.filter((code) => !supported.includes(code)) }
}

/** The language that was asked for, in the form of replies. */
export const localizationState = (
  country: string,
  language: LocalizationCode,
  { isDefault, state }: LocalizedApp,
): z.output<typeof LocalizationState> => ({
  language,
  name: localizationOf(language).name,
  isDefault,
  supported: supportedLocalizations(country).includes(language),
  state,
})

/** An app in a language. */
export interface LocalizedApp {
  isDefault: boolean
  state: 'measured' | 'absent' | 'not-measured'
  /** Why it is not measured. */
  reason: 'never-collected' | 'source-failed' | 'too-little-evidence'
  /** The record as the language shows it, where it is measured (`inLanguage`). */
  shown: RecordState | undefined
  /** The readings in that language: the first of those that `shown` names. */
  evidence: RecordState['record']['evidence']
}

/** An app in a language of its storefront, or in any other one. */
export async function localizedApp(
  db: Database,
  { storeId, country, state, failedChecks, localized }: StorefrontApp,
  language: LocalizationCode,
): Promise<LocalizedApp> {
  const isDefault = storefrontOf(country).language === language
  const missing: Omit<LocalizedApp, 'reason'> = {
    isDefault,
    state: 'not-measured',
    shown: undefined,
    evidence: [],
  }
  if (!state) return { ...missing, reason: unsearched(failedChecks.has('lookup')) }
  const reason = 'never-collected'
  if (isDefault) return { isDefault, state: 'measured', reason, shown: state, evidence: state.record.evidence }
  if (!localized?.some((one) => one.language === language)) return { ...missing, reason }
  const listing = (await localizedListings(db, [state], country, language, rereadLocalized(db))).get(storeId)
  if (!listing) return { ...missing, reason }
  const { evidence } = listing.record
  if (listing.state === 'measured')
    return { isDefault, state: listing.state, reason, shown: inLanguage(state, listing), evidence }
  return { isDefault, state: listing.state, reason: 'too-little-evidence', shown: undefined, evidence }
}
