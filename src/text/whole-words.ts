/**
 * A word of a script without spaces. The runtime's dictionary splits too often, since it does not know most words in
 * Hiragana, short ones in Katakana, and Chinese words of two letters that are words alone too: such pieces are joined again.
 */
export interface Part {
  text: string
  /** Whether a phrase may continue across the boundary before it. */
  joins: boolean
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

const hiragana = /^\p{Script=Hiragana}+$/u
const katakana = /^[\p{Script=Katakana}ー]+$/u
const han = /^\p{Script=Han}+$/u
const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Shorter Katakana is rarely a word. */
const shortestKatakana = 3

/** Hiragana that stand between words, or end one, and never begin the next. */
const particles = new Set(
  'の を が に は と で も や へ か な ね よ し て た から まで より だけ ほど など なら って です ます する した して できる ある いる なる これ それ あなた みんな'.split(
    ' ',
  ),
)
/** Chinese characters that are words alone and never part of another. */
const functionLetters = new Set('的了和与及在是也都就把被让给对从到等我你您他她它们这那每将更无不'.split(''))
/** Characters that end words and are wrongly split from them. */
const endings = new Set('簿帳帐器力性者化機机系局店館馆室券版表歴历録录員员圏圈症型術术族'.split(''))

/** The words of a run of a script without spaces. */
export function wholeWords(run: string): Part[] {
  const japanese = kana.test(run)
  const joined: string[] = []
  for (const { segment } of segmenter.segment(run)) {
    const before = joined.at(-1)
    if (before !== undefined && belongTogether(before, segment)) joined[joined.length - 1] = before + segment
    else joined.push(segment)
  }
  const words = lettersTogether(joined)
  return words.map((text, index) => ({
    text,
    joins: japanese || !(isLetter(text) || (index > 0 && isLetter(words[index - 1] ?? ''))),
  }))
}

const isLetter = (text: string) => han.test(text) && [...text].length === 1

function belongTogether(before: string, next: string): boolean {
  if (hiragana.test(next) && !particles.has(next))
    return (hiragana.test(before) && !particles.has(before)) || (isLetter(before) && [...next].length === 1)
  if (katakana.test(before) && katakana.test(next))
    return Math.min([...before].length, [...next].length) < shortestKatakana
  return endings.has(next) && (han.test(before) || katakana.test(before)) && [...before].length > 1
}

/** Two or three adjacent single letters are one word; more of them are words of two. */
function lettersTogether(parts: readonly string[]): string[] {
  const words: string[] = []
  const letters: string[] = []
  const end = () => {
    while (letters.length > 0) words.push(letters.splice(0, letters.length === 3 ? 3 : 2).join(''))
  }
  for (const part of parts) {
    if (isLetter(part) && !functionLetters.has(part)) letters.push(part)
    else {
      end()
      words.push(part)
    }
  }
  end()
  return words
}
