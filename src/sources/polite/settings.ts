import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'

const BaseUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).refine((address) => {
  const url = URL.parse(address)
  return url === null || url.username + url.password + url.search + url.hash === ''
}, 'must hold no credentials, query or fragment')

const Headers = z
  .record(z.string(), z.string())
  .refine((headers) => Object.entries(headers).every(isHeader), 'must be HTTP headers')

function isHeader([name, value]: [string, string]): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** Settings of one upstream as an operator writes them; each may be left out. */
export const SourceOptions = z.strictObject({
  baseUrl: BaseUrl,
  /** Sent with every call, before what the call itself needs. */
  headers: Headers,
  /** 0 for no pace. */
  callsPerMinute: z.number().min(0).max(6_000),
  /** For one whole answer, the last byte included, without the wait for a turn. */
  timeoutSeconds: z.number().positive().max(600),
  /** After decompression. */
  maxBytes: z
    .number()
    .int()
    .min(1_000)
    .max(256 * 1024 * 1024),
  /** How often one call is tried in all. */
  attempts: z.number().int().min(1).max(10),
})

/** How one upstream is asked. */
export interface SourceSettings extends z.output<typeof SourceOptions> {
  /** The name whose turns it takes; its own, unless it shares them with another. */
  pace: string
}
