import type { Cell } from './blocks.ts'
import { noValueMarks } from './marks.ts'
import { amount, bytes, day, money, number, percent, seconds } from './numbers.ts'

/** A JSON value of a reply. */
export type Json = unknown
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Any value of a reply on one line: facts by their state, numbers, money and dates as people write them.
 * @param name the field, which decides whether a number is a share, a count or a size in bytes
 */
export function cellOf(value: Json, name = ''): Cell {
  if (value === null || value === undefined) return { text: '' }
  if (typeof value === 'string') return { text: inWords(value, name) }
  if (typeof value === 'number') return { text: numberOf(value, name), number: true }
  if (typeof value === 'boolean') return { text: value ? 'yes' : 'no' }
  if (Array.isArray(value)) return listCell(value, name)
  if (!isObject(value)) return { text: '' }
  if (typeof value.state === 'string') return stateCell(value, name)
  return { text: thing(value), ...numeric(value), ...(typeof value.rank === 'number' ? { whole: true } : {}) }
}

const numeric = (value: JsonObject) => ('relation' in value || 'amount' in value ? { number: true } : {})

/** A fact, a rank, a change, an estimate or a statement, by its state. */
function stateCell(value: JsonObject, name: string): Cell {
  switch (value.state) {
    case 'not-measured':
      return notMeasured(String(value.reason))
    case 'absent':
      return typeof value.depth === 'number' && value.depth > 0
        ? { text: `>${number(value.depth)}`, tone: 'quiet', number: true, mark: 'beyond' }
        : {
            text: '–',
            tone: 'quiet',
            mark: 'absent',
            ours: true,
            ...(isNumberName(name) ? { number: true } : {}),
          }
    case 'estimated': {
      const cell = 'mid' in value ? estimate(value) : cellOf(value.value, name)
      return { ...cell, text: `${noValueMarks.estimated?.mark}${cell.text}`, mark: 'estimated' }
    }
    case 'entered':
      return { text: '▲ in', tone: 'good', number: true }
    case 'left':
      return { text: '▼ out', tone: 'bad', number: true }
    case 'read':
      return Array.isArray(value.items) ? listCell(value.items, name) : { text: String(value.statement ?? '') }
    default:
      if ('places' in value) return rankChangeCell(Number(value.places))
      if (value.relation === 'at-least') return { text: thing(value), number: true }
      return cellOf(value.value, name)
  }
}

export function notMeasured(reason: string): Cell {
  return {
    text: noValueMarks[reason]?.mark ?? '?',
    tone: 'warning',
    number: true,
    mark: reason,
  }
}

/** A change of rank. */
export function rankChangeCell(places: number): Cell {
  if (places === 0) return { text: '=', tone: 'quiet', number: true }
  return places > 0
    ? { text: `▲${number(places)}`, tone: 'good', number: true }
    : { text: `▼${number(-places)}`, tone: 'bad', number: true }
}

function estimate({ low, mid, high, currency }: JsonObject): Cell {
  const shown = (value: Json) => amount(Number(value), typeof currency === 'string' ? currency : undefined)
  return { text: `${shown(mid)} (${shown(low)} to ${shown(high)})`, number: true }
}

/** The items of a list on one line, each by its name or text. */
function listCell(list: readonly Json[], name: string): Cell {
  const textOf = (one: Json) => (isObject(one) && !('state' in one) ? thing(one) : cellOf(one, name).text)
  return { text: list.map(textOf).join(', ') }
}

/** A nested object on one line, by its name or text. */
function thing(value: JsonObject): string {
  if (typeof value.amount === 'number') return money(value.amount, String(value.currency))
  if (typeof value.relation === 'string')
    return `${number(Number(value.value))}${value.relation === 'at-least' ? '+' : ''}`
  if (typeof value.term === 'string') return value.term
  if (typeof value.most === 'number') return `${number(value.most)} ${value.unit}`
  if (typeof value.surface === 'string' && 'observedAt' in value) return evidenceText(value)
  if ('storeId' in value) return `${value.name ?? 'app'} (${value.storeId})`
  if (typeof value.rank === 'number') return `${value.rank} on ${value.date}`
  for (const name of ['name', 'detail', 'text', 'statement', 'status', 'kind'])
    if (typeof value[name] === 'string') return String(value[name])
  return Object.entries(value)
    .filter(([, inside]) => inside !== null)
    .map(([name, inside]) => `${fieldLabelOf(name)} ${cellOf(inside, name).text}`)
    .join(', ')
}

/** The source and time of an observation. */
export function evidenceText(evidence: JsonObject): string {
  const { surface, country, observedAt, origin } = evidence
  const where = typeof country === 'string' ? `, ${country}` : ''
  const how = origin === 'imported' ? ', imported' : origin === 'sample' ? ', made up' : ''
  return `${surface}${where}, ${day(String(observedAt))}${how}`
}

/** Whether a text is a timestamp of a reply. */
export const isTime = (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)

/** Codes such as `not-kept` read better with spaces; names and texts stay as they are. */
function inWords(text: string, name: string): string {
  if (isTime(text)) return day(text)
  if (name === 'handle') return `@${text}`
  return codes.has(name) ? text.replaceAll('-', ' ') : text
}

const codes = new Set([
  'status',
  'standing',
  'nameMatch',
  'transcriptState',
  'analysisState',
  'foundIn',
  'state',
])

const shares = /^(coverage|engagementRate|medianEngagementRate|confidence|strength|weight)$/

function numberOf(value: number, name: string): string {
  if (shares.test(name)) return percent(value)
  if (/bytes$/i.test(name)) return bytes(value)
  if (/seconds$/i.test(name)) return seconds(value)
  if (name === 'rating' || name === 'ratingCurrentVersion') return value.toFixed(2)
  if (name === 'outlierScore') return `${number(value)}×`
  return number(value)
}

const isNumberName = (name: string) =>
  shares.test(name) ||
  /(bytes|seconds|count|rating|score|views|likes|comments|shares|saves|followers|difficulty|price|rank|over\d+Days?)$/i.test(
    name,
  )

const labels: Record<string, string> = {
  storeId: 'store id',
  namedIn: 'named in',
  appId: 'app id',
  keywordCount: 'keywords',
  daysRunning: 'days',
  over1Day: '1 day',
  over7Days: '7 days',
  over30Days: '30 days',
  deliveryStartedOn: 'started',
  deliveryEndedOn: 'ended',
  updatedAt: 'updated',
  releasedAt: 'released',
  publishedAt: 'published',
  outlierScore: 'outlier',
}

/** The name of a field, or a path to one, as people read it. */
export function fieldLabelOf(name: string): string {
  const known = labels[name]
  if (known) return known
  const words = name
    .replaceAll(/\.value\b/g, '')
    .replaceAll('.', ' ')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('-', ' ')
    .toLowerCase()
  return words.replace(/ at$/, '').replace(/ url$/, ' address')
}
