import type { Origin } from '../../../vocabulary/provenance.ts'
import type { SearchSurface } from '../../../vocabulary/search-surfaces.ts'
import { changedPlacesBetween, volatilityOf } from '../scores/volatility.ts'

/** One place as shown on a result page. Null is carried and absent, undefined is not carried. */
export interface ResultPagePlace {
  storeId: string
  /** Empty where the page lists the app by its id alone. */
  name: string
  rating?: number | null | undefined
  ratingCount?: number | null | undefined
  /** Release of the current version, RFC 3339. */
  updatedAt?: string | null | undefined
}

/** The result page of one search for a term. */
export interface ResultPageReading {
  /** Normalised. */
  term: string
  country: string
  surface: SearchSurface
  /** Best place first; null where Apple's entry could not be read. */
  places: readonly (ResultPagePlace | null)[]
  /** Places requested from Apple; null when unknown. */
  requested: number | null
  /** The number of results stated in the answer, where that differs from the length of its list; otherwise null. */
  stated: number | null
  capturedAt: Date
  /** Storefront date. */
  day: string
  origin: Origin
  readingId: string
}

/** Time and places of a result page. */
export interface PagePlaces {
  capturedAt: Date
  /** Best place first; null where Apple's entry could not be read. */
  storeIds: readonly (string | null)[]
}

interface PlaceSeen {
  storeId: string
  /** 1 is first. */
  position: number
}

/** The changes between a page and the one before it. */
export interface PageChange {
  observedAt: Date
  comparedWith: Date
  /** Places compared: the depth of the shallower page. */
  depth: number
  /** Apps among the compared places of this page that the previous page did not show, best place first. */
  entrants: PlaceSeen[]
  /**
   * Apps among the compared places of the previous page that this page does not show, with their previous place, best
   * first.
   */
  leavers: PlaceSeen[]
  /** Apps on both pages that moved by five places or more, largest move first. */
  movers: { storeId: string; from: number; to: number }[]
}

const fewestPlacesMoved = 5

/** Compares each page with the one before it, in the given order. @param pages newest first */
export function changesBetweenPages(pages: readonly PagePlaces[]): PageChange[] {
  const placed = pages.map((page) => ({ page, places: placeByApp(page) }))
  return placed.slice(1).flatMap((before, index) => {
    const now = placed[index]
    return now ? [changeOf(now, before)] : []
  })
}

type Placed = { page: PagePlaces; places: Map<string, number> }

function changeOf(now: Placed, before: Placed): PageChange {
  const depth = Math.min(now.page.storeIds.length, before.page.storeIds.length)
  const movers: PageChange['movers'] = []
  for (const [storeId, to] of now.places) {
    const from = before.places.get(storeId)
    if (from !== undefined && Math.abs(from - to) >= fewestPlacesMoved) movers.push({ storeId, from, to })
  }
  return {
    observedAt: now.page.capturedAt,
    comparedWith: before.page.capturedAt,
    depth,
    entrants: onlyOn(now, before, depth),
    leavers: onlyOn(before, now, depth),
    movers: movers.sort(
      (one, other) => Math.abs(other.from - other.to) - Math.abs(one.from - one.to) || one.to - other.to,
    ),
  }
}

/** Apps among the first places of one page that the other page does not show. */
function onlyOn(one: Placed, other: Placed, depth: number): PlaceSeen[] {
  const found: PlaceSeen[] = []
  for (const [storeId, position] of one.places)
    if (position <= depth && !other.places.has(storeId)) found.push({ storeId, position })
  return found
}

/** The place of each app, best first. */
export function placeByApp({ storeIds }: Pick<PagePlaces, 'storeIds'>): Map<string, number> {
  const places = new Map<string, number>()
  for (const [index, storeId] of storeIds.entries()) if (storeId !== null) places.set(storeId, index + 1)
  return places
}

/** The volatility of a term's pages, with its inputs. */
export interface Volatility {
  /** 0 to 100 a week; undefined where the pages span less than a week. */
  score: number | undefined
  /** Pairs of pages. */
  comparisons: number
  /** The oldest and the newest of them; null without a pair. */
  from: Date | null
  to: Date | null
}

/** @param pages in any order; empty ones are ignored */
export function volatilityOfPages(pages: readonly PagePlaces[]): Volatility {
  const times = pages
    .filter(({ storeIds }) => storeIds.length > 0)
    .map(({ capturedAt }) => capturedAt.getTime())
  const comparisons = changedPlacesBetween(pages).length
  if (comparisons === 0) return { score: undefined, comparisons, from: null, to: null }
  return {
    score: volatilityOf(pages),
    comparisons,
    from: new Date(Math.min(...times)),
    to: new Date(Math.max(...times)),
  }
}
