import {
  adPlatforms,
  askedLibraryRow,
  isAsked,
  searchSubjectsOf,
} from '../../../src/vocabulary/ad-platforms.ts'
import type { AdSubject } from '../../../src/vocabulary/suppliers.ts'
import type { ArgumentsOf } from '../../api/operations.ts'
import type { Country } from '../../evidence/shapes.ts'
import { isCountry } from '../../evidence/storefronts.ts'
import { compactSearch, dayParam, numberParam, oneOfParam, textParam } from '../../ui/search-params.ts'

export type PreviewArguments = ArgumentsOf<'admin_preview_paid_ads'>
type AdPlatform = PreviewArguments['platform']
type MediaType = NonNullable<PreviewArguments['mediaTypes']>[number]

export const mediaTypes = ['image', 'meme', 'video', 'none'] as const satisfies readonly MediaType[]

/** What the address of the import page asks a library for. Lists are written with commas, and commas within as `%2C`. */
export interface ImportSearch {
  from?: 'records'
  platform?: AdPlatform
  apps?: string
  advertisers?: string
  terms?: string
  countries?: string
  running?: 'yes' | 'no'
  since?: string
  until?: string
  media?: string
  languages?: string
  limit?: number
}

export const importSearch = (search: Record<string, unknown>): ImportSearch =>
  compactSearch({
    from: oneOfParam(search.from, ['records']),
    platform: oneOfParam(search.platform, adPlatforms),
    apps: textParam(search.apps, 2_000),
    advertisers: textParam(search.advertisers, 2_000),
    terms: textParam(search.terms, 1_100),
    countries: textParam(search.countries, 600),
    running: oneOfParam(search.running, ['yes', 'no']),
    since: dayParam(search.since),
    until: dayParam(search.until),
    media: textParam(search.media),
    languages: textParam(search.languages),
    limit: numberParam(search.limit, 1, 10_000),
  })

export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim().replaceAll('%2C', ','))
    .filter((one) => one !== '')

export const textOf = (values: readonly string[]): string | undefined =>
  values.length === 0 ? undefined : values.map((one) => one.replaceAll(',', '%2C')).join(',')

/** The arguments of a query; undefined while it names nothing that its library can be asked for. */
export function queryOf(search: ImportSearch): PreviewArguments | undefined {
  const { platform = 'meta' } = search
  if (!isAsked(platform)) return undefined
  const subjects = searchSubjectsOf(platform)
  const takenOf = (name: AdSubject, list: string | undefined) => (subjects.includes(name) ? listOf(list) : [])
  const apps = takenOf('apps', search.apps)
  const advertiserIds = takenOf('advertiserIds', search.advertisers)
  const terms = takenOf('terms', search.terms)
  const countries = listOf(search.countries).filter((one): one is Country => isCountry(one))
  const byCountry = subjects.includes('countries') ? countries.length : 0
  if (apps.length + advertiserIds.length + terms.length + byCountry === 0) return undefined
  const languages = listOf(search.languages)
  const media = mediaTypes.filter((type) => listOf(search.media).includes(type))
  const { filters } = askedLibraryRow(platform)
  return {
    platform,
    ...(apps.length > 0 ? { apps } : {}),
    ...(advertiserIds.length > 0 ? { advertiserIds } : {}),
    ...(terms.length > 0 ? { terms } : {}),
    ...(countries.length > 0 ? { countries } : {}),
    ...(search.running ? { active: search.running === 'yes' } : {}),
    ...(search.since ? { deliveredFrom: search.since } : {}),
    ...(search.until ? { deliveredTo: search.until } : {}),
    ...(filters.includes('mediaTypes') && media.length > 0 ? { mediaTypes: media } : {}),
    ...(filters.includes('languages') && languages.length > 0 ? { languages } : {}),
    ...(search.limit === undefined ? {} : { limit: search.limit }),
  }
}

/** Limits of one request body, as in the contract. */
export const mostRecords = 1_000
const mostBytes = 1_048_576

export type PastedRecords = { records: Record<string, unknown>[] } | { problem: string }

/** Lists of ads in answers of libraries. */
const lists = ['data', 'ads', 'ad_previews', 'ad_creatives', 'results', 'searchResults']

/** Ad records as people paste them: a JSON list, an answer with its list, one record, or a record on each line. */
export function pastedRecords(text: string): PastedRecords {
  const trimmed = text.trim()
  if (trimmed === '') return { records: [] }
  if (new TextEncoder().encode(trimmed).length > mostBytes)
    return { problem: 'Larger than 1 MiB. Import larger files with rivalscope import paid-ads.' }
  const found = parsedWhole(trimmed) ?? parsedLines(trimmed)
  if ('problem' in found) return found
  const odd = found.values.findIndex((value) => !isRecord(value))
  if (odd >= 0) return { problem: `Entry ${odd + 1} is not a record: a record is a JSON object in braces.` }
  if (found.values.length > mostRecords)
    return {
      problem: `${found.values.length} records pasted; the limit is ${mostRecords}.`,
    }
  return { records: found.values as Record<string, unknown>[] }
}

function parsedWhole(text: string): { values: unknown[] } | undefined {
  try {
    const value = JSON.parse(text) as unknown
    if (Array.isArray(value)) return { values: value }
    const list = isRecord(value) && lists.map((name) => value[name]).find(Array.isArray)
    if (list) return { values: list }
    return { values: [value] }
  } catch {
    return undefined
  }
}

function parsedLines(text: string): { values: unknown[] } | { problem: string } {
  const values: unknown[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      values.push(JSON.parse(line))
    } catch {
      return { problem: `Line ${index + 1} is not valid JSON.` }
    }
  }
  return { values }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
