import type { z } from 'zod'
import { categoryIdIn, hyphened, storeIdIn } from '../api/refusals.ts'
import { flatArgumentsShape } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Mends common mistakes of models and simple clients in arguments: names in another case or number, all of them inside one,
 * `null`, an empty text or an empty list for an omitted one, and the values of `meaningsOf`. Each is replaced only where it is
 * refused as given and accepted when replaced.
 * @returns undefined where nothing could be replaced
 */
export function meantArguments(operation: Operation, given: Given): Record<string, unknown> | undefined {
  const shape = flatArgumentsShape(operation).shape as Record<string, z.ZodType>
  let replaced = false
  const meant = Object.entries(unwrapped(given, shape)).flatMap(([said, value]) => {
    const name = argumentNamed(said, shape, given)
    if (name !== said || !(said in given)) replaced = true
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const found =
      field && !takes(field, value) ? (categoryOf(name, value) ?? meaningOf(value, field)) : undefined
    const isLeftOut = found === undefined && isNothing(value) && field !== undefined && takes(field, undefined)
    if (found === undefined && !(isLeftOut && !takes(field, value))) return [[name, value] as const]
    replaced = true
    return isLeftOut ? [] : [[name, found] as const]
  })
  return replaced ? Object.fromEntries(meant) : undefined
}

/** Names with commas as a list, also written as JSON; undefined for none, and anything else as it is. */
export function namesIn(given: unknown): unknown {
  if (isNothing(given)) return undefined
  if (typeof given !== 'string') return given
  return given
    .slice(0, mostLetters)
    .split(/[\s,[\]"']+/)
    .filter((name) => name !== '')
}

/** Whether a search has more words than a search usually has: it is a question or a sentence. */
export const isProse = (q: unknown): boolean =>
  typeof q === 'string' && q.trim().split(/\s+/, fewWords + 1).length > fewWords

const fewWords = 3

/** Most characters of a text that is read as a list. */
const mostLetters = 20_000

/** Names of arguments that are said for one another: each row means the same, and an operation has few of a row. */
const sameMeaning: readonly (readonly string[])[] = [
  ['q', 'query', 'term', 'terms', 'search', 'searchterm', 'searchquery', 'keyword', 'keywords', 'text', 'name'],
  ['storeId', 'app', 'appId', 'competitor', 'apps', 'appstoreid', 'trackid', 'id', 'competitorid', 'bundleid'],
  ['rivalStoreId', 'rival', 'competitor', 'competitorid', 'rivalid'],
  ['categoryId', 'category', 'genre', 'genreid'],
  ['country', 'countries', 'storefront', 'region', 'market'],
  ['from', 'publishedFrom', 'startedFrom', 'deliveredFrom', 'since', 'startdate', 'datefrom', 'after'],
  ['to', 'publishedTo', 'startedTo', 'deliveredTo', 'until', 'enddate', 'dateto', 'before'],
  ['windowDays', 'days', 'window', 'period'],
  ['archiveId', 'archiveIds', 'adid', 'id'],
  ['postId', 'id', 'post', 'url'],
  ['platform', 'network', 'source'],
  ['sort', 'sortby', 'orderby', 'order'],
  ['limit', 'count', 'size', 'pagesize', 'max', 'top', 'perpage'],
  ['cursor', 'page', 'offset', 'nextcursor'],
  ['kinds', 'kind', 'type', 'types'],
]

/** Up to three known arguments that an unknown one may stand for. */
export function argumentsNear(unknown: string, known: readonly string[]): string[] {
  const asked = plainName(unknown.slice(0, mostCompared))
  const alike = known.filter((name) => plainName(name) === asked)
  if (alike.length > 0) return alike
  const rows = sameMeaning.filter((row) => row.some((name) => plainName(name) === asked))
  return known.filter((name) => rows.some((row) => row.includes(name))).slice(0, 3)
}

/** No name of an argument or option is longer; a caller may send a megabyte. */
const mostCompared = 100

/** Without case, marks between words, and a plural. */
const plainName = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')

/** The argument of the shape that an unknown name writes in another case or number, and that is not given itself. */
function argumentNamed(said: string, shape: Readonly<Record<string, unknown>>, given: Given): string {
  if (Object.hasOwn(shape, said) || said.length > mostCompared) return said
  const asked = plainName(said)
  const alike = Object.keys(shape).filter((name) => plainName(name) === asked && !Object.hasOwn(given, name))
  return alike.length === 1 && alike[0] !== undefined ? alike[0] : said
}

/** The arguments that stand inside a single unknown one, as `{ arguments: {…} }`. */
function unwrapped(given: Given, shape: Readonly<Record<string, unknown>>): Given {
  const [[name = '', inside] = [], ...others] = Object.entries(given)
  const isWrap = others.length === 0 && !Object.hasOwn(shape, name) && wraps.has(name)
  return isWrap && typeof inside === 'object' && inside !== null && !Array.isArray(inside)
    ? (inside as Given)
    : given
}

const wraps = new Set(['arguments', 'args', 'params', 'parameters', 'input'])

const isNothing = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

const takes = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/** Apple's names of categories are known, each of one category: a name of an app can be that of several. */
const categoryOf = (name: string, value: unknown) =>
  name === 'categoryId' && typeof value === 'string' ? categoryIdIn(value) : undefined

/** What is taken of the values that a value may stand for; else the list of it, where only the value in that would be refused. */
function meaningOf(value: unknown, field: z.ZodType): unknown {
  const found = meaningsOf(value).find((one) => takes(field, one))
  if (found !== undefined || isNothing(value) || Array.isArray(value)) return found
  const { error } = field.safeParse([value])
  return error?.issues.every(({ path }) => path.length > 0) ? [value] : undefined
}

/**
 * The values that a value may stand for, the likeliest first: a text of digits for a number and the reverse, one value for a list
 * and the reverse, a list with commas or in JSON, an id in an address of the App Store, a day in a time, a word of an option
 * written with other marks, and texts for true and false.
 */
function meaningsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    const alone = value.length === 1 ? [value[0], ...singles(value[0])] : []
    return [value.map(asText), value.map(lowerCase), value.map(anotherForm), ...alone]
  }
  if (value === null || typeof value === 'object') return []
  const listed = typeof value === 'string' ? lists(value) : []
  const ones = singles(value)
  return [...ones, ...listed, [value], ...ones.map((one) => [one])]
}

/** The single values that a single value may stand for. */
function singles(value: unknown): unknown[] {
  if (typeof value === 'boolean') return [value ? 'yes' : 'no']
  if (typeof value !== 'string') return [asText(value)]
  const number = /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? [Number(value)] : []
  const truth = /^(?:true|yes)$/i.test(value) ? [true] : /^(?:false|no)$/i.test(value) ? [false] : []
  return [...number, ...truth, lowerCase(value), anotherForm(value)]
}

const lowerCase = (value: unknown) =>
  typeof value === 'string' && value.length <= mostCompared ? value.toLowerCase() : value

/** The id in an address of the App Store, the day of a time, or a word of an option in the marks of options. */
function anotherForm(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > mostLetters) return asText(value)
  const read = storeIdIn(value) ?? /^(\d{4}-\d\d-\d\d)[T ][\d:.]+/.exec(value)?.[1]
  return read ?? (value.length > mostCompared ? value : hyphened(value))
}

/** The lists that a text may be written for. */
function lists(text: string): unknown[][] {
  if (text.length > mostLetters) return []
  if (/^\s*\[/.test(text)) {
    const read = jsonList(text)
    return read ? [read, read.map(asText), read.map(lowerCase), read.map(anotherForm)] : []
  }
  const parts = text.split(',').map((part) => part.trim())
  return parts.length > 1 && !parts.includes('') ? [parts, parts.map(lowerCase), parts.map(anotherForm)] : []
}

function jsonList(text: string): unknown[] | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read : undefined
  } catch {
    return undefined
  }
}

/** Safe integers become text; any other value stays as it is. */
const asText = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : value)
