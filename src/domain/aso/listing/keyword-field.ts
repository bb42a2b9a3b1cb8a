import type { TextLimit } from './audited-text.ts'

/**
 * What the keyword field takes, the stricter first. Apple says both: its help for App Store Connect "100 bytes", its page on
 * product pages "100 characters". Fields of 100 characters and more bytes are reported to be taken, and nobody reports one of 100
 * bytes to be refused.
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

/** Terms as the keyword field would hold them. */
export interface KeywordFieldUse {
  /** With the commas between terms; bytes of UTF-8. */
  characters: number
  bytes: number
  /** Those that are taken only if the limit counts characters: the last ones. */
  beyondBytes: string[]
}

/** How much of the keyword field terms would use, in their order. */
export function keywordFieldUse(terms: readonly string[]): KeywordFieldUse {
  const [sure] = keywordFieldLimits
  const bytesOf = (some: readonly string[]) => Buffer.byteLength(some.join(','))
  return {
    characters: [...terms.join(',')].length,
    bytes: bytesOf(terms),
    beyondBytes: terms.filter((_, index) => bytesOf(terms.slice(0, index + 1)) > sure.most),
  }
}

/** Whether the keyword field is reported to take terms. */
export const mayFit = (terms: readonly string[]): boolean =>
  keywordFieldUse(terms).characters <= keywordFieldLimits[1].most
