const longestMs = 3_600_000

/**
 * The wait of a `Retry-After` header in milliseconds, at most an hour. Accepts seconds or an HTTP date. Undefined where
 * there is none or it is invalid. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(header: string | null, now: Date): number | undefined {
  const text = header?.trim() ?? ''
  const at = /^\d+$/.test(text) ? Number(text) * 1000 : dateOf(text) - now.getTime()
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at, 0), longestMs)
}

/** Only dates in the format of HTTP: `Date.parse` alone also accepts "7 eggs". */
const dateOf = (text: string) => (/^[A-Z][a-z]{2,8}, .*GMT$/.test(text) ? Date.parse(text) : Number.NaN)
