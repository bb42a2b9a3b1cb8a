import type { Database } from '../../storage/database.ts'
import { storedTerms } from '../../text/search-terms.ts'
import type { StorefrontApp } from './app.ts'
import type { Listing } from './listing.ts'
import { isWord, termsOfListing } from './search-document.ts'
import { type ListedPlace, placesInLists } from './similar-lists.ts'
import {
  appsLike,
  appsOfDeveloper,
  besideInResults,
  type Companion,
  companionsInCharts,
  type NeighbourInResults,
} from './similar-queries.ts'
import { type TextNeighbour, textNeighbours } from './text-similarity.ts'

type ReasonKind = 'apple-list' | 'same-developer' | 'shared-keywords' | 'charting-together' | 'similar-text'

interface Reason {
  kind: ReasonKind
  /** 0 to 1. */
  strength: number
  detail: string
}

export interface SimilarApp {
  storeId: string
  /** 0 to 1. */
  score: number
  /** Strongest first. */
  reasons: Reason[]
}

export interface Basis {
  kind: ReasonKind
  state: 'measured' | 'not-measured'
  detail: string
}

/** Name and version of the score: a weighted sum of the reasons' strengths. */
export const similarityFormula = 'similarity/1'

/** What each reason can add. Text says most about what an app does; one developer makes many different apps. */
const weights: Record<ReasonKind, number> = {
  'apple-list': 0.3,
  'similar-text': 0.35,
  'charting-together': 0.2,
  'shared-keywords': 0.1,
  'same-developer': 0.05,
}

/** Captures looked at for apps that chart together. */
const capturesRead = 60
/** Candidates of each kind of reason. */
const candidatesRead = 200
/** Result pages looked at for shared keywords, and places of each that count. */
const resultsRead = { pages: 60, places: 10, limit: candidatesRead }

/**
 * Apps that resemble one app, most similar first, and which kinds of reasons could be looked at. Every reason rests on
 * what the storefront shows of both.
 */
export async function similarApps(
  db: Database,
  app: StorefrontApp,
  limit: number,
): Promise<{ items: SimilarApp[]; basis: Basis[] }> {
  const { storeId, country } = app
  const listing = app.state?.record.facts
  const developer = { id: listing?.developerId ?? null, name: listing?.developer ?? null }
  const siblings = await appsOfDeveloper(db, storeId, country, developer, candidatesRead)
  const companions = await companionsInCharts(db, storeId, country, capturesRead, candidatesRead)
  const neighbours = listing ? await neighboursOf(db, app, listing) : []
  const beside = await besideInResults(db, storeId, country, resultsRead)
  const listed = await placesInLists(db, storeId, country, candidatesRead)
  const found = new Map<string, Reason[]>()
  const add = (id: string, reason: Reason) => found.set(id, [...(found.get(id) ?? []), reason])
  for (const id of siblings)
    add(id, {
      kind: 'same-developer',
      strength: 1,
      detail: `also by ${developer.name ?? 'the same developer'}`,
    })
  for (const place of bestPlaces(listed)) add(place.storeId, listedReason(place))
  for (const { storeId: id } of listed.filter(({ kind }) => kind === 'same-developer'))
    if (!siblings.includes(id))
      add(id, { kind: 'same-developer', strength: 1, detail: "in Apple's list of the developer's apps" })
  for (const companion of companions) add(companion.storeId, togetherReason(companion))
  for (const one of beside) add(one.storeId, sharedReason(one))
  for (const neighbour of neighbours) add(neighbour.storeId, textReason(neighbour))
  const items = [...found].map(([id, reasons]) => scored(id, reasons))
  return {
    items: items
      .sort((one, other) => other.score - one.score || (one.storeId < other.storeId ? -1 : 1))
      .slice(0, limit),
    basis: basisOf(listed, developer, companions, beside, listing),
  }
}

async function neighboursOf(
  db: Database,
  { storeId, country }: StorefrontApp,
  listing: Partial<Listing> & Pick<Listing, 'name'>,
): Promise<TextNeighbour[]> {
  const nameTerms = [...storedTerms(listing.name)].map((term) => `'${term}'`)
  const category = listing.primaryCategoryId ?? null
  const candidates = await appsLike(db, storeId, country, category, nameTerms, candidatesRead)
  return textNeighbours(
    termsOfListing(listing),
    candidates.map(({ storeId, terms, ...texts }) => ({
      storeId,
      terms: terms === null ? termsOfListing(texts) : terms.filter(isWord),
    })),
  )
}

/** An app can stand in the list and name the app in its own; the stronger reason counts. */
function bestPlaces(listed: readonly ListedPlace[]): ListedPlace[] {
  const best = new Map<string, ListedPlace>()
  for (const place of listed) {
    if (place.kind !== 'similar') continue
    const known = best.get(place.storeId)
    if (!known || placeStrength(place) > placeStrength(known)) best.set(place.storeId, place)
  }
  return [...best.values()]
}

/** 1 for the first place of the app's own list, falling to 1/n for the last of n; half for a list of the other app. */
const placeStrength = ({ own, position, places }: ListedPlace) =>
  (1 - (position - 1) / places) * (own ? 1 : 0.5)

function listedReason(place: ListedPlace): Reason {
  const { own, position, places } = place
  return {
    kind: 'apple-list',
    strength: placeStrength(place),
    detail: own
      ? `number ${position} in Apple's list of ${places}`
      : `its own list by Apple names this app, as number ${position} of ${places}`,
  }
}

function togetherReason({ together, looked }: Companion): Reason {
  return {
    kind: 'charting-together',
    strength: together / looked,
    detail: `in ${together} of the ${looked} category chart snapshots that show the app`,
  }
}

/** One page more than was looked at keeps a single page from saying that two apps are alike. */
function sharedReason({ together, looked, term }: NeighbourInResults): Reason {
  return {
    kind: 'shared-keywords',
    strength: together / (looked + 1),
    detail: `beside it in the first ${resultsRead.places} results for ${together} of ${looked} terms, such as "${term}"`,
  }
}

function textReason({ strength, shared }: TextNeighbour): Reason {
  return { kind: 'similar-text', strength: Math.min(1, strength), detail: `shares ${shared.join(', ')}` }
}

function scored(storeId: string, reasons: readonly Reason[]): SimilarApp {
  const score = reasons.reduce((sum, reason) => sum + weights[reason.kind] * reason.strength, 0)
  return {
    storeId,
    score: Math.round(score * 1e4) / 1e4,
    reasons: reasons
      .map((reason) => ({ ...reason, strength: Math.round(reason.strength * 1e4) / 1e4 }))
      .sort((one, other) => weights[other.kind] * other.strength - weights[one.kind] * one.strength),
  }
}

function basisOf(
  listed: readonly ListedPlace[],
  developer: { id: string | null; name: string | null },
  companions: readonly Companion[],
  beside: readonly NeighbourInResults[],
  listing: Partial<Listing> | undefined,
): Basis[] {
  const looked = companions[0]?.looked
  const known = developer.id !== null || developer.name !== null
  return [
    appleBasis(listed.filter(({ kind }) => kind === 'similar')),
    {
      kind: 'same-developer',
      state: known ? 'measured' : 'not-measured',
      detail: known ? (developer.id ? 'by developer id' : 'by developer name') : 'the developer is not known',
    },
    sharedBasis(beside[0]?.looked),
    {
      kind: 'charting-together',
      state: looked ? 'measured' : 'not-measured',
      detail: looked
        ? `${looked} category chart snapshots`
        : 'no category chart showed the app within 90 days of the newest snapshot',
    },
    {
      kind: 'similar-text',
      state: listing ? 'measured' : 'not-measured',
      detail: !listing
        ? 'no listing of the storefront is stored'
        : listing.description
          ? 'names, developers and descriptions'
          : 'names and developers; no description is stored',
    },
  ]
}

function sharedBasis(looked: number | undefined): Basis {
  const first = `this app in the first ${resultsRead.places} results`
  return looked
    ? {
        kind: 'shared-keywords',
        state: 'measured',
        detail: `newest result pages of ${looked} ${looked === 1 ? 'term' : 'terms'} with ${first}`,
      }
    : {
        kind: 'shared-keywords',
        state: 'not-measured',
        detail: `no newest result page of the storefront has ${first} beside another`,
      }
}

function appleBasis(similar: readonly ListedPlace[]): Basis {
  const own = similar.find((place) => place.own)
  const others = similar.filter((place) => !place.own).length
  const naming =
    others === 0
      ? ''
      : `; ${others === 1 ? 'one list' : `${others} lists`} of other apps ${others === 1 ? 'names' : 'name'} it`
  return own
    ? {
        kind: 'apple-list',
        state: 'measured',
        detail: `Apple's list of ${own.places}, observed at ${own.observedAt.toISOString()}${naming}`,
      }
    : { kind: 'apple-list', state: 'not-measured', detail: `Apple's own list was not collected${naming}` }
}
