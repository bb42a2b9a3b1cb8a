/** The share of the quota at which requests stop. */
const fullAt = 80
const minuteMs = 60_000
/** The hold where Meta names no end: usage is counted over a rolling hour. */
const quietMs = 15 * minuteMs
const longestMs = 24 * 60 * minuteMs

/**
 * How long to hold requests to Meta, in milliseconds, from the usage in its headers; 0 when it may be asked. Never throws,
 * whatever the headers contain. Source: Graph API, rate limits.
 */
export function restMs(headers: Headers): number {
  const businesses = Object.values(objectIn(headers.get('x-business-use-case-usage')))
  const uses = [...businesses.flat(), objectIn(headers.get('x-app-usage'))]
  return Math.max(0, ...uses.map(restOfUse))
}

function restOfUse(use: unknown): number {
  if (typeof use !== 'object' || use === null) return 0
  const { call_count, total_cputime, total_time, estimated_time_to_regain_access } = use as Record<
    string,
    unknown
  >
  if (Math.max(...[call_count, total_cputime, total_time].map(numberOf)) < fullAt) return 0
  const minutes = numberOf(estimated_time_to_regain_access)
  return Math.min(minutes > 0 ? minutes * minuteMs : quietMs, longestMs)
}

const numberOf = (value: unknown) => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : 0
  return Number.isFinite(number) ? Math.max(0, number) : 0
}

function objectIn(header: string | null): object {
  try {
    const value: unknown = JSON.parse(header ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
