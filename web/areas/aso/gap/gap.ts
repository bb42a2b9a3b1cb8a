import type { ArgumentsOf, ReplyOf } from '../../../api/operations.ts'

export type KeywordGap = ReplyOf<'get_aso_keyword_gap'>
export type GapCounts = KeywordGap['counts']
export type GapKeyword = KeywordGap['items'][number]
export type GapStanding = GapKeyword['standing']
export type GapSort = NonNullable<ArgumentsOf<'get_aso_keyword_gap'>['sort']>

export const gapStandings = [
  'rival-only',
  'both',
  'own-only',
  'neither',
  'not-measured',
] as const satisfies readonly GapStanding[]

/** Rival ahead is what one comes for. */
export const defaultSort = 'rival-ahead' satisfies GapSort

export const gapSorts = [
  defaultSort,
  'opportunity',
  'difficulty',
  'relevance',
  'own-rank',
  'rival-rank',
  'distance',
  'term',
] as const satisfies readonly GapSort[]

export const standingInWords: Record<GapStanding, string> = {
  'rival-only': 'Competitor only',
  both: 'Both',
  'own-only': 'This app only',
  neither: 'Neither',
  'not-measured': 'No data',
}

export const sortInWords: Record<GapSort, string> = {
  'rival-ahead': 'Competitor ahead first',
  opportunity: 'Best opportunity',
  difficulty: 'Lowest difficulty',
  relevance: 'Highest relevance',
  'own-rank': 'Rank of this app',
  'rival-rank': 'Rank of the competitor',
  distance: 'Largest rank difference',
  term: 'Keyword, A to Z',
}

/** The search parameters of the page. */
export interface GapSearch {
  standing?: GapStanding
  ahead?: 'own' | 'rival'
  maxDifficulty?: number
  sort?: GapSort
}

/** One page of keywords is as long as the contract allows, so that the picture shows most of them at once. */
export const gapArguments = (
  { appId, rivalStoreId }: { appId: string; rivalStoreId: string },
  { standing, ahead, maxDifficulty, sort }: GapSearch,
): ArgumentsOf<'get_aso_keyword_gap'> => ({
  appId,
  rivalStoreId,
  limit: 100,
  ...(standing ? { standing: [standing] } : {}),
  ...(maxDifficulty === undefined ? {} : { maxDifficulty }),
  ...(ahead ? { ahead } : {}),
  sort: sort ?? defaultSort,
})
