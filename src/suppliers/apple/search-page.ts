import type { AppSighting } from '../../domain/catalogue/listing.ts'
import { identifier, nameText, shortText } from '../../ingest/fields.ts'
import { readText } from '../../ingest/json.ts'
import type { Rejection } from '../../ingest/parsed-payload.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { normaliseTerm } from '../../text/keyword-term.ts'
import { iconOf, partsOf, storefrontOf } from './app-page.ts'
import { at, isRecord, listOf } from './page-values.ts'

/** The search that a page answers, as it says itself; undefined where it does not. */
export interface StatedSearch {
  term: string | undefined
  /** In lower case. */
  country: string | undefined
  platform: string | undefined
}

export interface SearchPage {
  /** Apps of the full entries, in the order of the page. */
  sightings: AppSighting[]
  /** Ids, best place first; null for an entry that is an app and cannot be told, or repeats one. */
  storeIds: (string | null)[]
  rejected: Rejection[]
  notes: string[]
}

/** Apple's page lists some two hundred; one of more is not what this parser was made for. */
const mostPlaces = 1_000

/** Kinds of entries that are a place of an app; an event stands for its app. */
const ofApps = new Set(['AppSearchResult', 'AppEventSearchResult'])

/**
 * The search page of apps.apple.com for iPhone, `/{cc}/iphone/search?term=`, from the JSON that it carries for its own scripts: an element
 * with the id `serialized-server-data` holding `{data: [page]}` or `[page]`, where the page is
 * `{intent: {term, storefront, platform}, data: {shelves: [{items: [{$kind, resultType, lockup}]}], nextPage: {results: [{type, id}]}}}`.
 * Stories, bundles and developers among the entries are no apps and hold no place; nor do ads, should there be any.
 * Source: not documented by Apple and not observed by us. Derived from what parsers in public projects of 2026 agree on; the first fetched
 * page will prove it.
 * @param asked the term, normalised, and the storefront
 * @throws UnfitPayload when the page as a whole is not what is described here, or of another search
 */
export function readSearchPage(bytes: Uint8Array, asked: { term: string; country: string }): SearchPage {
  const page = searchPageOf(readText(bytes))
  refuseOtherSearch(statedSearch(page), asked)
  const shelves = listOf(at(page, 'data', 'shelves'))
  if (!shelves) throw new UnfitPayload('the data of the page have no shelves of results')
  const entries = shelves.flatMap((shelf) => listOf(at(shelf, 'items')) ?? [])
  const further = listOf(at(page, 'data', 'nextPage', 'results')) ?? []
  if (entries.length + further.length > mostPlaces)
    throw new UnfitPayload(
      `it lists ${entries.length + further.length} results, and a page of this search has ${mostPlaces} at most`,
    )
  const found: SearchPage = { sightings: [], storeIds: [], rejected: [], notes: [] }
  const others = new Map<string, number>()
  const places = new Map<string, number>()
  const place = (id: unknown, position: string, record: unknown): string | undefined => {
    const storeId = identifier.safeParse(id).data
    const before = storeId === undefined ? undefined : places.get(storeId)
    if (storeId === undefined || before !== undefined) {
      const reason = storeId === undefined ? 'no id of an app' : `repeats the app ${storeId} of place ${before}`
      found.rejected.push({ position, reason, record })
      found.storeIds.push(null)
      return undefined
    }
    found.storeIds.push(storeId)
    places.set(storeId, found.storeIds.length)
    return storeId
  }
  const leaveOut = (what: string) => others.set(what, (others.get(what) ?? 0) + 1)
  for (const [index, entry] of entries.entries()) {
    const other = otherThanApp(entry)
    if (other) leaveOut(other)
    else {
      const lockup = at(entry, 'lockup')
      const storeId = place(at(lockup, 'adamId'), `entry ${index + 1}`, entry)
      const name = nameText.safeParse(at(lockup, 'title')).data
      if (storeId !== undefined && name !== undefined) found.sightings.push(sightingOf(storeId, name, lockup))
    }
  }
  // The list after the entries either goes on behind them, or begins with them once more.
  for (const [index, result] of beyondEntries(further, found.storeIds, leaveOut).entries())
    place(at(result, 'id'), `result ${index + 1} of the next page`, result)
  if (found.storeIds.length > 0 && found.storeIds.every((storeId) => storeId === null))
    throw new UnfitPayload(`no result can be read: ${found.rejected[0]?.reason}`)
  if (found.storeIds.length === 0 && others.size > 0)
    throw new UnfitPayload(`it lists no app, only ${inWords(others)}`)
  if (others.size > 0) found.notes.push(`${inWords(others)} among its results hold no place`)
  return found
}

/** What a saved page says it was searched for. @throws UnfitPayload where it is no page of a search */
export const statedSearchOf = (bytes: Uint8Array): StatedSearch => statedSearch(searchPageOf(readText(bytes)))

/** Whether a text is a search page of the App Store, whole or its beginning. */
export function isSearchPage(html: string): boolean {
  if (!html.includes('serialized-server-data')) return false
  try {
    searchPageOf(html)
    return true
  } catch (error) {
    // What stops in its data is told by the kind of page that they begin with.
    if (error instanceof UnfitPayload) return html.includes('SearchResultsPageIntent')
    throw error
  }
}

/** @throws UnfitPayload */
function searchPageOf(html: string): unknown {
  const { json } = partsOf(html, 'a search')
  const pages = listOf(json) ?? listOf(at(json, 'data')) ?? []
  const page = pages.find(
    (one) => listOf(at(one, 'data', 'shelves')) && !isRecord(at(one, 'data', 'shelfMapping')),
  )
  if (page === undefined) throw new UnfitPayload('the page is of no search: it has no shelves of results')
  return page
}

function statedSearch(page: unknown): StatedSearch {
  const intent = at(page, 'intent')
  const country = textOf(at(intent, 'storefront'))?.toLowerCase() ?? storefrontOf(page)
  return { term: textOf(at(intent, 'term')), country, platform: textOf(at(intent, 'platform')) }
}

/** @throws UnfitPayload */
function refuseOtherSearch(stated: StatedSearch, { term, country }: { term: string; country: string }): void {
  if (stated.country !== undefined && stated.country !== country)
    throw new UnfitPayload(`the page of the storefront "${stated.country}", not of "${country}"`)
  if (stated.platform !== undefined && stated.platform !== 'iphone')
    throw new UnfitPayload(`the page of a search for ${stated.platform}, not for iphone`)
  if (stated.term !== undefined && normaliseTerm(stated.term, country) !== term)
    throw new UnfitPayload(`the page of a search for "${stated.term}", not for "${term}"`)
}

/** What an entry is, where it is not the place of an app for iPhone; undefined for one that is. */
function otherThanApp(entry: unknown): string | undefined {
  const kind = textOf(at(entry, '$kind'))
  if (at(entry, 'resultType') === 'ad') return 'ad'
  if (kind !== undefined && !ofApps.has(kind)) return kind
  if (!isRecord(at(entry, 'lockup'))) return 'entry without an app'
  const platform = /[?&]platform=([a-z]+)/.exec(
    textOf(at(entry, 'lockup', 'clickAction', 'pageUrl')) ?? '',
  )?.[1]
  return platform === undefined || platform === 'iphone' ? undefined : `app for ${platform}`
}

function beyondEntries(
  further: readonly unknown[],
  shown: readonly (string | null)[],
  leaveOut: (what: string) => void,
): unknown[] {
  const apps = further.filter((result) => {
    const type = textOf(at(result, 'type')) ?? 'result without a type'
    if (type !== 'apps') leaveOut(type)
    return type === 'apps'
  })
  const begins =
    shown.length > 0 && shown.every((storeId, index) => storeId === null || idOf(apps[index]) === storeId)
  return begins ? apps.slice(shown.length) : apps
}

const idOf = (result: unknown) => identifier.safeParse(at(result, 'id')).data

function sightingOf(storeId: string, name: string, lockup: unknown): AppSighting {
  const developer = textOf(at(lockup, 'developerName'))
  return { storeId, listing: { name }, hints: { ...iconOf(lockup), ...(developer ? { developer } : {}) } }
}

const textOf = (value: unknown) => shortText.safeParse(value).data || undefined

const inWords = (others: ReadonlyMap<string, number>) =>
  [...others].map(([what, count]) => `${count} × ${what}`).join(', ')
