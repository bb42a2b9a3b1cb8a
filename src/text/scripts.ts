/** A run of letters and digits with their marks. */
export const wordRun = /[\p{L}\p{N}\p{M}]+/gu

/** Scripts written without spaces, for a class of characters in a pattern; the long vowel mark belongs to Japanese. */
export const unspacedScripts = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー`
