import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  archiveIdOf,
  countriesIn,
  Digits,
  dayOf,
  fitting,
  languageIn,
  publishersIn,
  requireOneOf,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried } from '../../ingest/unreadable.ts'

/** Variants are in separate lists for each part; a part can be blank. In a table one text may stand alone. */
const Parts = z
  .union([z.array(z.string().nullable()).max(1_000), z.string().transform((text) => [text])])
  .nullish()

const Reached = z.union([z.string(), z.number()]).nullish()

/** A record of Meta's `ads_archive`: numbers are strings, and every list may be left out. */
const ArchiveRecord = z.object({
  page_id: Digits,
  page_name: Text,
  bylines: Text,
  beneficiary_payers: z.array(z.object({ beneficiary: Text, payer: Text })).nullish(),
  ad_creative_bodies: Parts,
  ad_creative_link_titles: Parts,
  ad_creative_link_descriptions: Parts,
  ad_creative_link_captions: Parts,
  languages: Texts,
  publisher_platforms: Texts,
  eu_total_reach: Reached,
  br_total_reach: Reached,
  total_reach_by_location: z
    .array(z.object({ key: z.string(), value: z.union([z.string(), z.number()]) }))
    .nullish(),
  age_country_gender_reach_breakdown: z.array(z.object({ country: z.string().nullish() })).nullish(),
})

type ArchiveRecord = z.output<typeof ArchiveRecord>

/** Fields that only ads have. */
const adFields = [
  'ad_creative_bodies',
  'ad_creative_link_titles',
  'ad_creative_body',
  'ad_delivery_start_time',
  'ad_creation_time',
  'ad_snapshot_url',
]

/** An ad of `ads_archive`. */
export const metaArchiveAd: AdForm = {
  label: "Meta's ads_archive",
  platform: 'meta',
  ids: ['id', '_id'],
  fields: [...adFields, 'page_name'],
  is: (record) =>
    ('id' in record || '_id' in record) && [...adFields, 'page_id'].some((name) => name in record),
  read: readArchiveRecord,
}

/** Single parts from before the API returned lists of variants. */
const earlierNames: Readonly<Record<string, string>> = {
  ad_creative_bodies: 'ad_creative_body',
  ad_creative_link_titles: 'ad_creative_link_title',
  ad_creative_link_descriptions: 'ad_creative_link_description',
  ad_creative_link_captions: 'ad_creative_link_caption',
}

/** @throws AdRefusal */
function readArchiveRecord(record: Record<string, unknown>): AdDraft {
  const archiveId = archiveIdOf(record.id ?? record._id, 'id')
  requireOneOf(record, adFields)
  const reported = fitting(ArchiveRecord, withTodaysNames(record))
  const startedOn = dayOf(record.ad_delivery_start_time, 'ad_delivery_start_time')
  const payers = reported.beneficiary_payers
  return {
    platform: 'meta',
    archiveId,
    advertiserId: reported.page_id,
    stated: carried({
      advertiserName: reported.page_name,
      paidBy:
        reported.bylines && !payers?.length ? [reported.bylines] : namesOf(payers?.map(({ payer }) => payer)),
      beneficiaries: namesOf(payers?.map(({ beneficiary }) => beneficiary)),
      language: languageIn(reported.languages),
      startedOn,
      countries: countriesIn(reported.age_country_gender_reach_breakdown?.map(({ country }) => country ?? '')),
      publisherPlatforms: publishersIn(reported.publisher_platforms),
      // The library omits the end while none is set.
      endedOn: dayOf(record.ad_delivery_stop_time, 'ad_delivery_stop_time') ?? (startedOn ? null : undefined),
      reachText: reachIn(reported),
    }),
    creatives: variantsIn(reported),
  }
}

function withTodaysNames(record: Record<string, unknown>): Record<string, unknown> {
  const earlier = Object.entries(earlierNames).flatMap(([name, alone]) =>
    name in record || record[alone] === undefined ? [] : [[name, [record[alone]]]],
  )
  return { bylines: record.funding_entity, ...record, ...Object.fromEntries(earlier) }
}

/** Null for an empty list. */
function namesOf(names: readonly (string | null | undefined)[] | undefined): string[] | null | undefined {
  if (!names) return undefined
  const known = [...new Set(names.flatMap((name) => name ?? []))]
  return known.length > 0 ? known : names.length === 0 ? null : undefined
}

function reachIn({
  eu_total_reach,
  br_total_reach,
  total_reach_by_location,
}: ArchiveRecord): string | undefined {
  const whole = eu_total_reach ?? br_total_reach
  if (whole !== null && whole !== undefined) return String(whole)
  const parts = total_reach_by_location?.map(({ key, value }) => `${key} ${value}`)
  return parts && parts.length > 0 ? parts.join(', ') : undefined
}

/** Each body is a variant; a part given once holds for all of them. */
function variantsIn(reported: ArchiveRecord): SeenCreative[] {
  const lists = {
    title: reported.ad_creative_link_titles,
    body: reported.ad_creative_bodies,
    description: reported.ad_creative_link_descriptions,
    displayLink: reported.ad_creative_link_captions,
  }
  const variants = Math.max(...Object.values(lists).map((list) => list?.length ?? 0))
  return Array.from({ length: variants }, (_, at) => {
    const part = (list: readonly (string | null)[] | null | undefined) => {
      if (!list) return undefined
      const value = list.length === 1 ? list[0] : list[at]
      return Text.parse(value ?? null) ?? null
    }
    return carried({
      title: part(lists.title),
      body: part(lists.body),
      description: part(lists.description),
      displayLink: part(lists.displayLink),
    })
  })
}
