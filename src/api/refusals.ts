import type { z } from 'zod'
import { genreIdByName } from '../domain/catalogue/genres.ts'
import { exactReference } from '../domain/catalogue/search-plan.ts'
import { searchVolumeHint } from '../vocabulary/search-volume.ts'
import { refuseInput } from './problem.ts'

/** The App Store id in a text that is one, `id` and one, or an App Store address; undefined for any other text. */
export function storeIdIn(text: string): string | undefined {
  const reference = text.length > longestReference ? undefined : exactReference(text)
  return reference && 'storeId' in reference ? reference.storeId : undefined
}

const longestReference = 500

/** The id of the category that a text names, such as `Finance`; undefined for any other text. */
export function categoryIdIn(text: string): string | undefined {
  const id = text.length > mostRepeated ? undefined : genreIdByName(text)
  return id === undefined ? undefined : String(id)
}

/**
 * Refuses a text that names no app.
 * @throws always
 */
export function refuseAppReference(pointer: string, text: string): never {
  return refuseInput([
    {
      pointer,
      message: `must be an App Store id, a bundle id or an App Store address; ${searchFor(text)}`,
    },
  ])
}

/** Most characters of a given text that a refusal repeats. */
const mostRepeated = 60

const searchFor = (text: string) =>
  /^\w+:\/\//.test(text)
    ? 'only apps of the App Store are known here'
    : `call search_competitors with q=${JSON.stringify(text.slice(0, mostRepeated).toWellFormed())} for it`

/**
 * What is wrong with a value and how to mend it, in one line.
 * @param name the field of the request that holds it
 */
export function refusalOf(issue: z.core.$ZodIssue, given: unknown, name: string): string {
  const words =
    given === undefined ? missing(issue) : sayings.test(issue.message) ? plain(issue, given) : issue.message
  return `${words}${mendOf(issue, given, name, words)}`
}

/** How the words of the library for schemas begin; the contract's own do not. */
const sayings = /^(?:Invalid|Too|Unrecognized) /

const missing = (issue: z.core.$ZodIssue) =>
  issue.code === 'invalid_value' ? `is missing: ${oneOf(issue.values)}` : 'is missing'

function plain(issue: z.core.$ZodIssue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds.get(issue.expected) ?? issue.expected
      if (Array.isArray(given) && issue.expected !== 'object')
        return `must be ${kind}, not a list: call once for each`
      const number =
        numeric.has(issue.expected) && /^\D{0,3}(\d{1,9}(?:\.\d{1,9})?)\D{0,20}$/.exec(String(given))?.[1]
      return number ? `must be ${kind}; did you mean ${number}?` : `must be ${kind}`
    }
    case 'too_big':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at most ${issue.maximum}`
      if (issue.origin === 'array')
        return `has ${lengthOf(given)} entries; at most ${issue.maximum} are taken in one call`
      return `has ${lengthOf(given)} characters; at most ${issue.maximum} are taken`
    case 'too_small':
      if (issue.origin === 'number' || issue.origin === 'int') return `must be at least ${issue.minimum}`
      return lengthOf(given) === 0 ? 'must not be empty' : `must have at least ${issue.minimum}`
    case 'invalid_value':
      return `must be ${oneOf(issue.values)}${Array.isArray(given) ? ', not a list' : ''}`
    case 'invalid_format':
      if (issue.format === 'date')
        return `must be a date such as ${new Date().toISOString().slice(0, 10)}, which is today in UTC`
      return issue.message
    default:
      return issue.message
  }
}

const kinds: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
])

const numeric = new Set(['number', 'int'])

const lengthOf = (given: unknown) => (typeof given === 'string' || Array.isArray(given) ? given.length : 0)

const oneOf = (values: readonly unknown[]) =>
  values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`

/** The operation that tells an id, by the name of the field that takes it. */
const toldBy: ReadonlyMap<string, string> = new Map([
  ['storeId', 'search_competitors'],
  ['rivalStoreId', 'search_competitors'],
  ['appId', 'list_aso_apps'],
  ['rivalOf', 'list_aso_apps'],
  ['keywordId', 'get_aso_workstation'],
  ['archiveId', 'search_paid_ads'],
  ['archiveIds', 'search_paid_ads'],
  ['advertiserId', 'admin_search_paid_ad_advertisers'],
  ['advertiserIds', 'admin_search_paid_ad_advertisers'],
  ['postId', 'search_organic_content'],
  ['categoryId', 'list_competitor_categories'],
  ['runId', 'the call that started the run'],
])

/** Values that people and programs say for others, where the other is one of those taken. */
const saidFor: ReadonlyMap<string, string> = new Map([
  ['facebook', 'meta'],
  ['instagram', 'meta'],
  ['twitter', 'x'],
  ['competitor', 'rival'],
  ['mine', 'own'],
])

/** A suffix of a refusal; empty where the words before say enough. */
function mendOf(issue: z.core.$ZodIssue, given: unknown, name: string, words: string): string {
  if (issue.code === 'invalid_value' && typeof given === 'string') {
    const near = nearValue(given, issue.values.map(String))
    if (near) return `; did you mean "${near}"?`
    const hint = searchVolumeHint(given)
    if (hint) return hint
  }
  if (name === 'country' || name === 'countries')
    return words.includes('did you mean') ? '' : '; give one code such as us or de'
  if (name === 'categoryId' && typeof given === 'string') {
    const id = categoryIdIn(given)
    if (id !== undefined) return `; did you mean "${id}"?`
  }
  if (/^(?:q|query|term)$/.test(name) && issue.code === 'too_big') return '; give the few words to look for'
  if (/toreId$/.test(name) && typeof given === 'string' && given !== '') return `; ${searchFor(given)}`
  const tool = toldBy.get(name)
  return tool ? `; ${tool} gives it` : ''
}

/** The value that is written otherwise, that is said otherwise, or the only one that has the word; undefined for none. */
function nearValue(given: string, values: readonly string[]): string | undefined {
  const text = hyphened(given.slice(0, mostRepeated))
  const said = saidFor.get(text)
  if (values.includes(text)) return text
  if (said !== undefined && values.includes(said)) return said
  const having = values.filter((value) => value.split('-').includes(text))
  return having.length === 1 ? having[0] : undefined
}

/** In lower case with hyphens between words: `topFree`, `top_free` and `Top Free` are `top-free`. */
export const hyphened = (text: string): string =>
  text
    .trim()
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1-')
    .replaceAll(/[\s_-]+/g, '-')
    .toLowerCase()
