import type { z } from 'zod'
import type { AdPreviewBody } from '../contract/shapes/ad-imports.ts'
import {
  type AdQuery,
  completeQuery,
  tiktokCountries,
  tiktokFirstDay,
  tiktokLastDay,
} from '../domain/paid-ads/search-plan.ts'
import { withoutTokens } from '../jobs/ad-imports/packed-records.ts'
import type { AdPlatform } from '../vocabulary/ad-platforms.ts'
import { type InputError, refuseInput } from './problem.ts'

type Body = z.output<typeof AdPreviewBody>

/** Validated arguments: a query with its defaults, or inline records without tokens. */
export type Asked =
  | { platform: AdPlatform; query: AdQuery; records: null }
  | { platform: AdPlatform; query: null; records: Record<string, unknown>[] }

/** @throws Problem `invalid-request` naming every contradiction */
export function askedFor({ platform, records, ...given }: Body, now: Date): Asked {
  const query = withoutGaps(given)
  if (records) {
    refuseAny(Object.keys(query).map((name) => at(name, 'does not go together with records')))
    return { platform, query: null, records: withoutTokens(records) }
  }
  refuseAny([...subjectErrors(query), ...(platform === 'tiktok' ? tiktokErrors(query, now) : [])])
  return { platform, query: completeQuery(platform, query, now), records: null }
}

const at = (name: string, message: string): InputError => ({ pointer: `/body/${name}`, message })

function refuseAny(errors: InputError[]): void {
  if (errors.length > 0) refuseInput(errors)
}

function withoutGaps(given: Omit<Body, 'platform' | 'records'>): Partial<AdQuery> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

function subjectErrors({ advertiserIds, terms }: Partial<AdQuery>): InputError[] {
  if (!advertiserIds && !terms) return [at('terms', 'is needed, or advertiserIds, or records')]
  return (terms ?? []).flatMap((term, index) =>
    term.trim() === '' ? [at(`terms/${index}`, 'holds nothing to look for')] : [],
  )
}

/** Maximum characters of a term at TikTok. Source: TikTok Commercial Content API. */
const longestTiktokTerm = 50

function tiktokErrors(query: Partial<AdQuery>, now: Date): InputError[] {
  const { advertiserIds, terms = [], countries = [], deliveredFrom, deliveredTo } = query
  const last = tiktokLastDay(now)
  const tooLong = terms.flatMap((term, index) =>
    term.length > longestTiktokTerm
      ? [at(`terms/${index}`, `has more than the ${longestTiktokTerm} characters TikTok takes`)]
      : [],
  )
  const elsewhere = countries.flatMap((country, index) =>
    tiktokCountries.has(country)
      ? []
      : [at(`countries/${index}`, `TikTok's library has no ads of ${country}; it covers Europe only`)],
  )
  const isTooEarly = (day: string | undefined) => day !== undefined && day < tiktokFirstDay
  const isTooLate = (day: string | undefined) => day !== undefined && day > last
  return [
    ...(advertiserIds && terms.length > 0
      ? [at('advertiserIds', 'does not go together with terms at TikTok')]
      : []),
    ...tooLong,
    ...elsewhere,
    ...(['deliveredFrom', 'deliveredTo'] as const).flatMap((name) => {
      const day = name === 'deliveredFrom' ? deliveredFrom : deliveredTo
      if (isTooEarly(day)) return [at(name, `is before ${tiktokFirstDay}, where TikTok's library begins`)]
      return isTooLate(day) ? [at(name, `is after ${last}, where TikTok's library ends`)] : []
    }),
  ]
}
