import type { FailureKind } from '../../vocabulary/failure-kinds.ts'
import type { ReportedFailure, UpstreamResponse } from '../polite/exchange.ts'
import { nameIn, objectIn } from '../polite/reported-error.ts'

/**
 * Classifies an error of TikTok's API: an `error.code` other than "ok", which can also come with status 200, or a text in
 * `error` from the token endpoint. Source: TikTok for Developers, error handling.
 */
export function tiktokFailure({ bytes, status }: UpstreamResponse): ReportedFailure | undefined {
  const document = objectIn(bytes)
  const error = document?.error
  if (typeof error === 'string' && error !== '')
    return reported('credential', error.slice(0, 60), document?.error_description)
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message, http_status_code } = error as Record<string, unknown>
  if (code === 'ok' || code === undefined || code === 0) return undefined
  const name = nameIn(code) ?? 'none'
  return reported(kindOf(name, Number(nameIn(http_status_code)) || status), name, message)
}

const reported = (kind: FailureKind, code: string, said: unknown): ReportedFailure => ({
  kind,
  code,
  message: `${meaning[kind] ?? 'refuses the call'}, error ${code}: ${typeof said === 'string' ? said.slice(0, 300) : 'without a word'}`,
})

const meaning: Partial<Record<FailureKind, string>> = {
  throttled: 'asked too often',
  credential: 'RIVALSCOPE_TIKTOK_CLIENT_KEY and RIVALSCOPE_TIKTOK_CLIENT_SECRET are not accepted',
  permission: 'the client is not allowed to read the ad library, it needs the scope research.adlib.basic',
  unavailable: 'out of order',
}

function kindOf(code: string, status: number): FailureKind {
  if (code === 'rate_limit_exceeded' || status === 429) return 'throttled'
  if (/^scope_/.test(code) || status === 403) return 'permission'
  if (/^access_token_|^invalid_(client|grant|token)/.test(code) || status === 401) return 'credential'
  return /^(internal_error|timeout|server_)/.test(code) || status >= 500 ? 'unavailable' : 'refused'
}
