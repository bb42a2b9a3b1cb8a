import { stripVTControlCharacters } from 'node:util'

/**
 * Makes untrusted text safe for a terminal: names of apps, captions and ads may contain anything. Nothing in them may move
 * the cursor, change colours or reverse the direction of a line, and the computed width of a line must be right.
 */

/** Line breaks and tabs become one space; other controls, escapes and marks that turn or hide text are left out. */
export function withoutControls(text: string): string {
  return plainLetters.test(text)
    ? text
    : stripVTControlCharacters(text.toWellFormed())
        .replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/gu, ' ')
        .replaceAll(hidden, '')
}

/** Letters that take a column each, and do nothing else. */
export const plainLetters = /^[\x20-\x7e]*$/

/** Controls, private and unassigned characters, and formatting ones but for the joiners that scripts and emoji need. */
const hidden =
  /[\p{Cc}\p{Co}\p{Cn}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
