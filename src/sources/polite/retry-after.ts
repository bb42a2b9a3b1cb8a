const longestMs = 3_600_000

/**
 * How long a `Retry-After` header asks to wait, in milliseconds, at most an hour: seconds or an HTTP date. Undefined
 * where there is none or it cannot be read. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const at = /^\d+$/.test(text) ? Number(text) * 1000 : dateOf(text) - now.getTime()
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, 0), longestMs)
}

/** Only dates as HTTP writes them: `Date.parse` alone also takes "7 eggs". */
const dateOf = (text: string) => (/^[A-Z][a-z]{2,8}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN)
