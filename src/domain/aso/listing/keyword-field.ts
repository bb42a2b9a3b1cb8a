import type { TextLimit } from './audited-text.ts'

/**
 * The limits of the keyword field, the stricter first. Apple states both: its help for App Store Connect "100 bytes", its
 * page on product pages "100 characters". Fields of 100 characters and more bytes are reported to be accepted, and nobody
 * reports a field of 100 bytes to be refused.
 */
export const keywordFieldLimits = [
  {
    most: 100,
    unit: 'bytes',
    standing: 'sure',
    source: 'https://developer.apple.com/help/app-store-connect/reference/platform-version-information',
  },
  {
    most: 100,
    unit: 'characters',
    standing: 'reported',
    source: 'https://developer.apple.com/app-store/product-page/',
  },
] as const satisfies readonly TextLimit[]

/** The length of terms in the keyword field. */
export interface KeywordFieldUse {
  /** Including the commas between terms; bytes of UTF-8. */
  characters: number
  bytes: number
  /** The last terms, which are accepted only if the limit counts characters. */
  beyondBytes: string[]
}

/** The length of terms in the keyword field, in their order. */
export function keywordFieldUse(terms: readonly string[]): KeywordFieldUse {
  const [sure] = keywordFieldLimits
  const bytesOf = (some: readonly string[]) => Buffer.byteLength(some.join(','))
  return {
    characters: [...terms.join(',')].length,
    bytes: bytesOf(terms),
    beyondBytes: terms.filter((_, index) => bytesOf(terms.slice(0, index + 1)) > sure.most),
  }
}

/** Whether terms are within the larger reported limit of the keyword field. */
export const mayFit = (terms: readonly string[]): boolean =>
  keywordFieldUse(terms).characters <= keywordFieldLimits[1].most
