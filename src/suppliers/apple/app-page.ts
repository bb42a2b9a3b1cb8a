import { Parser } from 'htmlparser2'
import { z } from 'zod'
import type { AppSighting, Listing } from '../../domain/catalogue/listing.ts'
import { cleanText, identifier, nameText } from '../../ingest/fields.ts'
import { parseJson, readText } from '../../ingest/json.ts'
import { UnfitPayload } from '../../ingest/unfit-payload.ts'
import { readLanguage } from '../../vocabulary/read-language.ts'
import { storefronts } from '../../vocabulary/storefronts.ts'
import { readInformation } from './information-shelf.ts'
import { readPromotions } from './page-shelves.ts'
import {
  at,
  isRecord,
  itemsOf,
  listOf,
  pictureAddress,
  type Shelves,
  textOf,
  webAddress,
} from './page-values.ts'

/** An app Apple shows beside another. */
interface NeighbourApp {
  /** Position on its shelf, from 1. */
  position: number
  sighting: AppSighting
  /** The second line under its name: its subtitle, or its genre where it has none. Hence no hint for the record. */
  subtitle?: string
}

export interface AppPage {
  /**
   * Name, subtitle, previews, information, tags, summary of reviews and events, for which the page is the best source; ratings, age rating, icon
   * and screenshots as hints, since Lookup is more exact. Fields the page does not carry are left out.
   */
  sighting: AppSighting
  /** The shelves of the page, each in Apple's order; a shelf the page does not have is left out. */
  similar: { kind: 'similar' | 'same-developer'; apps: NeighbourApp[] }[]
  /** Headings of the privacy label, in the language of the storefront; left out where the page has none. */
  privacyTypes?: string[]
}

/**
 * The page of an app on apps.apple.com, from the JSON it carries for its own scripts: an element with the id
 * `serialized-server-data` holding `{data: [page]}`, or `[page]` alone, where the page is
 * `{intent: {id}, data: {lockup, shelfMapping}}`. Neighbours are lockups: `adamId`, `title`, `subtitle`, `icon`.
 * Source: not documented by Apple and not observed by us. Derived from what parsers in public projects of 2024 to 2026
 * agree on; the first fetched page will prove it.
 * @param country storefront that was asked for
 * @throws UnfitPayload when the page as a whole is not what is described here, or of another app or storefront
 */
export function readAppPage(bytes: Uint8Array, storeId: string, country: string): AppPage {
  const { lockup, name, shelves, subtitle, isWhole } = dataOf(bytes, storeId, country)
  const privacyTypes = itemsOf(shelves, 'privacyTypes')
  const sells = at(lockup, 'offerDisplayProperties', 'hasInAppPurchases')
  const { contentRating, ...information } = readInformation(
    itemsOf(shelves, 'information'),
    typeof sells === 'boolean' ? sells : undefined,
  )
  const { listing: promotions, unreadable } = readPromotions(shelves, isWhole)
  return {
    sighting: {
      storeId,
      listing: {
        ...subtitleOf(lockup, subtitle, shelves),
        ...previewsOf(shelves),
        ...information,
        ...promotions,
        name,
      },
      hints: {
        ...iconOf(lockup),
        ...ratingsOf(shelves),
        ...screenshotsOf(shelves),
        ...(contentRating ? { contentRating } : {}),
      },
      ...(unreadable ? { unreadable } : {}),
    },
    similar: [
      ...neighbours('similar', itemsOf(shelves, 'similarItems'), storeId),
      ...neighbours('same-developer', itemsOf(shelves, 'moreByDeveloper'), storeId),
    ],
    ...(privacyTypes ? { privacyTypes: privacyTypes.flatMap((type) => textOf(at(type, 'title')) ?? []) } : {}),
  }
}

/**
 * What the page of an app shows in another language than the storefront's own: its texts and media. The description is in the shelf
 * `description` (`items[0].paragraph.text`), the release notes in `mostRecentVersion` (`items[0].text`): as Apple's own web
 * source names them, and not observed by us; a page without them does not carry them.
 * @param language localization that was asked for; the page names its own in `<html lang>`
 * @throws UnfitPayload as for any page, and when it names another language, or none
 */
export function readLocalizedPage(
  bytes: Uint8Array,
  storeId: string,
  country: string,
  language: string,
): AppSighting['listing'] {
  const { lockup, name, shelves, subtitle, lang } = dataOf(bytes, storeId, country)
  if (lang === undefined)
    throw new UnfitPayload(`the page does not name its language; "${language}" was asked for`)
  const read = readLanguage(lang, country)
  if (!('language' in read) || read.language !== language)
    throw new UnfitPayload(`the page is in "${lang.slice(0, 35)}", not in "${language}", which was asked for`)
  const description = longText.safeParse(at(itemsOf(shelves, 'description'), 0, 'paragraph', 'text')).data
  const releaseNotes = longText.safeParse(at(itemsOf(shelves, 'mostRecentVersion'), 0, 'text')).data
  return {
    name,
    ...subtitleOf(lockup, subtitle, shelves),
    ...(description ? { description } : {}),
    ...(releaseNotes ? { releaseNotes } : {}),
    ...previewsOf(shelves),
    ...screenshotsOf(shelves),
  }
}

/** Apple allows 4,000 characters. */
const longText = cleanText.pipe(z.string().max(100_000))

/** Whether a text is the page of an app, whole or its beginning. */
export function isAppPage(html: string): boolean {
  if (!html.includes('serialized-server-data')) return false
  try {
    return isRecord(at(pageOf(partsOf(html).json), 'data', 'shelfMapping'))
  } catch (error) {
    // What stops in its data is told by the shelves that they name.
    if (error instanceof UnfitPayload) return html.includes('shelfMapping')
    throw error
  }
}

/** The app that a saved page is of, and the storefront and the language that it names itself; undefined where it does not. */
export function pageSubject(bytes: Uint8Array): { storeId?: string; country?: string; lang?: string } {
  const { page, lockup, lang } = contentsOf(bytes)
  const storeId = identifier.safeParse(at(page, 'intent', 'id') ?? at(lockup, 'adamId')).data
  const country = storefrontOf(page)
  return { ...(storeId ? { storeId } : {}), ...(country ? { country } : {}), ...(lang ? { lang } : {}) }
}

function contentsOf(bytes: Uint8Array) {
  const { json, subtitle, lang } = partsOf(readText(bytes))
  const page = pageOf(json)
  return { page, lockup: at(page, 'data', 'lockup'), subtitle, lang, isWhole: !Array.isArray(json) }
}

const pageOf = (json: unknown): unknown => (Array.isArray(json) ? json[0] : at(json, 'data', 0))

/** @throws UnfitPayload when the page is not of the app and storefront that were asked for */
function dataOf(bytes: Uint8Array, storeId: string, country: string) {
  const { page, lockup, subtitle, lang, isWhole } = contentsOf(bytes)
  const shelves = at(page, 'data', 'shelfMapping')
  if (!isRecord(shelves)) throw new UnfitPayload('the data of the page have no shelves')
  const shown = at(page, 'intent', 'id') ?? at(lockup, 'adamId')
  if (shown !== undefined && String(shown) !== storeId)
    throw new UnfitPayload('shows another app than the one asked for')
  const storefront = storefrontOf(page)
  if (storefront !== undefined && storefront !== country)
    throw new UnfitPayload(`the page of the storefront "${storefront}", not of "${country}"`)
  const name = nameText.safeParse(at(lockup, 'title') ?? at(page, 'data', 'title')).data
  if (name === undefined) throw new UnfitPayload('the data of the page name no app')
  return { lockup, name, shelves, subtitle, lang, isWhole }
}

/** The storefront stated by a page, by Apple's number such as 143441 or by its code; undefined where it states none. */
export function storefrontOf(page: unknown): string | undefined {
  const said = String(at(page, 'data', 'pageMetrics', 'pageFields', 'storeFront') ?? '').toLowerCase()
  const number = Number(/^\d+/.exec(said)?.[0])
  return storefronts.find(({ code, appleNumber }) => code === said || appleNumber === number)?.code
}

/** Most levels of nested elements; a page has about thirty. */
const deepestTag = 1_000

/** The data of a page, its heading of class `subtitle`, and the language that it names. @param of what it should be about */
export function partsOf(
  html: string,
  of = 'an app',
): { json: unknown; subtitle: string | undefined; lang: string | undefined } {
  const found: { json?: string; subtitle?: string } = {}
  let inside: 'json' | 'subtitle' | undefined
  let complete = true
  let depth = 0
  let language: string | undefined
  const parser = new Parser({
    onopentag(tag, { id, class: classes, lang }) {
      // The parser's run time is quadratic in the depth.
      if (++depth > deepestTag) throw new UnfitPayload('the page is nested too deep')
      if (tag === 'html') language ??= lang?.trim() || undefined
      if (tag === 'script' && id === 'serialized-server-data') inside = 'json'
      else if (tag === 'h2' && classes?.split(/\s+/).includes('subtitle')) inside = 'subtitle'
      else return
      // The first of each counts.
      if (found[inside] === undefined) found[inside] = ''
      else inside = undefined
    },
    ontext(text) {
      if (inside) found[inside] += text
    },
    onclosetag(tag, isImplied) {
      depth--
      if (tag !== 'script' && tag !== 'h2') return
      if (inside === 'json' && isImplied) complete = false
      inside = undefined
    },
  })
  parser.end(html)
  if (!complete) throw new UnfitPayload('the page stops in the middle of its data', 'cut-off')
  if (found.json === undefined) throw new UnfitPayload(`the page carries no data of ${of}`)
  try {
    return { json: parseJson(found.json), subtitle: found.subtitle, lang: language }
  } catch {
    throw new UnfitPayload('the data of the page cannot be read')
  }
}

/**
 * Where an app has no subtitle, Apple's lockup has been observed to show the genre in its place. The two look the same, so
 * a text that the information shelf repeats is not measured.
 */
function subtitleOf(
  lockup: unknown,
  heading: string | undefined,
  shelves: Shelves,
): Pick<Listing, 'subtitle'> | undefined {
  const carried = isRecord(lockup) && 'subtitle' in lockup ? lockup.subtitle : heading
  if (carried === undefined || (typeof carried !== 'string' && carried !== null)) return undefined
  const subtitle = textOf(carried) ?? null
  const facts = itemsOf(shelves, 'information')?.flatMap((fact) => listOf(at(fact, 'items')) ?? []) ?? []
  return facts.some((fact) => subtitle !== null && textOf(at(fact, 'text')) === subtitle)
    ? undefined
    : { subtitle }
}

/** Apple's key of a media shelf has been observed with and without a suffix. */
const mediaOf = (shelves: Shelves, device: 'phone' | 'pad' | 'tv'): unknown[] | undefined =>
  itemsOf(shelves, `product_media_${device}_`) ?? itemsOf(shelves, `product_media_${device}`)

/**
 * Videos of all shelves without duplicates, those for the phone first. Their absence is only known from a shelf that holds
 * something.
 */
function previewsOf(shelves: Shelves): Pick<Listing, 'previews'> | undefined {
  const media = (['phone', 'pad', 'tv'] as const).flatMap((device) => mediaOf(shelves, device) ?? [])
  if (media.length === 0) return undefined
  return { previews: [...new Set(media.flatMap((item) => webAddress(at(item, 'video', 'videoUrl')) ?? []))] }
}

function screenshotsOf(shelves: Shelves): Partial<Listing> {
  const pictures = (device: 'phone' | 'pad' | 'tv') =>
    mediaOf(shelves, device)?.flatMap((item) => pictureAddress(at(item, 'screenshot')) ?? [])
  const [screenshotsIphone, screenshotsIpad, screenshotsTv] = [
    pictures('phone'),
    pictures('pad'),
    pictures('tv'),
  ]
  return {
    ...(screenshotsIphone ? { screenshotsIphone } : {}),
    ...(screenshotsIpad ? { screenshotsIpad } : {}),
    ...(screenshotsTv ? { screenshotsTv } : {}),
  }
}

function ratingsOf(shelves: Shelves): Partial<Listing> {
  const ratings = itemsOf(shelves, 'productRatings')?.[0]
  const count = at(ratings, 'totalNumberOfRatings')
  const average = at(ratings, 'ratingAverage')
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 0) return {}
  if (count === 0) return { ratingCount: 0, rating: null }
  const isStars = typeof average === 'number' && average >= 0 && average <= 5
  return { ratingCount: count, ...(isStars ? { rating: average } : {}) }
}

/** Most apps read from one shelf: Apple's hold about twenty. */
const mostNeighbours = 200

function neighbours(
  kind: 'similar' | 'same-developer',
  items: unknown[] | undefined,
  storeId: string,
): AppPage['similar'] {
  if (!items) return []
  const apps = items.slice(0, mostNeighbours).flatMap((item, index): NeighbourApp[] => {
    const id = identifier.safeParse(at(item, 'adamId')).data
    const name = nameText.safeParse(at(item, 'title')).data
    if (id === undefined || name === undefined || id === storeId) return []
    const [subtitle, developer] = [textOf(at(item, 'subtitle')), textOf(at(item, 'developerName'))]
    const hints = { ...iconOf(item), ...(developer ? { developer } : {}) }
    const sighting = { storeId: id, listing: { name }, hints }
    return [{ position: index + 1, sighting, ...(subtitle ? { subtitle } : {}) }]
  })
  return [{ kind, apps }]
}

export function iconOf(lockup: unknown): Pick<Listing, 'iconUrl'> | undefined {
  const iconUrl = pictureAddress(at(lockup, 'icon'))
  return iconUrl === undefined ? undefined : { iconUrl }
}
