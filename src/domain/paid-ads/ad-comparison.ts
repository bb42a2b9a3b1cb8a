import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { v5 as uuidv5 } from 'uuid'
import { type Database, rows } from '../../storage/database.ts'
import { type AdPlatform, adLibraryRow } from '../../vocabulary/ad-platforms.ts'
import type { StatedMedium } from '../creatives/media.ts'
import type { Known, Stated } from '../facts/merge.ts'
import type { AdFacts, AdSighting, CreativeFields, NamedAd, SeenCreative } from './ad.ts'
import { comparableCountries, joinedCountries, withDerivedFacts } from './by-country.ts'

export type AdComparison = 'new' | 'known' | 'changed'

/** A stored ad, with the data a sighting is compared with. */
export interface KnownAd extends Known<AdFacts> {
  /** The creatives of its newest observation. */
  creatives: Stated<CreativeFields>[]
}

/**
 * The facts of an ad in a sighting, as of that day. An ad of a library that does not say whether it runs counts as running until
 * its end date, if any, is past.
 * @param observedAt when the library showed it
 */
export function adFactsAt({ platform, advertiserId, stated }: AdSighting, observedAt: Date): Stated<AdFacts> {
  const facts = withDerivedFacts({ ...stated, ...(advertiserId === null ? {} : { advertiserId }) })
  const { active, endedOn } = stated
  if (!adLibraryRow(platform).hidesRunning || active !== undefined || endedOn === undefined) return facts
  return { ...facts, active: endedOn === null || endedOn >= observedAt.toISOString().slice(0, 10) }
}

/** The facts of a sighting (`adFactsAt`), and its creatives. */
interface SeenAd {
  facts: Stated<AdFacts>
  creatives: readonly Stated<CreativeFields>[]
}

/**
 * Compares a sighting with the stored ad. Fields that its source does not carry are no difference, and neither is an absent
 * value where none is known.
 * @returns the names of the differing fields, sorted; `creatives` stands for all fields of creatives
 */
export function compareAd(
  known: KnownAd | undefined,
  { facts, creatives }: SeenAd,
): { standing: AdComparison; changes: string[] } {
  if (!known) return { standing: 'new', changes: [] }
  const told = joinedTo(known.facts, facts)
  const changes: string[] = Object.keys(told).filter((name) => {
    const field = name as keyof AdFacts
    return !isDeepStrictEqual(comparableFact(field, told), comparableFact(field, known.facts))
  })
  if (creatives.length > 0 && !sameCreatives(known.creatives, creatives)) changes.push('creatives')
  return { standing: changes.length > 0 ? 'changed' : 'known', changes: changes.sort() }
}

/** What is known of all countries after a sighting that is about some. */
function joinedTo(known: Stated<AdFacts>, facts: Stated<AdFacts>): Stated<AdFacts> {
  const { byCountry } = facts
  if (!byCountry || !known.byCountry) return facts
  return withDerivedFacts({ ...facts, byCountry: joinedCountries(known.byCountry, byCountry) })
}

const comparableFact = (field: keyof AdFacts, facts: Stated<AdFacts>): unknown =>
  field === 'byCountry' && facts.byCountry ? comparableCountries(facts.byCountry) : (facts[field] ?? null)

/** Whether two lists can be of the same creatives; an answer in one language says nothing of variants in others. */
function sameCreatives(
  known: readonly Stated<CreativeFields>[],
  shown: readonly Stated<CreativeFields>[],
): boolean {
  const meets = (one: Stated<CreativeFields>, others: readonly Stated<CreativeFields>[]) =>
    others.some((other) => canBeSameCreative(one, other))
  const locales = new Set(shown.map(({ locale }) => locale ?? null))
  const answered = known.filter(({ locale }) => locales.has(locale ?? null))
  return shown.every((one) => meets(one, answered)) && answered.every((one) => meets(one, shown))
}

/** Whether two observations can be of the same creative: they agree in every field that both carry. */
export function canBeSameCreative(one: Stated<CreativeFields>, other: Stated<CreativeFields>): boolean {
  return comparedFields.every((field) => {
    if (one[field] === undefined || other[field] === undefined) return true
    return isDeepStrictEqual(comparable(field, one), comparable(field, other))
  })
}

const comparedFields = ['title', 'body', 'description', 'linkUrl', 'media'] as const

function comparable(field: (typeof comparedFields)[number], creative: Stated<CreativeFields>): unknown {
  if (field === 'media') return mediaContent(creative.media)
  if (field === 'linkUrl') return creative.linkUrl ? withoutTracking(creative.linkUrl) : null
  return comparableText(creative[field])
}

/** A map key for an ad. */
export const adKey = ({ platform, archiveId }: NamedAd) => `${platform}/${archiveId}`

/** Stored ads with their newest creatives, by `adKey`. Those not stored are left out. */
export async function knownAds(db: Database, ads: readonly NamedAd[]): Promise<Map<string, KnownAd>> {
  const asked = [
    ...new Map(
      ads.map(({ platform, archiveId }) => [`${platform}/${archiveId}`, { platform, archiveId }]),
    ).values(),
  ]
  const found = await rows(
    db,
    sql<NamedAd & KnownAd & { creatives: SeenCreative[] }>`
      with a as materialized (
        select a.*
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked(platform text, "archiveId" text)
        join ads a on a.platform = asked.platform and a.archive_id = asked."archiveId"
      ), c as materialized (
        select ad_number, json_agg(facts order by position) as creatives
        from (
          select ad_number, facts, position,
            rank() over (partition by ad_number, facts ->> 'locale' order by brought, last_observed_at desc) as newest
          from ad_creatives where ad_number in (select ad_number from a)
        ) ranked
        where newest = 1
        group by ad_number
      )
      select a.platform, a.archive_id as "archiveId", a.facts, a.evidence, a.unreadable, coalesce(c.creatives, '[]') as creatives
      from a left join c using (ad_number)`,
  )
  return new Map(found.map((row) => [adKey(row), row]))
}

const namespace = '9a0c1d52-6f3b-5b1e-8f0e-6f6f3c2f7b40'

/**
 * The id of a card or variant. It depends on the ad and on the texts, link and media of the creative, not on how addresses
 * are signed, and survives a replay.
 */
export function creativeIdOf(platform: AdPlatform, archiveId: string, creative: SeenCreative): string {
  return uuidv5(`${platform} ${archiveId} ${fingerprint(creative)}`, namespace)
}

/**
 * The content that identifies a creative. One with unreadable fields is a different creative, so it never replaces a
 * readable one.
 */
function fingerprint(creative: SeenCreative): string {
  const { title, body, description, linkUrl, media, locale, unreadable = [] } = creative
  return JSON.stringify([
    comparableText(title),
    comparableText(body),
    comparableText(description),
    linkUrl ? withoutTracking(linkUrl) : null,
    mediaContent(media),
    ...unreadable,
    ...(locale ? [`in ${locale}`] : []),
  ])
}

/** A text for comparison of creatives: white space is removed. */
const comparableText = (text: string | null | undefined): string | null =>
  text?.replace(/\s+/gu, ' ').trim() || null

/** The media of a creative by what identifies them; null when their source shows none at all. */
function mediaContent(media: readonly StatedMedium[] | null | undefined): string[] | null {
  return media?.map(({ kind, url }) => `${kind} ${(url && stablePartOfMediaUrl(url)) ?? ''}`.trim()) ?? null
}

/** Click tracking parameters, which do not change where an address leads. */
const tracking =
  /^(?:utm_\w+|fbclid|gclid|gbraid|wbraid|ttclid|msclkid|igshid|mc_[ce]id|_nc_\w+|__tn__|h|hsa_\w+|click_?id|tt_\w+)$/i

/** An address without tracking parameters. */
export function withoutTracking(address: string): string {
  if (!URL.canParse(address)) return address.trim()
  const url = new URL(address)
  const kept = [...url.searchParams].filter(([name]) => !tracking.test(name)).sort()
  const query = new URLSearchParams(kept).toString()
  return `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${query === '' ? '' : `?${query}`}`
}

/**
 * The part of a media address that is the same every day. The networks sign their addresses each time, in the query and, at
 * TikTok, in the path; Meta's videos are renamed as well.
 * @returns undefined where no part is stable
 */
export function stablePartOfMediaUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return address
  const { host, pathname } = new URL(address)
  const name = pathname.split('/').at(-1) ?? ''
  if (/\.fbcdn\.net$/.test(host)) return /^\d+_\d+_\d+_n\./.exec(name) ? name.replace(/\.\w*$/, '') : undefined
  const kept = /\/(tos-?[a-z0-9-]*\/.+?)(?:~|\/?$)/.exec(pathname)?.[1]
  if (/tiktok|ibyteimg|byteimg|muscdn/.test(host) && kept) return kept.split('/').at(-1)
  return `${host}${pathname}`
}
