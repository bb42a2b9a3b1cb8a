import { storedTerms } from '../../text/search-terms.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import {
  advertiserTerm,
  dateTerms,
  filterTerm,
  languageTerms,
  secondsOf,
  stepTerms,
  wordTerms,
} from '../creatives/search/condition.ts'
import type { SearchDocument } from '../creatives/search/search-writes.ts'
import type { Stated } from '../facts/merge.ts'
import type { AdFacts, CreativeFields } from './ad.ts'
import { daysRunning } from './days-running.ts'

/** The input of an ad's search document. */
export interface AdToIndex {
  adNumber: string
  platform: AdPlatform
  advertiserId: string | null
  facts: Stated<AdFacts>
  /** Current and earlier creatives. */
  creatives: readonly Stated<CreativeFields>[]
  lastObservedAt: Date
  /** The spoken text; null without a transcript. */
  transcript: string | null
}

/** Sort keys of ads. */
export type AdKey = 'started' | 'days_running' | 'observed'

/** The term of ads with a transcript. */
export const transcribed = filterTerm('has', 'transcript')

/** Steps of days with a term of their own; every ad with measured days has the first. */
export const daySteps = [1, 3, 7, 14, 30, 60, 90, 180, 365, 730]

export function adDocument(ad: AdToIndex): SearchDocument<AdKey> {
  const { advertiserName, active, format, language, detectedLanguage, countries, publisherPlatforms } = ad.facts
  const startedOn = ad.facts.startedOn ?? null
  const running = daysRunning({
    startedOn,
    endedOn: ad.facts.endedOn ?? null,
    active: active ?? null,
    lastObservedAt: ad.lastObservedAt,
  })
  const days = running?.value ?? null
  const titles = ad.creatives.map(({ title }) => title)
  const bodies = ad.creatives.flatMap(({ body, description }) => [body, description])
  return {
    number: ad.adNumber,
    terms: [
      ...wordTerms([advertiserName, ...titles].join('\n'), [...bodies, ad.transcript].join('\n')),
      ...[...storedTerms(advertiserName ?? '')].map(advertiserTerm),
      filterTerm('p', ad.platform),
      ...(ad.advertiserId ? [filterTerm('ad', ad.advertiserId)] : []),
      ...languageTerms(language ?? detectedLanguage),
      ...(format ? [filterTerm('f', format)] : []),
      ...(active === null || active === undefined ? [] : [filterTerm('active', String(active))]),
      ...(countries ?? []).map((country) => filterTerm('c', country)),
      ...(publisherPlatforms ?? []).map((platform) => filterTerm('pp', platform)),
      ...ad.creatives.flatMap(({ callToAction }) => (callToAction ? [filterTerm('cta', callToAction)] : [])),
      ...(ad.transcript === null ? [] : [transcribed]),
      ...dateTerms(startedOn),
      ...stepTerms('d', days, daySteps),
    ],
    keys: {
      started: secondsOf(startedOn),
      days_running: days,
      observed: ad.lastObservedAt.getTime() / 1000,
    },
  }
}
