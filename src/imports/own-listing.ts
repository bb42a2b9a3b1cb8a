import { basename, dirname, extname } from 'node:path'
import { listingTexts } from '../domain/aso/listing/audit.ts'
import { keywordFieldLimits } from '../domain/aso/listing/audited-text.ts'
import { parseDocument } from '../ingest/json.ts'
import type { Rejection } from '../ingest/parsed-payload.ts'
import { RawPayload } from '../ingest/raw-payload.ts'
import { rowsOf } from '../ingest/rows.ts'
import { UnfitPayload } from '../ingest/unfit-payload.ts'
import { namesShown } from '../ingest/unreadable.ts'
import { blanksBesideCommas } from '../text/comma-list.ts'
import { controlCharacterPaths, holdsUnprintable } from '../text/control-characters.ts'
import { listingWords } from '../text/listing-words.ts'
import {
  isLocalizationColumn,
  type OwnTextField,
  ownTextFields,
  ownTextNamed,
  ownTextOfFile,
  ownTexts,
} from '../vocabulary/own-listing.ts'
import { didYouMeanLocalization, localizationNamed } from '../vocabulary/read-language.ts'
import type { LocalizationCode } from '../vocabulary/storefronts.ts'
import { TruncatedError } from './decompress.ts'
import { utf8BytesOf } from './input-file.ts'
import { UnfitFileError } from './json-limits.ts'
import { isAppfile, type ListingFile } from './own-listing-files.ts'
import { fileLayoutOf, largestDocument } from './pieces.ts'

/** The own listing in a fastlane folder, and in JSON or tables as App Store Connect and tools around it write it. */

export type OwnTexts = Partial<Record<OwnTextField, string>>

/** What the files of an own listing tell. */
export interface ReadListing {
  /** The localizations without a fault, by code; each with the texts that are told of it, an empty one as ''. */
  localizations: Map<LocalizationCode, OwnTexts>
  rejected: (Rejection & { file: string })[]
  /** What is taken, but wastes room or may not be taken by Apple. */
  notes: string[]
}

/** A text as a file tells it. */
interface ToldText {
  file: string
  position: string
  /** As it is written: a code, or `default` of fastlane. */
  localization: string
  field: OwnTextField
  text: string
  /** The folder that a `default` counts for. */
  group: string
}

/** What a file tells. `ignored`: it belongs to a listing, and holds no text of it. */
export type ToldByFile = { texts: ToldText[]; rejected: Rejection[]; ignored?: true; note?: string }

const longestTextFile = 64 * 1024

/** @param encoding of text that is not UTF-8 and has no mark */
export async function readOwnListing(
  files: readonly ListingFile[],
  encoding: string | undefined,
): Promise<ReadListing> {
  const texts: ToldText[] = []
  const [rejected, notes]: [ReadListing['rejected'], string[]] = [[], []]
  for (const file of newestVersions(files, notes)) {
    const told = await toldBy(file, encoding)
    texts.push(...told.texts)
    rejected.push(...told.rejected.map((one) => ({ ...one, file: file.input.name })))
    if (told.note && !notes.includes(told.note)) notes.push(told.note)
  }
  return gathered(texts, rejected, notes)
}

/** Folders of another store or platform, and those of fastlane that hold no text of a listing. */
const otherStores = ['android']
const otherPlatforms: Readonly<Record<string, string>> = {
  ...{ macos: 'macOS', osx: 'macOS', mac: 'macOS', mac_os: 'macOS' },
  ...{ tvos: 'tvOS', appletvos: 'tvOS', appletv: 'tvOS', visionos: 'visionOS', xros: 'visionOS' },
}
const withoutTexts = [
  'review_information',
  'trade_representative_contact_information',
  'imessage',
  'screenshots',
]
/** Files of a fastlane folder without words that search reads, and what other tools leave beside texts. */
const otherTexts = new Set(
  [
    'support_url,marketing_url,privacy_url,apple_tv_privacy_policy,copyright,primary_category,secondary_category',
    'primary_first_sub_category,primary_second_sub_category,secondary_first_sub_category,secondary_second_sub_category',
  ].flatMap((names) => names.split(',')),
)
const notTexts = /\.(?:png|jpe?g|gif|webp|mov|mp4|m4v|md|html|rb|ya?ml|plist|itmsp)$/i

/** Names that people give to files of texts. */
const meantFiles: Readonly<Record<string, OwnTextField>> = {
  ...{ title: 'name', app_name: 'name', keyword: 'keyword-field', full_description: 'description' },
  ...{ whats_new: 'release-notes', changelog: 'release-notes', promo_text: 'promotional-text' },
  ...{ promotional: 'promotional-text', short_description: 'subtitle' },
}

/** What a file tells. A file that is not what it should be is one rejection. */
export async function toldBy(file: ListingFile, encoding: string | undefined): Promise<ToldByFile> {
  const { input, folders, leaves } = file
  const refused = (reason: string): ToldByFile => ({ texts: [], rejected: [{ position: 'document', reason }] })
  const nothing = (note?: string): ToldByFile => ({
    texts: [],
    rejected: [],
    ignored: true,
    ...(note ? { note } : {}),
  })
  const plain = folders.map((name) => name.toLowerCase())
  const platform = plain.flatMap((name) => otherPlatforms[name] ?? [])[0]
  if (platform) return nothing(`Texts of ${platform} are not read: the App Store of iOS shows its own.`)
  if (plain.some((name) => otherStores.includes(name)))
    return nothing('The folder android is of Google Play, and is not read.')
  if (plain.some((name) => withoutTexts.includes(name))) return nothing()
  const name = basename(input.name)
  if (isAppfile(name) || notTexts.test(name)) return nothing()
  if (leaves) return refused('a link that leads out of the folder')
  const extension = extname(name).toLowerCase()
  const bare = name.slice(0, name.length - extension.length)
  const isText = extension === '.txt'
  if (isText && otherTexts.has(bare.toLowerCase())) return nothing()
  try {
    if (isText) {
      const field = ownTextOfFile(bare)
      const localization = folders.at(-1)
      if (!field) return refused(unknownFile(bare))
      if (localization === undefined) return refused('no folder of a localization around it')
      const bytes = await wholeOf(file, longestTextFile, encoding)
      const text = bytes.toString('utf8')
      const group = folders.slice(0, -1).join('/')
      return {
        texts: [{ file: input.name, position: 'document', localization, field, text, group }],
        rejected: [],
      }
    }
    const bytes = await wholeOf(file, largestDocument, encoding)
    if (bytes.toString('utf8').trim() === '') return refused('the file is empty')
    const read = recordsIn(bytes)
    const records = ownRecordsIn(read.document, bare)
    if (records.length === 0) return refused(whyNone(read.document))
    return { texts: records.flatMap((record) => textsOf(record, input.name)), rejected: read.rejected }
  } catch (error) {
    const isUnfit = [UnfitPayload, UnfitFileError, TruncatedError].some((kind) => error instanceof kind)
    if (isUnfit && error instanceof Error) return refused(error.message)
    throw error
  }
}

/**
 * What a file of a fastlane folder is, by its path: a text of a localization, also of one whose name is nearly right, or a file without
 * words that search reads. Undefined for any other.
 */
export function isOfFastlane(path: string): 'text' | 'other' | undefined {
  if (!path.endsWith('.txt')) return undefined
  const [bare, folder] = [basename(path, '.txt'), basename(dirname(path))]
  const isLocalization =
    folder.toLowerCase() === 'default' || localizationNamed(folder) || didYouMeanLocalization(folder) !== ''
  if (withoutTexts.includes(folder.toLowerCase()) || otherTexts.has(bare.toLowerCase())) return 'other'
  return isLocalization && ownTextOfFile(bare) ? 'text' : undefined
}

function unknownFile(name: string): string {
  const meant = meantFiles[name.toLowerCase()]
  const files = ownTextFields.map((field) => `${ownTexts[field].file}.txt`)
  return `no text of a listing is called so${meant ? `; did you mean ${ownTexts[meant].file}.txt?` : `: there are ${files.join(', ')}`}`
}

async function wholeOf({ input }: ListingFile, most: number, encoding: string | undefined): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of utf8BytesOf(input, () => {}, encoding)) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > most) throw new UnfitFileError(`over ${most / 1024} kB, which no listing is`)
  }
  return Buffer.concat(chunks)
}

/** A table or lines as a list of records, or the document. */
function recordsIn(bytes: Buffer): { document: unknown; rejected: Rejection[] } {
  const layout = fileLayoutOf(bytes)
  if (layout === 'document') return { document: parseDocument(bytes), rejected: [] }
  const { rows, rejected } = rowsOf(new RawPayload(bytes), { layout, country: null }, 1)
  return { document: rows.map(({ record }) => record), rejected }
}

/** A record of one localization. */
export interface OwnRecord {
  position: string
  localization: string
  /** Its properties, those of a text among them. */
  values: Readonly<Record<string, unknown>>
}

type Properties = Readonly<Record<string, unknown>>
const propertiesOf = (value: unknown): Properties | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Properties) : undefined

const localizationTypes = ['appInfoLocalizations', 'appStoreVersionLocalizations']

/**
 * The records of localizations in a document; empty where it is none of the forms: resources of the App Store Connect API, as its
 * answers and the command lines around it print them; an object of localizations, alone or as `apple.info` of Expo's
 * `store.config.json`; records or rows with a column for the localization; and the texts of one localization in a file of its name.
 */
export function ownRecordsIn(document: unknown, fileName: string): OwnRecord[] {
  const whole = propertiesOf(document)
  const expo = propertiesOf(propertiesOf(whole?.apple)?.info)
  if (expo) return byLocalization(expo, 'apple.info.')
  const items = [...listOf(whole?.data ?? document), ...listOf(whole?.included)]
  const resources = items.map(propertiesOf)
  if (resources.some((one) => localizationTypes.includes(String(one?.type)))) return resourcesOf(resources)
  const rows = Array.isArray(document) ? document.map(propertiesOf) : [whole]
  const flat = rows.flatMap((row, index): OwnRecord[] => {
    const column = row && Object.keys(row).find(isLocalizationColumn)
    if (!row || column === undefined || textsNamed(row).length === 0) return []
    return [{ position: `record ${index + 1}`, localization: String(row[column]).trim(), values: row }]
  })
  if (flat.length > 0 || !whole) return flat
  const localized = Object.entries(whole).filter(
    ([name, value]) => localizationNamed(name) && textsNamed(propertiesOf(value) ?? {}).length > 0,
  )
  if (localized.length > 0) return byLocalization(whole, '')
  return localizationNamed(fileName) && textsNamed(whole).length > 0
    ? [{ position: 'document', localization: fileName, values: whole }]
    : []
}

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value]

const textsNamed = (values: Properties) => Object.keys(values).filter((name) => ownTextNamed(name))

const byLocalization = (all: Properties, path: string): OwnRecord[] =>
  Object.entries(all).flatMap(([localization, value]) => {
    const values = propertiesOf(value)
    return values ? [{ position: `${path}${localization}`, localization, values }] : []
  })

/** Resources of iOS: a version of another platform stands among `included`. */
function resourcesOf(resources: readonly (Properties | undefined)[]): OwnRecord[] {
  const platforms = new Map(
    resources.flatMap((one) =>
      one?.type === 'appStoreVersions'
        ? [[String(one.id), propertiesOf(one.attributes)?.platform] as const]
        : [],
    ),
  )
  return resources.flatMap((one, index): OwnRecord[] => {
    const values = propertiesOf(one?.attributes)
    if (!one || !values || !localizationTypes.includes(String(one.type))) return []
    const version = propertiesOf(propertiesOf(propertiesOf(one.relationships)?.appStoreVersion)?.data)
    const platform = platforms.get(String(version?.id)) ?? 'IOS'
    if (platform !== 'IOS') return []
    return [{ position: `record ${index + 1}`, localization: String(values.locale ?? ''), values }]
  })
}

function textsOf({ position, localization, values }: OwnRecord, file: string): ToldText[] {
  return Object.entries(values).flatMap(([name, value]): ToldText[] => {
    const field = ownTextNamed(name)
    if (!field || !(value === null || typeof value === 'string' || Array.isArray(value))) return []
    const text = Array.isArray(value) ? value.map(String).join(',') : (value ?? '')
    return [{ file, position, localization, field, text, group: file }]
  })
}

function whyNone(document: unknown): string {
  const [first] = listOf(document)
  const names = Object.keys(propertiesOf(first) ?? {})
  return `no texts of localizations: neither resources of the App Store Connect API, nor records with a locale${names.length > 0 ? `; it has ${namesShown(names, 12)}` : ''}`
}

/** Of the texts of several versions, as `asc metadata pull` keeps them in `version/<number>`, those of the newest. */
function newestVersions(files: readonly ListingFile[], notes: string[]): readonly ListingFile[] {
  const versionOf = ({ folders }: ListingFile) => (folders.at(-2) === 'version' ? folders.at(-1) : undefined)
  const versions = [...new Set(files.flatMap((file) => versionOf(file) ?? []))].sort((one, other) =>
    one.localeCompare(other, 'en', { numeric: true }),
  )
  const newest = versions.at(-1)
  if (versions.length < 2 || newest === undefined) return files
  notes.push(`Of ${versions.length} versions the texts of ${newest} are read.`)
  return files.filter((file) => [undefined, newest].includes(versionOf(file)))
}

/** The texts by localization, each with those of its `default` that it does not have. */
function gathered(texts: readonly ToldText[], rejected: ReadListing['rejected'], notes: string[]): ReadListing {
  const found = new Map<LocalizationCode, Map<OwnTextField, ToldText>>()
  const faults = new Map<LocalizationCode, { file: string; position: string; reasons: string[] }>()
  const unknown = new Set<string>()
  const fault = (code: LocalizationCode, { file, position }: ToldText, reason: string) => {
    const known = faults.get(code)
    if (known) known.reasons.push(reason)
    else faults.set(code, { file, position, reasons: [reason] })
  }
  for (const text of texts) {
    if (text.localization.toLowerCase() === 'default') continue
    const code = localizationNamed(text.localization)
    if (!code) {
      if (unknown.has(text.localization)) continue
      unknown.add(text.localization)
      const { file, position, localization } = text
      rejected.push({ file, position, reason: unknownLocalization(localization) })
      continue
    }
    const told = found.get(code) ?? new Map<OwnTextField, ToldText>()
    const before = told.get(text.field)
    if (before && cleaned(before.text) !== cleaned(text.text))
      fault(
        code,
        text,
        `its ${label(text.field)} is told twice, and differently: also by ${basename(before.file)}`,
      )
    else told.set(text.field, text)
    found.set(code, told)
  }
  const defaults = texts.filter(({ localization }) => localization.toLowerCase() === 'default')
  if (defaults.length > 0 && found.size === 0)
    rejected.push({
      file: defaults[0]?.file ?? '',
      position: 'document',
      reason: 'default alone: no folder names the localization that it stands for',
    })
  const localizations: ReadListing['localizations'] = new Map()
  for (const [code, told] of [...found].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const groups = new Set([...told.values()].map(({ group }) => group))
    for (const text of defaults) if (groups.has(text.group) && !told.has(text.field)) told.set(text.field, text)
    const own: OwnTexts = {}
    for (const text of told.values()) {
      const value = cleaned(text.text)
      for (const reason of faultsOf(text.field, value)) fault(code, text, reason)
      own[text.field] = value
    }
    const wrong = faults.get(code)
    if (wrong)
      rejected.push({
        file: wrong.file,
        position: wrong.position,
        reason: `${code}: ${wrong.reasons.join('; ')}`,
      })
    else {
      localizations.set(code, own)
      notes.push(...notesOf(code, own))
    }
  }
  return { localizations, rejected, notes }
}

const unknownLocalization = (text: string) =>
  `"${text.slice(0, 60)}" is not a localization of App Store Connect${didYouMeanLocalization(text)}`

/** Why a text by itself is refused; empty where it is not. */
export function refusalsOf({ localization, field, text }: ToldText): string[] {
  const isKnown = localization.toLowerCase() === 'default' || localizationNamed(localization)
  return isKnown ? faultsOf(field, cleaned(text)) : [unknownLocalization(localization)]
}

/** As fastlane sends it: without blanks and line ends around it. */
const cleaned = (text: string) => text.replaceAll(/\r\n?/g, '\n').trim()

const label = (field: OwnTextField) => field.replaceAll('-', ' ')

const mostOf = (field: OwnTextField) => {
  const limits = listingTexts.find((one) => one.field === field)?.limits ?? []
  return Math.max(...limits.map(({ most }) => most))
}
const inLines: readonly OwnTextField[] = ['description', 'promotional-text', 'release-notes']

/** Why Apple does not take a text; empty where it does. */
function faultsOf(field: OwnTextField, text: string): string[] {
  const [characters, most] = [[...text].length, mostOf(field)]
  const isMultiline = inLines.includes(field)
  const unprintable = isMultiline
    ? controlCharacterPaths(text, { multiline: true }).length > 0
    : holdsUnprintable(text.replaceAll('\n', ' '))
  return [
    ...(characters > most
      ? [
          `its ${label(field)} has ${characters.toLocaleString('en')} characters, ${(characters - most).toLocaleString('en')} over the limit of ${most.toLocaleString('en')}`,
        ]
      : []),
    ...(unprintable ? [`its ${label(field)} holds control characters or half a letter`] : []),
    ...(!isMultiline && text.includes('\n') ? [`its ${label(field)} has several lines`] : []),
  ]
}

/** What wastes the room of the keyword field, or may not be taken. */
function notesOf(code: LocalizationCode, { 'keyword-field': keywords = '' }: OwnTexts): string[] {
  const of = `The keyword field of ${code}`
  const [bytes, [sure]] = [Buffer.byteLength(keywords), keywordFieldLimits]
  const blanks = blanksBesideCommas(keywords)
  const words = keywords
    .split(',')
    .map((word) =>
      listingWords(word, 'us')
        .map(({ key }) => key)
        .join(' '),
    )
    .filter(Boolean)
  const twice = [...new Set(words.filter((word, index) => words.indexOf(word) < index))]
  const other = /[،、，;；]/u.exec(keywords)?.[0]
  return [
    ...(bytes > sure.most
      ? [
          `${of} has ${bytes} bytes: Apple's help says ${sure.most} bytes, its page on product pages ${sure.most} characters.`,
        ]
      : []),
    ...(blanks > 0
      ? [`${of} has ${blanks} ${blanks === 1 ? 'blank' : 'blanks'} beside commas, which count.`]
      : []),
    ...(twice.length > 0 ? [`${of} says twice: ${twice.slice(0, 10).join(', ')}.`] : []),
    ...(other ? [`${of} has "${other}", where App Store Connect asks for commas.`] : []),
  ]
}
