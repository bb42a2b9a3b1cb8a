import { sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'
import { writeAttributions } from '../creatives/attributions.ts'
import { withDetectedLanguage } from '../creatives/detected-language.ts'
import { lockCreativeKind } from '../creatives/kind.ts'
import { writeCreatives } from '../creatives/stored-creatives.ts'
import { type Reading, readingAtRecordTime } from '../evidence/reading.ts'
import { addStatement, type Known, type Stated, withUnreadable } from '../facts/merge.ts'
import { type AdFacts, type AdSighting, adKind } from './ad.ts'
import { type AdComparison, adFactsAt, adKey, compareAd, creativeIdOf, knownAds } from './ad-comparison.ts'
import { attributionsInAd, recomputeAdLinks, withProductPage } from './ad-links.ts'
import { indexAds } from './ad-search.ts'
import { insertCreatives, insertObservations } from './ad-writes.ts'
import { adPrecedence, withDerived, withoutDerived } from './by-country.ts'
import { adObservationValues } from './observed-values.ts'

/** The ads in one reading. */
export interface AdsOfReading {
  reading: Reading
  ads: readonly AdSighting[]
}

/** The outcome of storing an ad. */
export interface StoredAd {
  platform: AdPlatform
  archiveId: string
  standing: AdComparison
}

/**
 * Stores sightings of paid ads: facts, one observation each, creatives and the apps they lead to. The same ad at the same
 * instant is the same observation. The result is independent of the order of arrival. Runs inside the caller's transaction.
 * @returns each ad once, in the order first seen, with its state before
 */
export async function storeAds(db: Database, entries: readonly AdsOfReading[]): Promise<StoredAd[]> {
  const seen = entries.flatMap(({ reading, ads }) =>
    ads.map((sighting) => {
      const observed = readingAtRecordTime(reading, sighting.observedAt)
      return { sighting, reading: observed, facts: adFactsAt(sighting, observed.observedAt) }
    }),
  )
  if (seen.length === 0) return []
  await lockCreativeKind(db, adKind)
  const before = await knownAds(
    db,
    seen.map(({ sighting }) => sighting),
  )
  const after = new Map<string, Known<AdFacts>>()
  const stored = new Map<string, StoredAd>()
  for (const { sighting, reading, facts } of seen) {
    const key = adKey(sighting)
    const known = after.get(key) ?? before.get(key)
    const stated = facts.byCountry ? withoutDerived(facts) : facts
    const told = addStatement(known, await withLanguage(stated, sighting), reading, adPrecedence)
    after.set(key, withUnreadable(withDerived(told), known?.unreadable, sighting.unreadable))
    const earlier = stored.get(key)
    const { standing } = compareAd(before.get(key), { facts, creatives: sighting.creatives })
    if (!earlier || earlier.standing === 'known')
      stored.set(key, { platform: sighting.platform, archiveId: sighting.archiveId, standing })
  }
  const names = [...stored.keys()]
  const written = await writeCreatives(
    db,
    adKind,
    [...stored].map(([key, { platform, archiveId }]) => {
      const known = after.get(key) ?? { facts: {}, evidence: [] }
      const advertiserId = known.facts.advertiserId ?? null
      return { platform, archiveId, advertiserId, ...known, ...notCounted() }
    }),
  )
  const numbers = new Map(names.map((key, at) => [key, written[at] ?? '']))
  const numbered = seen.map((entry) => ({ ...entry, adNumber: numbers.get(adKey(entry.sighting)) ?? '' }))
  await insertCreatives(
    db,
    numbered.flatMap(({ sighting, reading, adNumber }) =>
      sighting.creatives.map((creative, index) => ({
        creativeId: creativeIdOf(sighting.platform, sighting.archiveId, creative),
        adNumber,
        position: sighting.elsewhere?.positions[index] ?? index + 1,
        facts: withProductPage(creative),
        ...named(reading),
      })),
    ),
  )
  await writeAttributions(
    db,
    adKind,
    numbered.flatMap(({ sighting, reading, adNumber }) =>
      (sighting.elsewhere?.attributions ?? attributionsInAd(sighting)).map((attribution) => ({
        ...attribution,
        number: adNumber,
        reading,
      })),
    ),
  )
  await insertObservations(
    db,
    numbered.map(({ facts, reading, adNumber }) => ({
      adNumber,
      ...named(reading),
      ...adObservationValues(facts),
    })),
  )
  const adNumbers = [...new Set(numbers.values())]
  await recomputeAdLinks(db, sql`(select json_array_elements_text(${JSON.stringify(adNumbers)}::json)::bigint)`)
  await indexAds(db, adNumbers)
  return [...stored.values()]
}

/** Times and counts are updated with the observations. */
const notCounted = () => ({ firstObservedAt: new Date(), lastObservedAt: new Date(), observationCount: 0 })

const named = ({ readingId, key, observedAt, broughtBy }: Reading) => ({
  readingId,
  key,
  observedAt: observedAt.toISOString(),
  brought: Boolean(broughtBy),
})

/** Adds the language detected in an ad's texts to its facts where the library states none. */
function withLanguage(facts: Stated<AdFacts>, { creatives, elsewhere }: AdSighting): Promise<Stated<AdFacts>> {
  const texts = creatives.flatMap(({ title, body, description }) => [body, title, description])
  return withDetectedLanguage(facts, elsewhere ? [] : texts)
}
