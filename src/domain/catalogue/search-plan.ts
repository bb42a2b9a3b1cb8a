import { joined, pairs, type Token, tokens } from '../../text/search-terms.ts'
import { bundleIdForm } from '../../vocabulary/ids.ts'

/** A text as the index is asked for it. */
export interface TextQuery {
  /** PostgreSQL `tsquery` text over our own terms. */
  terms: string
  /** The words and runs of unspaced script asked for, in order. */
  tokens: Token[]
}

/** Words to accept in place of one that was probably misspelt. */
export type Corrections = ReadonlyMap<string, readonly string[]>

/**
 * All tokens must occur, or in their place what two or three words are as one; the last word may be a prefix. Undefined
 * when the text holds no letter and no digit.
 */
export function textQuery(text: string, corrections: Corrections = new Map()): TextQuery | undefined {
  const asked = tokens(text)
  if (asked.length === 0) return undefined
  const apart = asked.map((token, index) => termOf(token, index === asked.length - 1, corrections)).join(' & ')
  const together = joined(asked)
  return { terms: together ? `(${apart} | ${lexeme(together)}:*)` : apart, tokens: asked }
}

function termOf(token: Token, last: boolean, corrections: Corrections): string {
  if (token.kind === 'run') {
    const found = pairs(token.text)
    return found.length === 0 ? `${lexeme(token.text)}:*` : found.map(lexeme).join(' & ')
  }
  const own = last ? `${lexeme(token.text)}:*` : lexeme(token.text)
  const others = (corrections.get(token.text) ?? []).map(lexeme)
  return others.length === 0 ? own : `(${[own, ...others].join(' | ')})`
}

/** A term quoted for a `tsquery`; terms hold letters and digits only, so there is nothing to escape. */
function lexeme(term: string): string {
  return `'${term}'`
}

/** An app named outright: by id, bundle id or App Store address. */
export type ExactReference = { storeId: string } | { bundleId: string }

/** Of the App Store alone: another address that mentions one is none. */
const address = /^(?:https?:\/\/)?(?:apps|itunes)\.apple\.com\/(?:[^?#]*\/)?id([1-9]\d{0,18})(?:[/?#]|$)/i

/** What a text names outright; undefined when it is words. */
export function exactReference(text: string): ExactReference | undefined {
  const asked = text.trim()
  const storeId = address.exec(asked)?.[1] ?? /^(?:id)?([1-9]\d{0,18})$/.exec(asked)?.[1]
  // The last few numbers of 19 digits are ids of nothing, and nothing holds them.
  if (storeId) return BigInt(storeId) < 2n ** 63n ? { storeId } : undefined
  if (bundleIdForm.test(asked)) return { bundleId: asked }
  return undefined
}
