/**
 * Recognises fragments that a dictionary produces when it splits Japanese and Chinese sentences: forms of verbs and
 * adjectives, suffixes without their word, and words that only depend on others. Nobody types them.
 */

/** Han characters with an ending of verbs and adjectives that nouns do not have: 読める, 良く, 目覚め. */
const verbForm =
  /\p{Script=Han}(?:\p{Script=Hiragana}*[うくぐすずつぬふぶむるたてでばえけげせぜてねべめれ]|[かがさたなばまらわ]?(?:れ|せ|ない|たい|ます|せん|しい|しく)|しよう|しろ)$/u
const hiraganaVerb =
  /^\p{Script=Hiragana}{2,}(?:って|った|んで|んだ|する|した|して|しよう|ない|ます|れる|せる|える|よう)$/u
const suffixedVerb = /(?:する|した|して|しよう|しろ|できる|され|られ)$/u

/** Suffixes, which need a word before them. */
const endings =
  '以上 以下 以内 以外 以降 向け 放題 達 たち さん 君 様達 様 化 的 系 版 用 型 式 派 中 後 前 毎 全 陣 付き 専用 限定 つき だけ ほど など まで から より みたい らしい'.split(
    ' ',
  )
/** Words that cannot begin a phrase. */
const leaning = [...endings.filter((ending) => ending !== '中' && ending !== '全'), 'しか', 'さえ', 'こそ']
/** Suffixes that cannot end a phrase either. */
const trailing = '以上 以下 以内 以外 以降 達 たち 様達 陣 だけ ほど など まで から より'.split(' ')

/** Chinese determiners, which need a word after them. */
const possessive = /^(?:你|我|您|他|她|它|我们|你们|自己)的?$|的$/u

/** Whether the words of a term are a fragment. @param words in their order */
export function isFragment(words: readonly string[]): boolean {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (!unspaced.test(first) && !unspaced.test(last)) return false
  if (leaning.includes(first) || trailing.includes(last) || possessive.test(first)) return true
  if (trailing.some((ending) => last.length > ending.length && last.endsWith(ending) && words.length === 1))
    return true
  const whole = words.join('')
  return [verbForm, hiraganaVerb, suffixedVerb].some((form) => form.test(whole))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
