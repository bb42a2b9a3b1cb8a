import { shown } from '../mapping/mapping.ts'
import type { Rejection } from '../parsed-payload.ts'
import { UnfitPayload } from '../unfit-payload.ts'
import { isRecord } from './ad-refusal.ts'
import { isKnownForm } from './read-ad-record.ts'

/** A record and its position in the document, such as `record 3`. */
export interface AdRow {
  position: string
  record: unknown
}

/** Levels of nesting: a list of saved answers, each with its own list. */
const deepest = 8

/**
 * The records of a document: a record itself, a list of them, an answer of a library around its list, or a list of such
 * answers. Empty for an answer without records. An unreadable answer in a list is rejected by itself.
 * @throws UnfitPayload for an error answer, and for any other document
 */
export function adRecordsIn(document: unknown): { rows: AdRow[]; rejected: Rejection[] } {
  const rows: AdRow[] = []
  const rejected: Rejection[] = []
  for (const [index, found] of recordsIn(document, 0).entries()) {
    const position = `record ${index + 1}`
    if (found instanceof Unreadable) rejected.push({ position, reason: found.reason, record: found.record })
    else rows.push({ position, record: found })
  }
  return { rows, rejected }
}

/** An answer among others that cannot be read. */
class Unreadable {
  readonly reason: string
  readonly record: unknown

  constructor(reason: string, record: unknown) {
    this.reason = reason
    this.record = record
  }
}

const unknown =
  'neither an ad, nor a list of ads, nor an answer of an ad library; other forms need a mapping: pass --map FILE'

function recordsIn(document: unknown, depth: number): unknown[] {
  if (depth > deepest) throw new UnfitPayload('answers within answers, nested too deep')
  if (Array.isArray(document))
    return document.flatMap((part) => {
      const list = isRecord(part) && !isKnownForm(part) && isAnswer(part)
      return list || Array.isArray(part) ? recordsOrWhyNot(part, depth + 1) : [part]
    })
  if (isKnownForm(document)) return [document]
  if (!isRecord(document)) throw new UnfitPayload(unknown)
  const error = errorIn(document)
  if (error) throw new UnfitPayload(error)
  const inner = listIn(document)
  if (inner === undefined) throw new UnfitPayload(unknown)
  return recordsIn(inner, depth + 1)
}

function recordsOrWhyNot(part: unknown, depth: number): unknown[] {
  try {
    return recordsIn(part, depth)
  } catch (error) {
    if (!(error instanceof UnfitPayload)) throw error
    return [new Unreadable(`unknown-form: ${error.message}`, part)]
  }
}

const isAnswer = (part: Record<string, unknown>) => errorIn(part) !== undefined || listIn(part) !== undefined

/** Keys under which answers hold their content, the innermost last. */
const wrappers = [
  'data',
  'payload',
  'ad_library_main',
  'search_results_connection',
  'edges',
  'node',
  'collated_results',
  'results',
  'ads',
  'materials',
  'items',
] as const

function listIn(document: Record<string, unknown>): unknown {
  const name = wrappers.find((wrapper) => typeof document[wrapper] === 'object' && document[wrapper] !== null)
  return name === undefined ? undefined : document[name]
}

/** The error an answer reports, whatever its status: libraries send errors with HTTP 200. */
function errorIn(document: Record<string, unknown>): string | undefined {
  const { error, errors, code } = document
  const [first] = Array.isArray(errors) ? errors : [error]
  const reported = isRecord(first) ? first : typeof error === 'string' ? { message: error } : undefined
  if (reported && reported.code !== 'ok' && reported.code !== 0)
    return refusal(reported.code ?? reported.api_error_code, reported.message ?? reported.error_user_msg)
  if (typeof code === 'number' && code !== 0) return refusal(code, document.msg ?? document.message)
  return undefined
}

const refusal = (code: unknown, message: unknown) =>
  `the library answered with an error${code === undefined ? '' : ` ${shown(code).slice(0, 40)}`}: ${shown(message ?? 'no message').slice(0, 300)}`
