import { tokens } from '../../text/search-terms.ts'

/** Words by which editions of one app differ. */
export const editionWords: ReadonlySet<string> = new Set(
  'app for the hd ipad iphone ios mobile free pro plus lite premium full paid deluxe classic edition version no ads to go new'.split(
    ' ',
  ),
)

/** Share of the words of two names from which on they are one. */
const sameWords = 0.6

/** Whether two names could be of one app: they begin alike up to the first mark, and hold mostly the same words. */
export function editionNames(one: string, other: string): { alike: boolean; same: boolean } {
  const mine = wordsOf(one)
  const theirs = wordsOf(other)
  const both = [...mine].filter((word) => theirs.has(word)).length
  const all = mine.size + theirs.size - both
  const alike = [...wordsOf(brandOf(one))].join(' ') === [...wordsOf(brandOf(other))].join(' ')
  return { alike, same: alike && (all === 0 || both / all >= sameWords) }
}

/** What stands before the first mark of a name, which is the name proper, and what is said of it behind. */
export function partsOfName(name: string): { brand: string; said: string } {
  const [brand = '', ...said] = name.split(/\s[-–—|]\s|[:：|–—]/u)
  return { brand, said: said.join(' ') }
}

const brandOf = (name: string) => partsOfName(name).brand

function wordsOf(name: string): Set<string> {
  const words = tokens(name).map(({ text }) => text)
  const telling = words.filter((word) => !editionWords.has(word))
  return new Set(telling.length > 0 ? telling : words)
}
