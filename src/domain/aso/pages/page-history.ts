import { changesOf, volatilityOf } from '../scores/volatility.ts'

/** A result page as far as its time and its places go. */
export interface PlacesSeen {
  capturedAt: Date
  /** Best place first; null where Apple's entry could not be read. */
  storeIds: readonly (string | null)[]
}

interface PlaceSeen {
  storeId: string
  /** 1 is first. */
  position: number
}

/** What changed between a page and the one before it. */
export interface PageChange {
  observedAt: Date
  comparedWith: Date
  /** Places compared: the depth of the shallower page. */
  depth: number
  /** Apps among these places now and not on the page before, best place first. */
  entrants: PlaceSeen[]
  /** Apps among these places before and not on the page now, with the place they had, best first. */
  leavers: PlaceSeen[]
  /** Apps on both pages that moved five places or more, furthest first. */
  movers: { storeId: string; from: number; to: number }[]
}

const fewestPlacesMoved = 5

/** Each page against the one before it, in the order given. @param pages newest first */
export function changesOver(pages: readonly PlacesSeen[]): PageChange[] {
  const placed = pages.map((page) => ({ page, places: placesOf(page) }))
  return placed.slice(1).flatMap((before, index) => {
    const now = placed[index]
    return now ? [changeOf(now, before)] : []
  })
}

type Placed = { page: PlacesSeen; places: Map<string, number> }

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

/** Apps among the first places of one page that the other does not show. */
function onlyOn(one: Placed, other: Placed, depth: number): PlaceSeen[] {
  const found: PlaceSeen[] = []
  for (const [storeId, position] of one.places)
    if (position <= depth && !other.places.has(storeId)) found.push({ storeId, position })
  return found
}

/** The place of each app, best first. */
export function placesOf({ storeIds }: Pick<PlacesSeen, 'storeIds'>): Map<string, number> {
  const places = new Map<string, number>()
  for (const [index, storeId] of storeIds.entries()) if (storeId !== null) places.set(storeId, index + 1)
  return places
}

/** How much the top of a page changes, and what that rests on. */
export interface Volatility {
  /** 0 to 100 a week; undefined where the pages span less than a week. */
  score: number | undefined
  /** Pairs of pages. */
  comparisons: number
  /** The oldest and the newest of them; null without a pair. */
  from: Date | null
  to: Date | null
}

/** @param pages in any order; empty ones say nothing here */
export function volatilityOver(pages: readonly PlacesSeen[]): Volatility {
  const times = pages
    .filter(({ storeIds }) => storeIds.length > 0)
    .map(({ capturedAt }) => capturedAt.getTime())
  const comparisons = changesOf(pages).length
  if (comparisons === 0) return { score: undefined, comparisons, from: null, to: null }
  return {
    score: volatilityOf(pages),
    comparisons,
    from: new Date(Math.min(...times)),
    to: new Date(Math.max(...times)),
  }
}
