import type { GapRow } from './keyword-gap-queries.ts'

export type GapStanding = 'rival-only' | 'own-only' | 'both' | 'neither' | 'not-measured'
export type GapSort =
  | 'opportunity'
  | 'rival-ahead'
  | 'difficulty'
  | 'relevance'
  | 'own-rank'
  | 'rival-rank'
  | 'distance'
  | 'term'

/** A term with the places of both apps on its newest page. */
export interface GapKeyword extends GapRow {
  standing: GapStanding
  /** The app that ranks higher, or alone; null when neither ranks. */
  ahead: 'own' | 'rival' | null
  /** Places between the two; null unless both rank. */
  distance: number | null
}

export function gapKeyword(row: GapRow): GapKeyword {
  const { own, rival, searched } = row
  const standing =
    own !== null && rival !== null
      ? 'both'
      : own !== null
        ? 'own-only'
        : rival !== null
          ? 'rival-only'
          : searched
            ? 'neither'
            : 'not-measured'
  const [ownAt, rivalAt] = [own ?? Number.POSITIVE_INFINITY, rival ?? Number.POSITIVE_INFINITY]
  return {
    ...row,
    standing,
    ahead: ownAt === rivalAt ? null : ownAt < rivalAt ? 'own' : 'rival',
    distance: standing === 'both' ? Math.abs(ownAt - rivalAt) : null,
  }
}

/** Number of keywords of each `standing` of the contract. */
export function gapCounts(keywords: readonly GapKeyword[]) {
  const count = (wanted: GapStanding, ahead?: 'own' | 'rival') =>
    keywords.filter(
      (keyword) => keyword.standing === wanted && (ahead === undefined || keyword.ahead === ahead),
    ).length
  return {
    rivalOnly: count('rival-only'),
    ownOnly: count('own-only'),
    bothOwnAhead: count('both', 'own'),
    bothRivalAhead: count('both', 'rival'),
    neither: count('neither'),
    notMeasured: count('not-measured'),
  }
}

/** The position of a keyword in a sorted list. */
export interface GapPlace {
  /** The sort key; null where it is not measured. */
  key: number | null
  term: string
}

/**
 * Sorts the keywords, those without a sort key last, equal ones by term.
 * @param relevance of a term, for the order by it
 */
export function sortGap(
  keywords: readonly GapKeyword[],
  sort: GapSort,
  relevance: (term: string) => number | null,
): (GapPlace & { keyword: GapKeyword })[] {
  return keywords
    .map((keyword) => ({ keyword, term: keyword.term, key: keyOf(keyword, sort, relevance) }))
    .sort((one, other) => compareGap(one, other, sort))
}

function keyOf(keyword: GapKeyword, sort: GapSort, relevance: (term: string) => number | null): number | null {
  switch (sort) {
    case 'opportunity':
      return keyword.opportunity
    case 'rival-ahead':
      return groupOf[keyword.ahead ?? 'neither'] + (keyword.opportunity ?? -1)
    case 'difficulty':
      return keyword.difficulty
    case 'relevance':
      return relevance(keyword.term)
    case 'own-rank':
      return keyword.own
    case 'rival-rank':
      return keyword.rival
    case 'distance':
      return keyword.distance
    case 'term':
      return null
  }
}

/** Offsets for the order by who is ahead: within a group keywords are sorted by opportunity, which is at most 100. */
const groupOf = { rival: 2_000, own: 1_000, neither: 0 }

const highFirst = new Set<GapSort>(['opportunity', 'rival-ahead', 'relevance', 'distance'])

/** Negative when the first comes before the second. */
export function compareGap(one: GapPlace, other: GapPlace, sort: GapSort): number {
  if (one.key !== other.key) {
    if (one.key === null) return 1
    if (other.key === null) return -1
    return highFirst.has(sort) ? other.key - one.key : one.key - other.key
  }
  return one.term < other.term ? -1 : one.term === other.term ? 0 : 1
}
