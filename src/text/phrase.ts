/** A phrase in the tables of the local analyser, with its kind. */
export interface Phrase<Kind extends string = string> {
  kind: Kind
  pattern: RegExp
}

/** Whole words, in any case, anywhere in a sentence. */
export const words = (alternatives: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${oneLine(alternatives)})(?![\p{L}\p{N}])`, 'iu')

/** Whole words that begin a sentence, or what follows a comma, a colon, a dash, an emoji, "and" or "then". */
export const opening = (alternatives: string): RegExp =>
  new RegExp(
    String.raw`(?:^[^\p{L}\p{N}]*|[,;:–—|•→-]\s+|[\p{Extended_Pictographic}\p{RI}][\uFE0F\s]{0,3}|(?<![\p{L}\p{N}])(?:and|then|und|et|ou|y|o|e|en|just|so|now|today|please)\s+)(?:${oneLine(alternatives)})(?![\p{L}\p{N}])`,
    'iu',
  )

/** Anywhere at all: scripts without spaces. */
export const unspaced = (alternatives: string): RegExp => new RegExp(oneLine(alternatives), 'u')

/** Tables are written over several lines; a line break is not part of a phrase. */
const oneLine = (alternatives: string) => alternatives.replaceAll(/\s*\n\s*/g, '')
