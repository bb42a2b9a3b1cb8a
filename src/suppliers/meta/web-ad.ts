import { z } from 'zod'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  AdRefusal,
  archiveIdOf,
  countriesIn,
  Digits,
  dayOf,
  Flag,
  fitting,
  formatOfMedia,
  isRecord,
  namesIn,
  publishersIn,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried, unreadable } from '../../ingest/unreadable.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'
import { creativesIn, Snapshot } from './ad-snapshot.ts'

/** The time zone of dates on the library's web page. */
const libraryZone = 'America/Los_Angeles'

/**
 * An ad from the data of the Ad Library's web page: in snake case, and before 2025 in camel case. Spend and impressions are
 * not read.
 */
const WebRecord = z.object({
  page_id: Digits,
  page_name: Text,
  is_active: Flag,
  publisher_platform: Texts,
  targeted_or_reached_countries: Texts,
  snapshot: Snapshot,
})

/** From the names used since 2025 to the older ones. */
const earlierNames: Readonly<Record<string, string>> = {
  ad_archive_id: 'adArchiveID',
  page_id: 'pageID',
  page_name: 'pageName',
  is_active: 'isActive',
  publisher_platform: 'publisherPlatform',
  start_date: 'startDate',
  end_date: 'endDate',
  targeted_or_reached_countries: 'targetedOrReachedCountries',
}

/** An ad of the answer of the web page of Meta's Ad Library. */
export const metaWebAd: AdForm = {
  label: "Meta's Ad Library",
  platform: 'meta',
  ids: ['ad_archive_id', 'adArchiveID', 'adArchiveId'],
  fields: ['snapshot', 'collation_count', 'collationCount', 'publisher_platform', 'publisherPlatform'],
  is: (record) => 'ad_archive_id' in record || 'adArchiveID' in record || 'adArchiveId' in record,
  read: readWebRecord,
}

/** @throws AdRefusal */
function readWebRecord(given: Record<string, unknown>): AdDraft {
  const record = { ...given }
  for (const [name, earlier] of Object.entries(earlierNames)) record[name] ??= given[earlier]
  const archiveId = archiveIdOf(record.ad_archive_id ?? given.adArchiveId, 'ad_archive_id')
  const reported = fitting(WebRecord, { ...record, snapshot: snapshotIn(record.snapshot, given) })
  const { snapshot } = reported
  const creatives = creativesIn(snapshot)
  const active = reported.is_active ?? undefined
  const shownAs = snapshot.display_format?.trim().toLowerCase() ?? ''
  const endedOn = dayOf(record.end_date, 'end_date', libraryZone)
  return {
    platform: 'meta',
    archiveId,
    advertiserId: reported.page_id ?? snapshot.page_id,
    stated: carried({
      advertiserName: reported.page_name ?? snapshot.page_name ?? snapshot.current_page_name,
      advertiserUrl: snapshot.page_profile_uri ?? undefined,
      paidBy: snapshot.byline ? [snapshot.byline] : undefined,
      format: formats.get(shownAs) ?? formatOfMedia(creatives) ?? (shownAs === '' ? undefined : unreadable),
      startedOn: dayOf(record.start_date, 'start_date', libraryZone),
      countries: countriesIn(
        unlessNull(record.targeted_or_reached_countries, reported.targeted_or_reached_countries),
      ),
      publisherPlatforms: publishersIn(unlessNull(record.publisher_platform, reported.publisher_platform)),
      active,
      // For a running ad, the library shows the day of the request as its end.
      endedOn: active ? null : endedOn,
    }),
    creatives,
  }
}

/** What the page shows of an ad, by the names it has today. @throws AdRefusal where it is not carried, or is something else */
function snapshotIn(shown: unknown, record: Record<string, unknown>): Record<string, unknown> {
  if (!isRecord(shown))
    throw new AdRefusal(
      'unknown-form',
      `no snapshot, which holds what the ad shows; it has ${namesIn(record)}.`,
    )
  const snapshot = inSnakeCase(shown) as Record<string, unknown>
  if (!shownNames.some((name) => name in snapshot))
    throw new AdRefusal(
      'unknown-form',
      `the snapshot has ${namesIn(shown)} and none of ${shownNames.join(', ')}.`,
    )
  return snapshot
}

const shownNames = [
  'body',
  'title',
  'cards',
  'images',
  'videos',
  'link_url',
  'caption',
  'cta_text',
  'display_format',
]

/** Names as some collectors write them, such as `linkUrl` for `link_url`, all the way down. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inSnakeCase)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name.startsWith('__') ? name : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      inSnakeCase(part),
    ]),
  )
}

/** On the page null means not carried, and an empty list means absent. */
const unlessNull = <Value>(written: unknown, read: Value) => (written === null ? undefined : read)

const formats: ReadonlyMap<string, AdFormat> = new Map([
  ['video', 'video'],
  ['image', 'image'],
  ['carousel', 'carousel'],
  ['multi_images', 'carousel'],
  ['multi_videos', 'carousel'],
  ['multi_medias', 'carousel'],
  ['dco', 'dynamic'],
  ['dpa', 'dynamic'],
  ['dynamic', 'dynamic'],
  ['text', 'text'],
])
