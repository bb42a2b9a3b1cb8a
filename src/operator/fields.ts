import { isIP } from 'node:net'
import { z } from 'zod'
import { scopes } from '../contract/scopes.ts'
import { controlCharacterPaths } from '../text/control-characters.ts'
import { didYouMeanCountry } from '../vocabulary/did-you-mean-country.ts'
import { isStoreId } from '../vocabulary/ids.ts'
import { isStorefront } from '../vocabulary/storefronts.ts'
import { Refusal } from './command.ts'
import { flag, given } from './field-help.ts'

/** Fields that several commands share. */

export const Text = z.string()

export const Storefront = z
  .string()
  .toLowerCase()
  .refine(isStorefront, {
    error: ({ input }) => `"${input}" is not a country with an App Store${didYouMeanCountry(String(input))}`,
  })

/** A storefront, or all. */
export const StorefrontOrAll = z
  .string()
  .toLowerCase()
  .refine((text) => text === 'all' || isStorefront(text), {
    error: ({ input }) => `"${input}" is not a country with an App Store${didYouMeanCountry(String(input))}`,
  })

export const GenreOrAll = z
  .string()
  .regex(/^(all|[1-9]\d{0,5})$/, { error: ({ input }) => `"${input}" is not an Apple genre id` })

export const StoreId = z.string().refine(isStoreId, {
  error: ({ input }) => `"${String(input).slice(0, 40)}" is not an App Store id`,
})

/** Maximum characters of a search text, as in HTTP and MCP. */
const longestTerm = 200

export const Term = z
  .string()
  .trim()
  .refine((term) => term !== '' && [...term].length <= longestTerm && !/\p{Cc}/u.test(term), {
    error: `a term has 1 to ${longestTerm} letters and no control characters`,
  })

export const Scope = z
  .string()
  .trim()
  .refine((scope) => scope in scopes, {
    error: ({ input }) => `"${input}" is not a scope; there are ${Object.keys(scopes).join(' and ')}`,
  })

/** An address or a range of addresses, as CIDR; what is left of the mask is all that counts. */
export const Network = z
  .string()
  .trim()
  .transform((text) => (isIP(text) === 0 ? text : `${text}/${isIP(text) === 4 ? 32 : 128}`))
  .pipe(
    z.union([z.cidrv4(), z.cidrv6()], {
      error: ({ input }) => `"${String(input).slice(0, 60)}" is no network such as 10.0.0.0/8`,
    }),
  )

const momentShape =
  /^\d{4}-\d{2}-\d{2}(T([01]\d|2[0-3]):?[0-5]\d(:?[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?$/

/** A limit, or `none`, left as text. */
export const LimitOrNone = z.string().regex(/^(none|\d{1,9})$/, {
  error: ({ input }) => `"${String(input).slice(0, 40)}" is neither a whole number nor none`,
})

/** A number of bytes, decimal units, or `none`, left as text; see `bytesIn`. */
export const BytesOrNone = z.string().regex(/^(none|\d{1,12}(\.\d{1,3})?\s?(B|kB|MB|GB|TB)?)$/i, {
  error: ({ input }) => `"${String(input).slice(0, 40)}" is neither a number of bytes such as 5GB nor none`,
})

/** A date, `YYYY-MM-DD`. */
export const Day = z.iso.date({
  error: ({ input }) => `"${String(input).slice(0, 40)}" is no date such as 2026-11-22`,
})

/** An ISO week, `YYYY-Www`. */
export const IsoWeek = z.string().regex(/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/, {
  error: ({ input }) => `"${String(input).slice(0, 40)}" is no week such as 2026-W47`,
})

/** A date or an RFC 3339 time, left as text. */
export const Moment = z
  .string()
  .refine(isMoment, { error: ({ input }) => `"${input}" is no date or RFC 3339 time` })

function isMoment(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return momentShape.test(text) && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** An encoding of text, by a label of WHATWG's Encoding Standard. */
export const Encoding = z.string().refine(isEncoding, {
  error: ({ input }) =>
    `"${String(input).slice(0, 40)}" is no encoding such as windows-1252, utf-16le or shift_jis`,
})

function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** An http or https address. */
export const WebAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** Texts that will be printed, here and elsewhere. @throws Refusal that names the first with control characters */
export function expectPrintable(texts: Record<string, string | undefined>): void {
  const [first] = controlCharacterPaths(texts)
  if (first) throw new Refusal(`The ${first[0]} holds control characters or half a letter.`)
}

export const jsonFlag = flag('as JSON')
export const jsonSummaryFlag = flag('end with a summary in JSON')
export const appArgument = given('<app>', 'App Store id, bundle id or App Store address', Text)
