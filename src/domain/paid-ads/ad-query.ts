import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

export type AdMediaType = 'image' | 'meme' | 'video' | 'none'

/** A query of an ad library; fields left out do not narrow it. */
export interface AdQuery {
  advertiserIds?: string[]
  terms?: string[]
  /** Lower case. */
  countries?: string[]
  active?: boolean
  /** `YYYY-MM-DD`, both included. */
  deliveredFrom?: string
  deliveredTo?: string
  mediaTypes?: AdMediaType[]
  languages?: string[]
  limit: number
}

/** Default limit of ads to read. */
const usualLimit = 500

/** The library holds ads published after 2022-10-01. Source: TikTok Commercial Content API, `ad/query`. */
export const tiktokFirstDay = '2022-10-02'

const dayMs = 86_400_000

/** The last date TikTok can be asked for: the one before today, in UTC. */
export const tiktokLastDay = (now: Date) => new Date(now.getTime() - dayMs).toISOString().slice(0, 10)

/** EU, EEA, United Kingdom and Switzerland. Source: TikTok Commercial Content API, supported countries. */
export const tiktokCountries: ReadonlySet<string> = new Set(
  'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se is li no gb ch'.split(' '),
)

/**
 * The query with defaults: a limit, and at TikTok the dates, which that library requires. Lists are deduplicated and
 * sorted, so that equivalent queries are equal.
 */
export function completeQuery(platform: AdPlatform, given: Partial<AdQuery>, now: Date): AdQuery {
  const isTiktok = platform === 'tiktok'
  const { advertiserIds, terms, countries, active, mediaTypes, languages } = given
  const deliveredFrom = given.deliveredFrom ?? (isTiktok ? tiktokFirstDay : undefined)
  const deliveredTo = given.deliveredTo ?? (isTiktok ? tiktokLastDay(now) : undefined)
  return {
    ...(advertiserIds && { advertiserIds: single(advertiserIds) }),
    ...(terms && { terms: single(terms) }),
    ...(countries && { countries: single(countries) }),
    ...(active !== undefined && { active }),
    ...(deliveredFrom && { deliveredFrom }),
    ...(deliveredTo && { deliveredTo }),
    ...(mediaTypes && { mediaTypes: single(mediaTypes) }),
    ...(languages && { languages: single(languages) }),
    limit: given.limit ?? usualLimit,
  }
}

const single = <One>(list: readonly One[]): One[] => [...new Set(list)]
