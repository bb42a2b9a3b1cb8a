/**
 * Alternatives of one pattern, by where in a text they count. They are plain phrases with the signs of regular expressions: `(a|b)` is
 * one of these, `(a )?` may be missing, `[nr]` is one of these letters. Groups capture only where they have a name, and `{price}` stands
 * for the part `price` of the table.
 */
export interface PhraseRow {
  /** Whole words, in any case, anywhere in a sentence. */
  words?: readonly string[] | undefined
  /** Whole words that begin a sentence, or what follows a comma, a colon, a dash, an emoji, "and" or "then". */
  opening?: readonly string[] | undefined
  /** Anywhere at all: scripts without spaces. */
  anywhere?: readonly string[] | undefined
  /** The same, in any case. */
  anyCase?: readonly string[] | undefined
  /** Nouns by which Korean makes requests: "확인해 보세요", "확인하러 가기", "지금 바로 확인". */
  korean?: readonly string[] | undefined
}

/** A table of phrases in src/data. */
interface PhraseTable {
  kinds: Readonly<Record<string, { says: string }>>
  parts?: Parts
  phrases: readonly (PhraseRow & { kind: string })[]
}

/** Values of `{name}` in a phrase: another phrase, or one of several. */
type Parts = Readonly<Record<string, string | readonly string[]>>

/** A pattern of a table with its kind, and what a text says by it, as a sentence. */
export interface Phrase {
  kind: string
  says: string
  pattern: RegExp
}

/** The phrases of a table, in its order. */
export const phrasesOf = ({ kinds, parts, phrases }: PhraseTable): readonly Phrase[] =>
  phrases.map((row) => {
    const says = kinds[row.kind]?.says
    if (says === undefined) throw new RangeError(`the table of phrases has no kind "${row.kind}"`)
    return { kind: row.kind, says, pattern: patternOfPhrase(row, parts) }
  })

const beginning = String.raw`(?:^[^\p{L}\p{N}]*|[,;:–—|•→-]\s+|[\p{Extended_Pictographic}\p{RI}][\uFE0F\s]{0,3}|(?<![\p{L}\p{N}])(?:and|then|und|et|ou|y|o|e|en|just|so|now|today|please)\s+)`

/** The pattern of a row. @throws RangeError for the name of a part that is not there */
export function patternOfPhrase(
  { words, opening, anywhere, anyCase, korean }: PhraseRow,
  parts: Parts = {},
): RegExp {
  const oneOf = (phrases: readonly string[]) => expanded(phrases.join('|'), parts)
  if (words) return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${oneOf(words)})(?![\p{L}\p{N}])`, 'iu')
  if (opening) return new RegExp(String.raw`${beginning}(?:${oneOf(opening)})(?![\p{L}\p{N}])`, 'iu')
  if (korean) return new RegExp(koreanRequest(oneOf(korean)), 'u')
  return new RegExp(oneOf(anywhere ?? anyCase ?? []), anyCase ? 'iu' : 'u')
}

const koreanRequest = (nouns: string) =>
  String.raw`(?:${nouns})(?:[을를]|하고|하여|해서)?\s*(?:하러|해|받으|받아|받으러|하)?\s*(?:보|가|가보|주|두)?(?:세요|십시오|시죠|봐요(?![가-힣])|기(?=\s*(?:[^가-힣\s]|$))|자(?![가-힣]))(?!\s*[?？])|지금\s*(?:바로\s*)?(?:무료로?\s*)?(?:${nouns})(?=\s*(?:하|해|[^가-힣\s]|$))`

/** Anything escaped, a class of characters, or the beginning of a group without a sign of its own. */
const groups = /\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/gu

function expanded(phrases: string, parts: Parts): string {
  const withParts = phrases.replaceAll(/\{([a-z]\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined) throw new RangeError(`the table of phrases has no part "${name}"`)
    return expanded(typeof part === 'string' ? part : `(${part.join('|')})`, parts)
  })
  return withParts.replaceAll(groups, (found) => (found === '(' ? '(?:' : found))
}
