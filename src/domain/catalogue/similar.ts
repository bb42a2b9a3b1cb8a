import type { Database } from '../../storage/database.ts'
import { type LocalizationCode, storefrontOf } from '../../vocabulary/storefronts.ts'
import type { StorefrontApp } from './app.ts'
import type { Listing } from './listing.ts'
import { type ListedPlace, placesInAppleLists } from './similar-lists.ts'
import {
  appsOfDeveloper,
  type ChartShowingApp,
  chartsShowingApp,
  type ResultPageNeighbour,
  resultPageNeighbours,
} from './similar-queries.ts'
import {
  appleListReason,
  bestPlaces,
  type ReasonKind,
  type SimilarityReason,
  sharedChartReasons,
  sharedResultsReason,
  similarityScoreOf,
  strongestFirst,
  worthShowing,
} from './similar-reasons.ts'
import { noTextReasons, textReasons } from './similar-texts.ts'

interface SimilarApp {
  storeId: string
  /** 0 to 1. */
  score: number
  /** Strongest first. */
  reasons: SimilarityReason[]
}

/** The factor for another edition of the same app, such as the one for iPad. */
const edition = 0.25

const chartsRead = { charts: 4, captures: 60 }
/** Result pages looked at for shared keywords, and places of each that count. */
const resultsRead = { places: 10, pages: 60, limit: 100 }
/** Apps looked at by their developer and by Apple's lists. */
const candidatesRead = 200
/** Other apps of the developer that are named. */
const ownShown = 50

/**
 * Apps of others that resemble one app, most similar first, which kinds of reasons could be looked at, and the other apps of
 * its developer, which are no rivals, most ratings first. Every reason rests on what the storefront shows of both.
 * @param asked a language other than the storefront's: texts are compared in it where both are known in it, else in the storefront's own
 */
export async function similarApps(
  db: Database,
  app: StorefrontApp,
  limit: number,
  asked?: AskedLanguage,
): Promise<{ items: SimilarApp[]; sameDeveloper: string[]; basis: Basis[] }> {
  const { storeId, country } = app
  const listing = app.state?.record.facts
  const developer = { id: listing?.developerId ?? null, name: listing?.developer ?? null }
  const [siblings, charts, beside, listed] = await Promise.all([
    appsOfDeveloper(db, storeId, country, developer, candidatesRead),
    chartsShowingApp(db, storeId, country, chartsRead),
    resultPageNeighbours(db, storeId, country, resultsRead),
    placesInAppleLists(db, storeId, country, candidatesRead),
  ])
  const listedOwn = listed.filter(({ kind, own }) => kind === 'same-developer' && own)
  const own = new Set([...siblings, ...listedOwn.map((place) => place.storeId)])
  const found = new Map<string, SimilarityReason[]>()
  const add = (id: string, reason: SimilarityReason) => found.set(id, [...(found.get(id) ?? []), reason])
  for (const place of bestPlaces(listed)) add(place.storeId, appleListReason(place))
  for (const one of beside) add(one.storeId, sharedResultsReason(one, resultsRead.places))
  for (const [id, reason] of sharedChartReasons(charts)) add(id, reason)
  const { reasons, editions } = listing
    ? await textReasons(db, app, listing, charts, found, own)
    : noTextReasons
  const localized = asked?.listing
    ? await textReasons(db, app, asked.listing, charts, found, own, asked.language)
    : noTextReasons
  for (const [id, reason] of new Map([...reasons, ...localized.reasons])) add(id, reason)
  const others = [...found].filter(([id]) => !own.has(id))
  const items = others.map(([id, all]) => {
    const score = similarityScoreOf(all) * (editions.has(id) ? edition : 1)
    return { storeId: id, score: Math.round(score * 1e4) / 1e4, reasons: strongestFirst(all) }
  })
  return {
    items: worthShowing(
      items.sort((one, other) => other.score - one.score || (one.storeId < other.storeId ? -1 : 1)),
    ).slice(0, limit),
    sameDeveloper: [...own].slice(0, ownShown),
    basis: basisOf({
      ...{ listed, developer, charts, beside, listing, places: resultsRead.places },
      texts: textsCompared(listing, country, asked, localized.reasons.size),
    }),
  }
}

/** The language that was asked for, and the listing in it; undefined where it is absent or not measured. */
interface AskedLanguage {
  language: LocalizationCode
  state: 'measured' | 'absent' | 'not-measured'
  listing: (Partial<Listing> & Pick<Listing, 'name'>) | undefined
}

/** What was compared, and in which language where one was asked for. */
function textsCompared(
  listing: Partial<Listing> | undefined,
  country: string,
  asked: AskedLanguage | undefined,
  inLanguage: number,
): string {
  if (!listing) return 'listing not collected in this storefront'
  const compared = listing.description
    ? 'names, subtitles and descriptions'
    : 'names and subtitles; description not collected'
  if (!asked) return compared
  const { language, state } = asked
  const own = storefrontOf(country).language
  if (state === 'absent') return `${compared}, in ${own}: not localized in ${language}`
  if (state === 'not-measured') return `${compared}, in ${own}: not collected in ${language}`
  return `${compared}; ${inLanguage} compared in ${language}, the others in ${own}`
}

/** Whether one kind of reason could be looked at. */
interface Basis {
  kind: ReasonKind | 'same-developer'
  state: 'measured' | 'not-measured'
  detail: string
}

interface LookedAt {
  listed: readonly ListedPlace[]
  developer: { id: string | null; name: string | null }
  charts: readonly ChartShowingApp[]
  beside: readonly ResultPageNeighbour[]
  /** Places of a result page that count. */
  places: number
  listing: Partial<Listing> | undefined
  texts: string
}

function basisOf({ listed, developer, charts, beside, places, listing, texts }: LookedAt): Basis[] {
  const looked = charts.reduce((sum, { own }) => sum + own.filter((rank) => rank !== null).length, 0)
  const known = developer.id !== null || developer.name !== null
  return [
    appleBasis(listed.filter(({ kind }) => kind === 'similar')),
    {
      kind: 'same-developer',
      state: known ? 'measured' : 'not-measured',
      detail: known ? (developer.id ? 'by developer ID' : 'by developer name') : 'developer unknown',
    },
    sharedBasis(beside[0]?.looked, places),
    {
      kind: 'charting-together',
      state: looked ? 'measured' : 'not-measured',
      detail: looked
        ? `${looked} ranks in category charts`
        : 'not ranked in a category chart in the last 90 days collected',
    },
    {
      kind: 'similar-text',
      state: listing ? 'measured' : 'not-measured',
      detail: texts,
    },
  ]
}

function sharedBasis(looked: number | undefined, places: number): Basis {
  const first = `this app in the top ${places}`
  return looked
    ? {
        kind: 'shared-keywords',
        state: 'measured',
        detail: `latest search results for ${looked} ${looked === 1 ? 'keyword' : 'keywords'} with ${first}`,
      }
    : {
        kind: 'shared-keywords',
        state: 'not-measured',
        detail: `no search results of the storefront with ${first} next to another app`,
      }
}

function appleBasis(similar: readonly ListedPlace[]): Basis {
  const own = similar.find((place) => place.own)
  const others = similar.filter((place) => !place.own).length
  const naming =
    others === 0 ? '' : `; in the ${others === 1 ? 'list of one other app' : `lists of ${others} other apps`}`
  return own
    ? {
        kind: 'apple-list',
        state: 'measured',
        detail: `Apple's list of ${own.places} apps, collected ${own.observedAt.toISOString().slice(0, 10)}${naming}`,
      }
    : { kind: 'apple-list', state: 'not-measured', detail: `Apple's list not collected yet${naming}` }
}
