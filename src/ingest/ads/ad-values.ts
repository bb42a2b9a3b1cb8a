import { z } from 'zod'
import type { StatedMedium } from '../../domain/creatives/media.ts'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import { isBlank } from '../../text/blank-text.ts'
import { isLanguageTag } from '../../text/language-tag.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'
import {
  type AdPlatform,
  adIdForm,
  advertiserIdForm,
  publisherPlatforms,
} from '../../vocabulary/ad-platforms.ts'
import type { MediumKind } from '../../vocabulary/creatives.ts'
import { isCalendarDate } from '../fields.ts'
import { shown } from '../mapping/mapping.ts'
import { isUnreadable, namesShown, type Unreadable, unreadable } from '../unreadable.ts'

/** Values shared by all forms of ad records: undefined means "not carried", empty means "absent"; others cannot be read. */

/** The parsed record. @throws AdRefusal naming the first part that is wrong */
export function fitting<S extends z.ZodType>(schema: S, record: unknown): z.output<S> {
  const parsed = schema.safeParse(record)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new AdRefusal(
    'bad-value',
    `${issue?.path.join('.') || 'the record'}: ${issue?.message ?? 'is not valid'}.`,
  )
}

/** Empty where the text has no visible character. */
export const tidy = (value: string) => (isBlank(value) ? '' : value.replaceAll('\0', '').toWellFormed().trim())

/** A text; numbers are accepted where a name consists of digits. */
export const Text = z
  .union([z.string(), z.number()], 'must be a text')
  .nullish()
  .transform((value) => (value === undefined || value === null ? value : tidy(String(value)) || null))

/** Yes or no, also as the cell of a table. */
export const Flag = z
  .union([
    z.boolean(),
    z
      .string()
      .regex(/^(?:true|false)$/i, 'must be true or false')
      .transform((text) => text.toLowerCase() === 'true'),
  ])
  .nullish()

/** An id as digits; null where there is none. Numbers beyond 2^53 have lost digits and cannot be read. */
export const Digits = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value): string | null | Unreadable => {
    const text = String(value ?? '').trim()
    if (isBlank(text)) return null
    return /^[0-9]{1,32}$/.test(text) && (typeof value === 'string' || Number.isSafeInteger(value))
      ? text
      : unreadable
  })

/** The id of an advertiser at a platform; null where there is none. */
export function advertiserIdOf(platform: AdPlatform, value: unknown): string | null | Unreadable {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return unreadable
  const id = typeof value === 'string' || typeof value === 'number' ? tidy(String(value)) : ''
  if (id === '') return value === undefined || value === null || typeof value === 'string' ? null : unreadable
  return advertiserIdForm(platform).test(id) ? id : unreadable
}

/**
 * The id of an ad, of Meta's and TikTok's form where no platform is named. Where a platform's ids are in lower case, either case
 * names the same ad.
 * @throws AdRefusal
 */
export function archiveIdOf(value: unknown, name: string, platform: AdPlatform = 'meta'): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new AdRefusal(
      'no-id',
      `${name} is a number beyond 2^53, whose last digits are lost; it must be a string.`,
    )
  const id = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const form = adIdForm(platform)
  const known = [id, id.toLowerCase()].find((one) => form.test(one))
  if (known !== undefined) return known
  throw new AdRefusal('no-id', id === '' ? `${name} is missing.` : `${name} is "${id.slice(0, 60)}".`)
}

/** A web address. */
export const Address = z.unknown().transform((value): string | null | undefined | Unreadable => {
  if (value === undefined) return undefined
  if (value === null || (typeof value === 'string' && isBlank(value))) return null
  const text = typeof value === 'string' ? tidy(value) : ''
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : unreadable
})

type Address = z.output<typeof Address>

/** The first readable one of several alternative addresses. */
export const oneOf = (...addresses: Address[]): Address =>
  addresses.find((address) => typeof address === 'string') ??
  (addresses.includes(unreadable) ? unreadable : addresses[0])

/** The readable media, in order. */
export type ReadMedia = (StatedMedium | Unreadable)[]

export const mediumAt = (
  kind: MediumKind,
  url: Address,
  sizes: Pick<StatedMedium, 'width' | 'height' | 'durationSeconds' | 'captions'> = {},
): ReadMedia[number] => (isUnreadable(url) ? url : { kind, url: url ?? null, ...sizes })

/**
 * A calendar date: `YYYY-MM-DD` with or without a time, `YYYYMMDD` as text or number, or Unix seconds.
 * @param zone in which the library counts its days
 * @throws AdRefusal `impossible-date`
 */
export function dayOf(value: unknown, name: string, zone = 'UTC'): string | null | undefined {
  if (value === undefined || value === null) return value
  const text = shown(value).trim()
  if (isBlank(text) || text === '0') return null
  const day = /^\d{9,10}$/.test(text)
    ? dayIn(zone, Number(text))
    : /^(\d{4})-?(\d{2})-?(\d{2})(?:$|[T ])/.exec(text)?.slice(1, 4).join('-')
  const [year = 0, month = 0, date = 0] = (day ?? '').split('-').map(Number)
  if (!day || !isCalendarDate(year, month, date) || year < 2000 || year > 2099)
    throw new AdRefusal('impossible-date', `${name} is "${text.slice(0, 60)}".`)
  return day
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function dayIn(zone: string, seconds: number): string {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  clocks.set(zone, clock)
  return clock.format(seconds * 1000)
}

/** Texts of a list or one text, each once, in order; null when there are none. */
export const Texts = z
  .union([z.string(), z.array(z.union([z.string(), z.number()]).nullable())])
  .nullish()
  .transform((value) => {
    if (value === undefined || value === null) return value
    const texts = [value].flat().map((text) => tidy(String(text ?? '')))
    const known = [...new Set(texts.filter((text) => text !== ''))]
    return known.length > 0 ? known : null
  })

/** Countries in lower case, alphabetically; empty values are dropped. An ad is shown somewhere: none at all were not told. */
export function countriesIn(values: readonly string[] | null | undefined): string[] | undefined | Unreadable {
  if (!values) return undefined
  const named = values.filter((value) => !isBlank(value))
  if (!named.every(isCountry)) return unreadable
  const codes = named.map((value) => value.toLowerCase())
  return codes.length > 0 ? [...new Set(codes)].sort() : undefined
}

export const isCountry = (value: string): boolean => /^[a-z]{2}$/i.test(value)

/** Where Meta shows an ad, in our words and order. */
export function publishersIn(
  values: readonly string[] | null | undefined,
): string[] | null | undefined | Unreadable {
  if (!values) return values
  if (!values.every(isPublisher)) return unreadable
  const named = new Set(values.map(surfaceOf))
  const known = publisherPlatforms.filter((surface) => named.has(surface))
  return known.length > 0 ? known : undefined
}

const surfaceOf = (value: string) => value.toLowerCase().replaceAll(/[_ ]/g, '-')

export const isPublisher = (value: string): boolean =>
  (publisherPlatforms as readonly string[]).includes(surfaceOf(value))

/** Words of a list that may grow, as they stand; each once. */
export function codesIn(
  values: readonly string[] | null | undefined,
): string[] | null | undefined | Unreadable {
  if (!values) return values
  return values.every(isCode) ? [...new Set(values)] : unreadable
}

export const isCode = (value: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/.test(value)

/** The code of a button, such as `shop-now`. */
export function callToActionOf(value: string | null | undefined): string | null | undefined | Unreadable {
  if (!value) return value === undefined ? undefined : null
  const code = value.toLowerCase().replaceAll(/[_\s]+/g, '-')
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(code) && code.length <= 60 ? code : unreadable
}

/** The first, which is the main one. */
export function languageIn(
  values: readonly string[] | null | undefined,
): string | null | undefined | Unreadable {
  if (!values) return values
  const [main = ''] = values
  return main === '' ? undefined : isLanguage(main) ? main.replaceAll('_', '-') : unreadable
}

export const isLanguage = (value: string): boolean => isLanguageTag(value.replaceAll('_', '-'))

/** The format of an ad, from the media it shows; undefined where its source does not show them, or only stills. */
export function formatOfMedia(creatives: readonly SeenCreative[]): AdFormat | Unreadable | undefined {
  if (creatives.some((creative) => creative.unreadable?.includes('media'))) return unreadable
  const shown = creatives.flatMap(({ media }) => (media ? [media] : []))
  if (shown.length === 0) return undefined
  if (shown.flat().some(({ kind }) => kind === 'video')) return 'video'
  if (shown.every((media) => media.length > 0 && media.every(({ kind }) => kind === 'thumbnail')))
    return undefined
  const pictures = Math.max(...shown.map((media) => media.filter(({ kind }) => kind === 'image').length))
  return pictures > 1 ? 'carousel' : pictures === 1 ? 'image' : 'text'
}

/** Why a record is rejected as an ad. */
export type AdRefusalReason =
  | 'no-id'
  | 'wrong-platform'
  | 'unknown-form'
  | 'impossible-date'
  | 'bad-value'
  | 'too-large'

/** A rejected record. */
export interface RefusedAd {
  reason: AdRefusalReason
  /** Which part, and what is wrong with it. */
  message: string
  /** The ad id, where the record has a readable one. */
  archiveId: string | null
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of a record, shortened for a message. */
export const namesIn = (record: object): string => namesShown(Object.keys(record), 8)

/** @throws AdRefusal for a record that holds none of the fields an ad of its form consists of */
export function requireOneOf(record: Record<string, unknown>, names: readonly string[]): void {
  if (names.some((name) => name in record)) return
  throw new AdRefusal('unknown-form', `none of ${names.join(', ')}; it has ${namesIn(record)}.`)
}

/** Thrown and caught within parsers of records only. */
export class AdRefusal extends Error {
  readonly reason: AdRefusalReason

  constructor(reason: AdRefusalReason, message: string) {
    super(message)
    this.name = 'AdRefusal'
    this.reason = reason
  }
}
