/**
 * Tells what a dictionary leaves of Japanese and Chinese sentences when words are cut from them: forms of verbs and
 * adjectives, endings without what they end, and words that only lean on others. Nobody types them.
 */

/** Letters of Chinese origin with an ending that verbs and adjectives have, and nouns have not: 読める, 良く, 目覚め. */
const verbForm =
  /\p{Script=Han}(?:\p{Script=Hiragana}*[うくぐすずつぬふぶむるたてでばえけげせぜてねべめれ]|[かがさたなばまらわ]?(?:れ|せ|ない|たい|ます|せん|しい|しく)|しよう|しろ)$/u
const hiraganaVerb =
  /^\p{Script=Hiragana}{2,}(?:って|った|んで|んだ|する|した|して|しよう|ない|ます|れる|せる|える|よう)$/u
const suffixedVerb = /(?:する|した|して|しよう|しろ|できる|され|られ)$/u

/** What something else has to stand before. */
const endings =
  '以上 以下 以内 以外 以降 向け 放題 達 たち さん 君 様達 様 化 的 系 版 用 型 式 派 中 後 前 毎 全 陣 付き 専用 限定 つき だけ ほど など まで から より みたい らしい'.split(
    ' ',
  )
/** What cannot begin a phrase. */
const leaning = [...endings.filter((ending) => ending !== '中' && ending !== '全'), 'しか', 'さえ', 'こそ']
/** What ends no phrase either. */
const trailing = '以上 以下 以内 以外 以降 達 たち 様達 陣 だけ ほど など まで から より'.split(' ')

/** Chinese words that stand before others. */
const possessive = /^(?:你|我|您|他|她|它|我们|你们|自己)的?$|的$/u

/** @param words of a term, in their order */
export function isCut(words: readonly string[]): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (!unspaced.test(first) && !unspaced.test(last)) return false
  if (leaning.includes(first) || trailing.includes(last) || possessive.test(first)) return true
  if (trailing.some((ending) => last.length > ending.length && last.endsWith(ending) && words.length === 1))
    return true
  const whole = words.join('')
  return [verbForm, hiraganaVerb, suffixedVerb].some((form) => form.test(whole))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
