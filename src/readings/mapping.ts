import { readFile } from 'node:fs/promises'
import { z } from 'zod'

/** Fields a mapping can fill, by kind of import, with what each means; shown when a mapping is missing or wrong. */
export const mappableFields = {
  catalogue: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    name: 'name of the app (required)',
    country: 'storefront of the row; otherwise that of the import',
    subtitle: 'subtitle',
    developer: 'name of the developer',
    developerId: "Apple's id of the developer",
    seller: 'legal name of the seller',
    sellerUrl: "the seller's site",
    bundleId: 'bundle id',
    iconUrl: 'address of the icon',
    description: 'description',
    releaseNotes: 'release notes of the version',
    version: 'version',
    price: 'price as a number',
    currency: 'ISO 4217 code of the price',
    primaryCategory: 'Apple genre id, or its English name',
    categories: 'genre ids or names: a list, or text separated by ; or |',
    rating: 'average of all ratings, 0 to 5',
    ratingCount: 'number of all ratings',
    ratingCurrentVersion: 'average for the current version',
    ratingCountCurrentVersion: 'number of ratings for the current version',
    releasedAt: 'first release, RFC 3339 or a date',
    updatedAt: 'release of the current version',
    sizeBytes: 'size in bytes',
    languages: 'ISO 639-1 codes: a list, or text separated by ; or |',
    minimumOsVersion: 'lowest iOS version',
    contentRating: 'age rating, such as 4+',
    screenshotsIphone: 'addresses: a list, or text separated by spaces',
    screenshotsIpad: 'addresses: a list, or text separated by spaces',
  },
  charts: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    rank: 'place, 1 is best; otherwise the order of the rows',
    name: 'name of the app',
    developer: 'name of the developer',
    iconUrl: 'address of the icon',
    country: 'storefront',
    chart: 'top-free, top-paid or top-grossing, or the name of an Apple feed',
    category: 'Apple genre id, or its English name; 36 is all categories',
    device: 'iphone or ipad; iphone when left out',
    capturedAt: 'time of the capture, RFC 3339 or a date',
    requested: 'how many places were asked for',
  },
  'search-results': {
    term: 'what was searched for',
    country: 'storefront; otherwise that of the import',
    capturedAt: 'time of the capture, RFC 3339 or a date',
    requested: 'how many places were asked for',
  },
  sales: {
    storeId: "Apple's app id, or an App Store address that holds it (required)",
    day: 'date (required)',
    country: 'storefront; otherwise that of the import',
    downloads: 'first-time downloads of the day',
    revenue: 'what customers paid that day, as a number',
    currency: 'ISO 4217 code of the revenue',
  },
  organic: {
    postId: '<network>_<native id>; or network and id (required)',
    network: 'tiktok, instagram, youtube, reddit or x',
    id: 'id the network gave the post',
    url: 'address of the post',
    author: "the author's handle, with or without @",
    authorName: 'name shown on the profile',
    authorUrl: 'address of the profile',
    authorBio: 'what the author writes about themselves',
    followers: 'how many follow the author',
    community: 'subreddit or channel',
    title: 'title',
    text: 'caption, description or body',
    linkUrl: 'address the post shares',
    language: 'BCP 47 code, as the network states it',
    hashtags: 'a list, or text separated by spaces, commas, ; or |; otherwise those of the text',
    publishedAt: 'RFC 3339, a date, or seconds or milliseconds since 1970',
    mediaType: 'video, image, carousel, text or link',
    videoUrl: 'addresses of videos: a list, or text separated by spaces',
    imageUrls: 'addresses of pictures: a list, or text separated by spaces',
    thumbnailUrl: 'address of the still picture of a video',
    durationSeconds: 'length of the video',
    views: 'views or plays',
    likes: 'likes, or the score on Reddit',
    comments: 'comments',
    shares: 'shares or reposts',
    saves: 'bookmarks or favourites',
    observedAt: 'when the row was observed; otherwise the time of the file',
  },
  'paid-ads': {
    platform: 'meta or tiktok (required)',
    archiveId: 'id of the ad in its library, digits (required)',
    advertiserId: 'page id at Meta, business id at TikTok',
    advertiserName: 'name of the page or business',
    advertiserUrl: 'address of its profile',
    paidBy: 'who pays: a list, or text separated by ; or |',
    beneficiaries: 'for whom it runs: a list, or text separated by ; or |',
    format: 'video, image, carousel, dynamic or text; otherwise told by the media',
    language: 'language tag, such as en or pt-BR',
    startedOn: 'first day of delivery',
    endedOn: 'last day of delivery',
    active: 'true or false, active or inactive, yes or no, 1 or 0',
    reachText: 'people reached, as the library words it',
    countries: 'countries of delivery: a list, or text separated by ; or |',
    publisherPlatforms: 'where Meta shows it: a list, or text separated by ; or |',
    title: 'headline',
    body: 'main text',
    description: 'text beside the link',
    displayLink: 'link as shown',
    linkUrl: 'address it leads to',
    callToAction: 'code or words of the button, such as SHOP_NOW',
    callToActionText: 'words on the button',
    videoUrls: 'addresses: a list, or text separated by spaces',
    imageUrls: 'addresses: a list, or text separated by spaces',
    observedAt: 'when the library showed it so, RFC 3339 or a date',
  },
} as const

export type MappedKind = keyof typeof mappableFields

const Path = z.string().min(1)

const MappingFile = z.strictObject({
  fields: z.record(z.string(), Path).default({}),
  constants: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  list: Path.optional(),
  document: z.record(z.string(), Path).default({}),
  fileName: z.string().optional(),
})

/** How foreign names become ours. */
export interface Mapping {
  /** Our field by the column, or the dotted path in an object, that holds it. */
  fields: Record<string, string>
  /** Our field by a value that holds for every row. */
  constants: Record<string, string>
  /** JSON only: dotted path of the list of rows; the document itself when left out. */
  list?: string
  /** JSON only: our field by the dotted path in the document around the list. */
  document: Record<string, string>
  /** Regular expression over the file name; its named groups are our fields. */
  fileName?: string
}

/** The mapping is not usable; the message says what to change. */
export class MappingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'MappingError'
  }
}

/** @throws MappingError */
export async function readMapping(path: string, kind: MappedKind): Promise<Mapping> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new MappingError(`The mapping ${path} cannot be read.`)
  })
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    throw new MappingError(`The mapping ${path} is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
  return parseMapping(document, kind, path)
}

/** @throws MappingError */
export function parseMapping(document: unknown, kind: MappedKind, path: string): Mapping {
  const parsed = MappingFile.safeParse(document)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new MappingError(
      `The mapping ${path} is not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`,
    )
  }
  const { fields, constants, list, document: around, fileName } = parsed.data
  if (kind === 'search-results' && (list || Object.keys({ ...fields, ...around }).length > 0))
    throw new MappingError(`The mapping ${path} may hold only constants and fileName: the rest is Apple's.`)
  const named = fileName === undefined ? [] : groupNames(fileName, path)
  const unknown = [...Object.keys(fields), ...Object.keys(constants), ...Object.keys(around), ...named].find(
    (field) => !Object.hasOwn(mappableFields[kind], field),
  )
  if (unknown) throw new MappingError(`The mapping ${path} names the field "${unknown}". ${fieldList(kind)}`)
  return {
    fields,
    constants: Object.fromEntries(Object.entries(constants).map(([field, value]) => [field, String(value)])),
    document: around,
    ...(list ? { list } : {}),
    ...(fileName ? { fileName } : {}),
  }
}

function groupNames(pattern: string, path: string): string[] {
  try {
    new RegExp(pattern)
  } catch (error) {
    throw new MappingError(
      `The mapping ${path} has a bad fileName pattern: ${error instanceof Error ? error.message : ''}`,
    )
  }
  return [...pattern.matchAll(/\(\?<([A-Za-z]+)>/g)].map((match) => match[1] ?? '')
}

/** The fields a mapping may name, one a line. */
function fieldList(kind: MappedKind): string {
  const lines = Object.entries(mappableFields[kind]).map(([field, meaning]) => `  ${field}: ${meaning}`)
  return `Fields of a ${kind} mapping:\n${lines.join('\n')}`
}

/** What the mapping's pattern reads from a file name; a compact time such as 2024-12-28T1204Z is written out. */
export function fromFileName(mapping: Pick<Mapping, 'fileName'>, name: string): Record<string, string> {
  if (!mapping.fileName) return {}
  const groups = new RegExp(mapping.fileName).exec(name)?.groups ?? {}
  return Object.fromEntries(
    Object.entries(groups).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** The value at a dotted path; undefined where there is none. */
export function valueAt(row: unknown, path: string): unknown {
  if (typeof row !== 'object' || row === null) return undefined
  if (Object.hasOwn(row, path)) return (row as Record<string, unknown>)[path]
  let value: unknown = row
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return value
}

/** A value as text; of objects and lists their JSON, since what JSON holds can forbid to be made text. */
export function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
