import { volatilityOf } from './scores/volatility.ts'

/** A result page as far as its time and its places go. */
export interface PlacesSeen {
  capturedAt: Date
  /** Best place first; null where Apple's entry could not be read. */
  storeIds: readonly (string | null)[]
}

export interface PlaceSeen {
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
  const onlyOn = (one: Placed, other: Placed) =>
    [...one.places]
      .filter(([storeId, position]) => position <= depth && !other.places.has(storeId))
      .map(([storeId, position]) => ({ storeId, position }))
  return {
    observedAt: now.page.capturedAt,
    comparedWith: before.page.capturedAt,
    depth,
    entrants: onlyOn(now, before),
    leavers: onlyOn(before, now),
    movers: [...now.places]
      .flatMap(([storeId, to]) => {
        const from = before.places.get(storeId)
        return from !== undefined && Math.abs(from - to) >= fewestPlacesMoved ? [{ storeId, from, to }] : []
      })
      .sort((one, other) => Math.abs(other.from - other.to) - Math.abs(one.from - one.to) || one.to - other.to),
  }
}

/** The place of each app, best first. */
export function placesOf({ storeIds }: Pick<PlacesSeen, 'storeIds'>): Map<string, number> {
  return new Map(storeIds.flatMap((storeId, index) => (storeId === null ? [] : [[storeId, index + 1]])))
}

/** How much the top of a page changes, and what that rests on. */
export interface Volatility {
  /** 0 to 100; undefined with fewer than two pages that have results. */
  score: number | undefined
  comparisons: number
  from: Date | null
  to: Date | null
}

/** @param pages newest first; empty ones say nothing here */
export function volatilityOver(pages: readonly PlacesSeen[]): Volatility {
  const shown = pages.filter(({ storeIds }) => storeIds.length > 0).toReversed()
  const score = volatilityOf(shown.map(({ storeIds }) => storeIds))
  if (score === undefined) return { score, comparisons: 0, from: null, to: null }
  return {
    score,
    comparisons: shown.length - 1,
    from: shown[0]?.capturedAt ?? null,
    to: shown.at(-1)?.capturedAt ?? null,
  }
}
