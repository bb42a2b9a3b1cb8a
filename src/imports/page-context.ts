import { basename } from 'node:path'
import { type StatedTime, statedTime, timeInName } from '../ingest/times.ts'
import { mostResults } from '../suppliers/apple/clients.ts'
import { longestTerm, normaliseTerm, type TermRefusal, termRefusalOf } from '../text/keyword-term.ts'
import { didYouMeanCountry } from '../vocabulary/did-you-mean-country.ts'
import type { TimeBasis } from '../vocabulary/provenance.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import type { CaptureRow } from './captures-table.ts'
import type { ImportRequest } from './import-request.ts'
import { valuesFromFileName } from './read-piece.ts'

/** What is known of a saved result page besides its places. */
export interface PageContext {
  /** Normalised. */
  term: string
  country: string
  captured: StatedTime
  timeBasis: TimeBasis
  /** `bounds`: captured at `captured` or later, according to a captures table; with the upper bound where it has one. */
  bounds?: { notAfter?: Date }
  requested?: number
}

const refusals: Record<TermRefusal, string> = {
  empty: 'holds nothing',
  'no-letters': 'holds no letter and no digit',
  'too-long': `has over ${longestTerm} letters`,
}

/**
 * Merges the command, its mapping, a captures table, the file name and what the page says itself, in this order of precedence; or the
 * reason why that is not enough.
 */
export function pageContext(
  file: string,
  request: ImportRequest,
  row: CaptureRow | undefined,
  own?: { term: string | undefined; country: string | undefined },
): PageContext | string {
  const name = basename(file)
  const { mapping } = request
  const mapped = mapping ? { ...valuesFromFileName(mapping, name), ...mapping.constants } : {}
  const named = namedPage(name)

  const country = (
    request.country ??
    reported(mapped.country) ??
    row?.country ??
    named?.country ??
    own?.country ??
    'us'
  ).toLowerCase()
  if (!isStorefront(country)) return `"${country}" is not an App Store country${didYouMeanCountry(country)}`

  const asked = request.term ?? reported(mapped.term) ?? row?.term ?? named?.term ?? own?.term
  if (asked === undefined)
    return 'nothing tells which term was searched: pass --term, a mapping or a captures table'
  const term = normaliseTerm(asked, country)
  const refusal = termRefusalOf(term)
  if (refusal) return `the term "${[...asked].slice(0, 100).join('')}" ${refusals[refusal]}`

  const requested = request.requested ?? (mapped.requested === undefined ? undefined : Number(mapped.requested))
  if (requested !== undefined && !(Number.isInteger(requested) && requested >= 1 && requested <= mostResults))
    return `requested is not a whole number from 1 to ${mostResults}`

  const time = timeOf(request, mapped.capturedAt, mapping?.constants.capturedAt !== undefined, row, name)
  if (typeof time === 'string') return time
  return { term, country, ...time, ...(requested === undefined ? {} : { requested }) }
}

const reported = (text: string | undefined) => (text?.trim() ? text : undefined)

/**
 * File names as collectors write them: `search_chat_us_2022-03-04…`, `search-us-chat-2022-03-04…`. A term that contains the
 * separator is ambiguous, and the name is not used; `+` and `%20` are spaces, as in an address.
 */
function namedPage(name: string): { term: string; country: string } | undefined {
  const parts =
    /^search_(?<term>[^_]+)_(?<country>[a-z]{2})_\d{4}-\d{2}-\d{2}/i.exec(name) ??
    /^search-(?<country>[a-z]{2})-(?<term>[^-]+)-\d{4}-\d{2}-\d{2}/i.exec(name)
  const { term, country } = parts?.groups ?? {}
  if (term === undefined || country === undefined) return undefined
  try {
    return { term: decodeURIComponent(term.replaceAll('+', ' ')), country }
  } catch {
    return undefined
  }
}

type Time = Pick<PageContext, 'captured' | 'timeBasis' | 'bounds'>

function timeOf(
  request: ImportRequest,
  mapped: string | undefined,
  isConstant: boolean,
  row: CaptureRow | undefined,
  name: string,
): Time | string {
  if (request.observedAt) return pointIn(request.observedAt, 'stated')
  if (reported(mapped)) return pointIn(mapped ?? '', isConstant ? 'stated' : 'file-name')
  if (row?.capturedAt) return pointIn(row.capturedAt, 'stated')
  if (row?.capturedNotBefore) return boundsIn(row.capturedNotBefore, row.capturedNotAfter)
  const inName = timeInName(name)
  return inName
    ? { captured: inName, timeBasis: 'file-name' }
    : 'nothing tells when it was captured: pass --observed-at or a captures table, or put the date into the file name'
}

function pointIn(text: string, timeBasis: TimeBasis): Time | string {
  const captured = statedTime(text)
  return captured ? { captured, timeBasis } : `"${text}" is no date or RFC 3339 time`
}

function boundsIn(notBefore: string, notAfter: string | undefined): Time | string {
  const captured = statedTime(notBefore)
  if (!captured) return `capturedNotBefore "${notBefore}" is no date or RFC 3339 time`
  if (notAfter === undefined) return { captured, timeBasis: 'stated', bounds: {} }
  const latest = statedTime(notAfter)
  if (!latest) return `capturedNotAfter "${notAfter}" is no date or RFC 3339 time`
  const end = latest.day ? new Date(latest.at.getTime() + 86_400_000 - 1) : latest.at
  return end < captured.at
    ? `capturedNotBefore ${notBefore} lies after capturedNotAfter ${notAfter}`
    : { captured, timeBasis: 'stated', bounds: { notAfter: end } }
}
