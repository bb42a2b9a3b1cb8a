import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import type { ReportedFailure, UpstreamResponse } from '../polite/exchange.ts'
import { errorIn, nameIn } from '../polite/reported-error.ts'
import { retryAfterMs } from '../polite/retry-after.ts'
import { restMs } from './usage.ts'

/** Usage is counted over a rolling hour. */
const hourMs = 3_600_000

/**
 * Classifies an error of the Graph API, which can also come with status 200. Source: Graph API, error handling and rate
 * limits; observed answers of `ads_archive`.
 */
export function metaFailure({ bytes, headers }: UpstreamResponse): ReportedFailure | undefined {
  const error = errorIn(bytes)
  if (!error) return undefined
  const name = nameIn(error.code) ?? 'none'
  const kind = kindOf(Number(name), error)
  const said = typeof error.message === 'string' ? error.message : 'without a word'
  return {
    kind,
    code: name,
    message: `${meaning[kind] ?? 'refuses the call'}, error ${name}: ${said.slice(0, 300)}`,
    ...(kind === 'throttled' ? { retryAfterMs: waitMs(headers) } : {}),
  }
}

/** From the reported usage, else `Retry-After`, else until the whole quota is free again. */
const waitMs = (headers: Headers) =>
  restMs(headers) || (retryAfterMs(headers.get('retry-after'), new Date()) ?? hourMs)

const meaning: Partial<Record<FailureKind, string>> = {
  throttled: 'asked too often',
  'too-much': 'asked for too much at once',
  credential: 'the token has expired or is not accepted, put a new one into RIVALSCOPE_META_TOKEN',
  permission: 'the token is not allowed to read the Ad Library, its account must confirm its identity',
  unavailable: 'out of order',
}

const throttling = new Set([4, 17, 32, 613])
const credential = new Set([102, 190, 463, 467])

function kindOf(code: number, { message, is_transient }: Record<string, unknown>): FailureKind {
  if (throttling.has(code) || (code >= 80_000 && code <= 80_014)) return 'throttled'
  if (credential.has(code)) return 'credential'
  if (code === 3 || code === 10 || (code >= 200 && code <= 299)) return 'permission'
  if (code === 1 && typeof message === 'string' && /reduce the amount/i.test(message)) return 'too-much'
  return code === 1 || code === 2 || is_transient === true ? 'unavailable' : 'refused'
}
