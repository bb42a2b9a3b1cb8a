import { nameMatcher } from '../../../text/known-names.ts'
import { tokens } from '../../../text/search-terms.ts'
import { roundHalfUp } from './formulas.ts'

export const relevanceFormula = 'relevance/1'

/** The texts of a listing that say what an app is for; null or undefined where there is none. */
export interface ListingTexts {
  name: string
  subtitle?: string | null | undefined
  description?: string | null | undefined
}

/** Weight of a word, and of the whole term as a phrase, by the text that holds it. */
const worth = { name: 1, subtitle: 0.85, description: 0.5 } as const
/** Weight of a word that the description holds only once. */
const onceInDescription = 0.35
/** Weight of the words in the total; the rest is the phrase's. */
const wordShare = 0.7

/**
 * Scores terms against one listing, 0 to 100 in whole numbers: how many of a term's words the listing holds, how
 * prominently, and whether it holds them together. An additional word at the end of a text never lowers the score. Our own
 * formula, explained in docs/scores.md.
 */
export function relevanceTo(listing: ListingTexts): (term: string) => number {
  const fields = (['name', 'subtitle', 'description'] as const).map((field) => {
    const text = listing[field] ?? ''
    return { field, words: countsOf(text), holdsTogether: phrasesOf(text) }
  })
  const worthOf = (text: string) => {
    for (const { field, words } of fields) {
      const times = words(text)
      if (times > 0) return field === 'description' && times === 1 ? onceInDescription : worth[field]
    }
    return 0
  }
  const phraseWorth = (term: string) => {
    const holding = fields.find(({ holdsTogether }) => holdsTogether(term))
    return holding ? worth[holding.field] : 0
  }
  return (term) => {
    const wanted = tokens(term)
    if (wanted.length === 0) return 0
    const words = wanted.reduce((sum, token) => sum + worthOf(token.text), 0) / wanted.length
    // A single word is its own phrase; a phrase cannot occur where none of its words does.
    const phrase = words === 0 ? 0 : wanted.length === 1 ? words : phraseWorth(term)
    return roundHalfUp(100 * (wordShare * words + (1 - wordShare) * phrase))
  }
}

/** Whether a text holds a term as a phrase. */
function phrasesOf(text: string): (term: string) => boolean {
  const matchOf = nameMatcher(text)
  return (term) => ['exact', 'phrase'].includes(matchOf(term))
}

/** How often a text holds a word; a run of unspaced script is searched within the runs of the text. */
function countsOf(text: string): (wanted: string) => number {
  const found = tokens(text)
  const words = new Map<string, number>()
  for (const token of found) words.set(token.text, (words.get(token.text) ?? 0) + 1)
  const runs = found.filter((token) => token.kind === 'run').map((token) => token.text)
  return (wanted) => Math.max(words.get(wanted) ?? 0, runs.filter((run) => run.includes(wanted)).length)
}
