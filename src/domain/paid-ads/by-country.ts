import type { AdFieldTypesOf, AdLevelField, CountryDelivery } from '../../vocabulary/ad-fields.ts'
import { type AppStorePlacement, placementCodes } from '../../vocabulary/ad-platforms.ts'
import type { Known, Precedence, Stated } from '../facts/merge.ts'
import { sourcesFirst } from '../facts/merge.ts'
import type { AdFacts } from './ad.ts'

/**
 * What libraries tell of an ad country by country. Each answer is about some countries, so what is known of all of them is
 * joined over all observations, and fields of the ad as a whole follow from that alone.
 */

/** Joins what two observations say, country by country; alphabetically. */
export function joinedCountries(
  one: readonly CountryDelivery[],
  other: readonly CountryDelivery[],
): CountryDelivery[] {
  const joined = new Map<string, CountryDelivery>()
  for (const delivery of [...one, ...other]) {
    const known = joined.get(delivery.country)
    joined.set(delivery.country, known ? joinedDelivery(known, delivery) : delivery)
  }
  return [...joined.values()].sort((a, b) => (a.country < b.country ? -1 : 1))
}

/** A day is worth more than a bound; of two bounds the earlier says more. */
function joinedDelivery(one: CountryDelivery, other: CountryDelivery): CountryDelivery {
  const firstShownOn = least(one.firstShownOn, other.firstShownOn)
  return {
    country: one.country,
    firstShownOn,
    firstShownBy: firstShownOn === null ? least(one.firstShownBy, other.firstShownBy) : null,
    lastShownOn: greatest(one.lastShownOn, other.lastShownOn),
    knownUntil: greatest(one.knownUntil, other.knownUntil),
    placements: inOrder([...one.placements, ...other.placements]),
  }
}

const least = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : one < other ? one : other

const greatest = (one: string | null, other: string | null) =>
  one === null || other === null ? (one ?? other) : one > other ? one : other

/** Each placement once: those known here in their order, then others alphabetically. */
export function inOrder(placements: readonly string[]): string[] {
  const placeOf = (code: string) => {
    const place = placementCodes.indexOf(code as AppStorePlacement)
    return place === -1 ? placementCodes.length : place
  }
  return [...new Set(placements)].sort(
    (one, other) => placeOf(one) - placeOf(other) || (one < other ? -1 : one > other ? 1 : 0),
  )
}

/** The fields that follow from `byCountry`. */
const derivedFields = [
  'active',
  'startedOn',
  'endedOn',
  'countries',
  'placements',
] as const satisfies AdLevelField[]

type Derived = Stated<AdFieldTypesOf<(typeof derivedFields)[number]>>

const isDerived = (field: string) => (derivedFields as readonly string[]).includes(field)

/** The day before. */
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)

/**
 * Whether an ad was shown on the last day that is covered; days have no time zone, so the day before counts, too. Undefined
 * where a day is missing.
 */
const ranAtTheEnd = ({ lastShownOn, knownUntil }: CountryDelivery) =>
  lastShownOn === null || knownUntil === null ? undefined : lastShownOn >= dayBefore(knownUntil)

/**
 * What follows for the ad as a whole. It started on a date only if a date is known for every country. It runs if it was shown in
 * any country on the last day that is covered, and ended if in none.
 */
export function derivedFrom(byCountry: readonly CountryDelivery[]): Derived {
  const runs = byCountry.map(ranAtTheEnd)
  const active = runs.includes(true) ? true : runs.includes(undefined) ? undefined : false
  const started = byCountry.map(({ firstShownOn }) => firstShownOn)
  const startedOn = started.includes(null) ? undefined : started.reduce(least, null)
  const lastShownOn = byCountry.map((one) => one.lastShownOn).reduce(greatest, null)
  return {
    countries: byCountry.map(({ country }) => country),
    placements: inOrder(byCountry.flatMap(({ placements }) => placements)),
    ...(startedOn ? { startedOn } : {}),
    ...(active === undefined ? {} : { active, endedOn: active ? null : lastShownOn }),
  }
}

/** The delivery of an ad, from which its days are counted. */
interface Delivery {
  startedOn: string | null
  /** The day on or before which it started, where only a bound is known. */
  startedBy: string | null
  endedOn: string | null
  active: boolean | null
}

/** The delivery that follows from the facts of an ad. Where no answer says up to which day it tells, the ad ran at least until it was last shown. */
export function deliveryIn({ startedOn, endedOn, active, byCountry }: Stated<AdFacts>): Delivery {
  const delivery = {
    startedOn: startedOn ?? null,
    startedBy: null,
    endedOn: endedOn ?? null,
    active: active ?? null,
  }
  if (!byCountry) return delivery
  const started = startedOn ?? byCountry.map((one) => one.firstShownOn ?? one.firstShownBy).reduce(least, null)
  if (active === undefined || active === null) {
    const lastShownOn = byCountry.map((one) => one.lastShownOn).reduce(greatest, null)
    return { ...delivery, startedOn: null, startedBy: started, endedOn: lastShownOn }
  }
  return startedOn ? delivery : { ...delivery, startedBy: started }
}

/** A statement with what follows from it. */
export function withDerivedFacts(stated: Stated<AdFacts>): Stated<AdFacts> {
  const { byCountry } = stated
  return byCountry ? { ...withoutDerived(stated), ...derivedFrom(byCountry) } : stated
}

export const withoutDerived = (stated: Stated<AdFacts>): Stated<AdFacts> =>
  Object.fromEntries(Object.entries(stated).filter(([field]) => !isDerived(field)))

/** Merged facts with what follows from those of all countries; the reading that is named for these is named for that, too. */
export function withDerived(known: Known<AdFacts>): Known<AdFacts> {
  const { byCountry } = known.facts
  if (!byCountry) return known
  const derived = derivedFrom(byCountry)
  const names = Object.keys(derived) as (keyof Derived)[]
  const evidence = known.evidence
    .map((entry) => ({
      ...entry,
      fields: [
        ...entry.fields.filter((field) => !isDerived(field)),
        ...(entry.fields.includes('byCountry') ? names : []),
      ].sort(),
    }))
    .filter(({ fields }) => fields.length > 0)
  return { ...known, facts: { ...withoutDerived(known.facts), ...derived }, evidence }
}

/** How statements about ads are merged. */
export const adPrecedence: Precedence<AdFacts> = {
  ...(sourcesFirst as Precedence<AdFacts>),
  joins: { byCountry: joinedCountries },
}

/** What two statements are compared by: first days and placements. That an ad was shown again is no change. */
export const comparableCountries = (byCountry: readonly CountryDelivery[]) =>
  byCountry.map(({ lastShownOn: _, knownUntil: __, ...compared }) => compared)
