import { escapeUTF8 } from 'entities/escape'

/** Text of strangers on one line, without the characters that end it or reorder it. */
export const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()

/** Such a text as HTML, in an element or a quoted attribute. */
export const escaped = (text: string) => escapeUTF8(oneLine(text))
