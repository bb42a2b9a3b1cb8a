import { escapeUTF8 } from 'entities/escape'

/** Untrusted text on one line, without characters that end the line or reorder it. */
export const toOneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** The same as HTML, for an element or a quoted attribute. */
export const escapeHtml = (text: string) => escapeUTF8(toOneLine(text))
