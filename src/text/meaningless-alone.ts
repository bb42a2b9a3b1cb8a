import table from '../data/common-words.json' with { type: 'json' }
import { fold } from './search-terms.ts'
import { wordsOfList } from './word-list.ts'

/** Names of whole categories of apps, always too general; Apple advises against names of categories. */
const kindsOfApps = new Set(wordsOfList(table.kindsOfApps))

/**
 * Words that are frequent in listings of all categories and rare in names, in the languages of most listings: nobody
 * searches for an app by them alone, though phrases may contain them ("stay organized", "next level"). Where several apps of
 * a kind have such a word in their names, it describes what they are about ("level", "clear").
 */
const emptyWords: ReadonlySet<string> = new Set(wordsOfList(table.empty).map(fold))

/**
 * Whether a word alone says nothing about what an app is for.
 * @param isCalled whether enough apps of the kind have it in their names
 */
export const isMeaninglessAlone = (word: string, isCalled: boolean): boolean =>
  kindsOfApps.has(word) || (!isCalled && emptyWords.has(word))
