/** A run of letters and digits with their marks, and the joiners that choose the shapes of Indian letters. */
export const wordRun =
  /[\p{L}\p{N}\p{M}]+(?:(?<=[\u0900-\u0dff])[\u200c\u200d]+[\p{L}\p{N}\p{M}]+)*(?:(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d])\u200d)?/gu

/** Scripts written without spaces, for a class of characters in a pattern; the long vowel mark belongs to Japanese. */
export const unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`
