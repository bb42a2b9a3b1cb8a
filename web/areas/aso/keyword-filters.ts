import { type SearchSurface, searchSurfaces } from '../../../src/vocabulary/search-surfaces.ts'
import { compactSearch, numberParam, oneOfParam, sortParam, textParam } from '../../ui/search-params.ts'
import type { WorkstationKeyword } from './shapes.ts'
import { type Tag, tags } from './tags.ts'

export const windows = [7, 30, 90, 365] as const
const moves = [1, 7, 30] as const
const states = ['ranked', 'absent', 'not-measured'] as const

const keywordColumns = [
  'term',
  'rank',
  'over1Day',
  'over7Days',
  'over30Days',
  'best',
  'difficulty',
  'opportunity',
  'autocomplete',
  'relevance',
  'note',
  'observed',
] as const

/** The search parameters of the keyword table. */
export interface KeywordSearch {
  /** Days that series cover; 30 when left out. */
  window?: (typeof windows)[number]
  /** The account's when left out. */
  surface?: SearchSurface
  q?: string
  state?: (typeof states)[number]
  rankFrom?: number
  rankTo?: number
  difficultyFrom?: number
  difficultyTo?: number
  /** Only keywords whose rank changed over so many days. */
  moved?: (typeof moves)[number]
  /** Only keywords that have all of them. */
  tags?: Tag[]
  /** Only keywords that the account gave all of these tags. */
  own?: string[]
  sort?: string
}

export function keywordSearch(given: Record<string, unknown>): KeywordSearch {
  const wanted = Array.isArray(given.tags) ? tags.filter((tag) => (given.tags as unknown[]).includes(tag)) : []
  return compactSearch({
    window: oneOfParam(given.window, windows),
    surface: oneOfParam(given.surface, searchSurfaces),
    q: textParam(given.q),
    state: oneOfParam(given.state, states),
    rankFrom: numberParam(given.rankFrom, 1, 1_000),
    rankTo: numberParam(given.rankTo, 1, 1_000),
    difficultyFrom: numberParam(given.difficultyFrom, 0, 100),
    difficultyTo: numberParam(given.difficultyTo, 0, 100),
    moved: oneOfParam(given.moved, moves),
    tags: wanted.length > 0 ? wanted : undefined,
    own: ownTagsParam(given.own),
    sort: sortParam(given.sort, keywordColumns),
  })
}

/** Tags of a keyword, and characters of one, at most. */
export const [mostTags, longestTag] = [20, 50]

function ownTagsParam(given: unknown): string[] | undefined {
  const texts = Array.isArray(given) ? given.filter((tag) => textParam(tag, longestTag) === tag) : []
  return texts.length > 0 ? [...new Set<string>(texts)].slice(0, mostTags) : undefined
}

const filterNames = [
  'q',
  'state',
  'rankFrom',
  'rankTo',
  'difficultyFrom',
  'difficultyTo',
  'moved',
  'tags',
  'own',
] as const satisfies readonly (keyof KeywordSearch)[]

/** The filters of an address: without its days, its surface and its order. */
export const filtersOf = (search: KeywordSearch): Pick<KeywordSearch, (typeof filterNames)[number]> =>
  Object.fromEntries(filterNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

/** What takes every filter of an address away. */
export const noFilters: { [Name in (typeof filterNames)[number]]: undefined } = Object.fromEntries(
  filterNames.map((name) => [name, undefined]),
) as never

/** Whether a keyword passes the filters. A value that is not measured passes no range filter. */
export function passesKeywordFilters(
  keyword: WorkstationKeyword,
  has: readonly Tag[],
  search: KeywordSearch,
): boolean {
  const { q, state, rankFrom, rankTo, difficultyFrom, difficultyTo, moved } = search
  const { rank, difficulty } = keyword
  const written = [keyword.term, ...keyword.tags, keyword.note ?? '']
  if (q && !written.some((text) => folded(text).includes(folded(q)))) return false
  if (state && (rank.state === 'measured' ? 'ranked' : rank.state) !== state) return false
  if (search.tags?.some((tag) => !has.includes(tag))) return false
  if (search.own?.some((tag) => !keyword.tags.includes(tag))) return false
  if (!within(rank.state === 'measured' ? rank.value : undefined, rankFrom, rankTo)) return false
  const hard = difficulty.state === 'estimated' ? difficulty.value : undefined
  if (!within(hard, difficultyFrom, difficultyTo)) return false
  return moved === undefined || hasMoved(keyword, moved)
}

function hasMoved(
  { over1Day, over7Days, over30Days }: WorkstationKeyword,
  days: (typeof moves)[number],
): boolean {
  const change = { 1: over1Day, 7: over7Days, 30: over30Days }[days]
  return (
    change.state === 'entered' ||
    change.state === 'left' ||
    (change.state === 'measured' && change.places !== 0)
  )
}

function within(value: number | undefined, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true
  return value !== undefined && value >= (from ?? -Infinity) && value <= (to ?? Infinity)
}

const folded = (text: string): string => text.normalize('NFKC').toLowerCase()
