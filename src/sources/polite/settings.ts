import { z } from 'zod'

const BaseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .regex(/^[^\s\0]*$/, 'must hold no blanks')
  .regex(/^[^@?#]*$/, 'must hold no credentials, query or fragment')

const Headers = z
  .record(z.string(), z.string())
  .refine(
    (headers) => Object.entries(headers).every(isHeader),
    'must be HTTP headers, and none of the connection',
  )

/** Headers that describe one request, not the caller: the HTTP client sets them. */
const ofTheConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

function isHeader([name, value]: [string, string]): boolean {
  // An import would load the whole HTTP client with every command.
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http')
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return !ofTheConnection.has(name.toLowerCase())
  } catch {
    return false
  }
}

const minutesADay = 1_440

/** Settings of one upstream in a configuration file; each may be left out. */
export const SourceOptions = z.strictObject({
  baseUrl: BaseUrl,
  /** Sent with every call; headers that a call needs override them. */
  headers: Headers,
  /** 0 for no pace; else at least one a day, since a call waits for its turn up to a day. */
  callsPerMinute: z
    .number()
    .min(0)
    .max(6_000)
    .refine((calls) => calls === 0 || calls >= 1 / minutesADay, 'must be 0, or one call a day at least'),
  /** Limit for one whole answer, without the wait for the rate limiter. */
  timeoutSeconds: z.number().positive().max(600),
  /** Limit after decompression. */
  maxBytes: z
    .number()
    .int()
    .min(1_000)
    .max(256 * 1024 * 1024),
  /** Most attempts of one call. */
  attempts: z.number().int().min(1).max(10),
})

/** The settings for asking one upstream. */
export interface SourceSettings extends z.output<typeof SourceOptions> {
  /** The name of its rate limit; its own, unless it shares one with another upstream. */
  pace: string
}
