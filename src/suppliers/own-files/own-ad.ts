import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import type { AdDraft } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  AdRefusal,
  archiveIdOf,
  callToActionOf,
  countriesIn,
  Digits,
  dayOf,
  fitting,
  formatOfMedia,
  isCountry,
  isLanguage,
  isPublisher,
  languageIn,
  mediumAt,
  publishersIn,
  type ReadMedia,
  requireOneOf,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { nameSeparator } from '../../ingest/mapping/mapped-values.ts'
import { statedTime } from '../../ingest/times.ts'
import { carried } from '../../ingest/unreadable.ts'
import { adPlatforms } from '../../vocabulary/ad-platforms.ts'

const Size = z.number().int().min(1).max(100_000).nullish()
const Seconds = z.number().min(0).max(86_400)

const Medium = z.object({
  kind: z.enum(['video', 'image', 'thumbnail']),
  url: Address.optional(),
  width: Size,
  height: Size,
  durationSeconds: Seconds.nullish(),
  captions: z
    .object({
      language: z.string().max(35).nullish(),
      segments: z.array(z.object({ startSeconds: Seconds, endSeconds: Seconds, text: z.string() })).max(5_000),
    })
    .nullish(),
})

/** A card or variant in our own shape. */
export const Creative = z.object({
  title: Text,
  text: Text,
  description: Text,
  displayLink: Text,
  linkUrl: Address.optional(),
  callToAction: Text,
  callToActionText: Text,
  media: z.array(Medium).max(200).nullish(),
})

/** Our own shape: one ad as one observation showed it (docs/imports.md). */
const OwnRecord = z.object({
  platform: z.enum(adPlatforms),
  advertiser: z
    .object({ id: Digits, name: Text, url: Address.optional(), paidBy: Texts, beneficiaries: Texts })
    .nullish(),
  format: z.enum(['video', 'image', 'carousel', 'dynamic', 'text']).nullish(),
  languages: Texts,
  countries: Texts,
  publisherPlatforms: Texts,
  active: z.boolean().nullish(),
  reachText: Text,
  observedAt: z.string().nullish(),
  creatives: z.array(Creative).nullish(),
})

/** Fields that only say which ad it is, and when; dates are read on their own. */
const namingFields = new Set(['platform', 'archiveId', 'observedAt', 'startedOn', 'endedOn'])
const ownFields = [
  'creatives',
  ...Object.keys(OwnRecord.shape).filter((name) => !namingFields.has(name) && name !== 'creatives'),
  'startedOn',
  'endedOn',
]

/** @throws AdRefusal */
export function readOwnRecord(record: Record<string, unknown>): AdDraft {
  const archiveId = archiveIdOf(record.archiveId, 'archiveId')
  const others = Object.keys(record).filter((name) => !(name in OwnRecord.shape) && !namingFields.has(name))
  if (others.length > 0) requireOneOf(record, ownFields)
  const { platform, advertiser, ...reported } = fitting(OwnRecord, record)
  refuseOthers('languages', reported.languages, isLanguage, 'no language code such as en or pt-BR')
  refuseOthers('countries', reported.countries, isCountry, 'no country code such as us')
  // Other platforms show ads in one place only.
  const surfaces = platform === 'meta' ? reported.publisherPlatforms : undefined
  refuseOthers('publisherPlatforms', surfaces, isPublisher, 'no place where Meta shows ads')
  const creatives = (reported.creatives ?? []).map(creativeOf)
  const endedOn = dayOf(record.endedOn, 'endedOn')
  const observedAt = timeOf(reported.observedAt)
  const active = reported.active ?? undefined
  return {
    platform,
    archiveId,
    advertiserId: advertiser?.id ?? null,
    ...(observedAt ? { observedAt } : {}),
    stated: carried({
      advertiserName: advertiser?.name,
      advertiserUrl: advertiser?.url,
      paidBy: advertiser?.paidBy,
      beneficiaries: advertiser?.beneficiaries,
      format: reported.format ?? formatOfMedia(creatives),
      language: languageIn(reported.languages),
      startedOn: dayOf(record.startedOn, 'startedOn'),
      countries: countriesIn(reported.countries),
      publisherPlatforms: publishersIn(surfaces),
    }),
    // In our shape the end is left out while an ad runs.
    delivery: carried({
      active,
      endedOn: endedOn === undefined && active ? null : endedOn,
      reachText: reported.reachText,
    }),
    creatives,
  }
}

/** Unknown fields are dropped from foreign forms, and reported for our own shape. @throws AdRefusal */
function refuseOthers(
  field: string,
  values: readonly string[] | null | undefined,
  isOne: (value: string) => boolean,
  what: string,
): void {
  const other = values?.find((value) => !isOne(value))
  if (other === undefined) return
  const several = /[,;|]/.test(other) ? ` ${capital(nameSeparator(field))}.` : ''
  throw new AdRefusal('bad-value', `${field}: "${other.slice(0, 100)}" is ${what}.${several}`)
}

const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** Tolerance for wrong clocks; a time further ahead would be the newest for ever. */
const oneDay = 86_400_000

export function timeOf(text: string | null | undefined): Date | undefined {
  if (text === undefined || text === null) return undefined
  const time = statedTime(text)
  if (!time || time.at.getTime() > Date.now() + oneDay)
    throw new AdRefusal('impossible-date', `observedAt is "${text.slice(0, 60)}".`)
  return time.at
}

/** The text of a button defaults to the words of its code. */
function creativeOf({ media, ...reported }: z.output<typeof Creative>): SeenCreative {
  const callToActionText = reported.callToActionText ?? reported.callToAction ?? undefined
  return creativeAsStated({ ...reported, callToActionText, media: media ?? undefined })
}

/** A card or variant with what is told of it, and nothing that follows. */
export function creativeAsStated({
  text,
  media,
  callToAction,
  ...reported
}: z.output<typeof Creative>): SeenCreative {
  return carried({
    ...reported,
    body: text,
    callToAction: callToActionOf(callToAction),
    media: media === null ? null : media?.map(mediumOf),
  })
}

function mediumOf({ kind, url, captions, ...sizes }: z.output<typeof Medium>): ReadMedia[number] {
  const { width, height, durationSeconds } = sizes
  const language = languageIn([captions?.language ?? ''])
  return mediumAt(kind, url, {
    ...(width ? { width } : {}),
    ...(height ? { height } : {}),
    ...(durationSeconds ? { durationSeconds } : {}),
    ...(captions && captions.segments.length > 0
      ? { captions: { language: typeof language === 'string' ? language : null, segments: captions.segments } }
      : {}),
  })
}
