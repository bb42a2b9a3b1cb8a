import { formatNumber } from '../../../text/numbers.ts'
import {
  type AuditedText,
  type KeywordFieldUse,
  keywordFieldUse,
  type SpecialWords,
  type TextField,
} from './audited-text.ts'

type AdviceKind =
  | 'unused-space'
  | 'over-limit'
  | 'missing-text'
  | 'repeated-word'
  | 'wasted-word'
  | 'untapped-term'
  | 'not-readable'

export interface ListingAdvice {
  kind: AdviceKind
  /** Null when it is about several. */
  field: TextField | null
  weight: 'high' | 'medium' | 'low'
  terms: string[]
  /** The length of `terms` in the keyword field, where they belong there. */
  keywordField: KeywordFieldUse | null
  text: string
}

/**
 * Advice on a listing in plain sentences, most important first. For a text that was never collected, the advice says only
 * that.
 * @param untapped terms of the description that belong into a searched text
 */
export function listingAdvice(
  texts: readonly AuditedText[],
  words: SpecialWords,
  untapped: readonly string[],
): ListingAdvice[] {
  const found = [
    ...texts.flatMap(overLimit),
    ...texts.flatMap(missing),
    ...repeated(texts),
    ...texts.flatMap(unusedSpace),
    ...notSearched(texts, untapped),
    ...texts.flatMap((text) => wasted(text, words)),
    ...texts.flatMap(notReadable),
  ]
  const weights = ['high', 'medium', 'low']
  return found.toSorted((one, other) => weights.indexOf(one.weight) - weights.indexOf(other.weight))
}

const names: Record<TextField, string> = {
  name: 'name',
  subtitle: 'subtitle',
  'keyword-field': 'keyword field',
  'promotional-text': 'promotional text',
  description: 'description',
  'release-notes': 'release notes',
}

function overLimit({ field, text, characters, limits: [{ most: limit }] }: AuditedText): ListingAdvice[] {
  if (!text || characters <= limit) return []
  return [
    {
      kind: 'over-limit',
      field,
      weight: 'high',
      terms: [],
      keywordField: null,
      text: `The ${names[field]} has ${formatNumber(characters)} characters, ${formatNumber(characters - limit)} over Apple's limit of ${formatNumber(limit)}: shorten it in the next version.`,
    },
  ]
}

function missing({ field, text, limits: [{ most: limit }] }: AuditedText): ListingAdvice[] {
  if (text !== null && text !== '') return []
  if (field === 'subtitle')
    return [
      {
        kind: 'missing-text',
        field,
        weight: 'high',
        terms: [],
        keywordField: null,
        text: `No subtitle. It is indexed for search: ${limit} characters for keywords that are not in the name.`,
      },
    ]
  if (field !== 'description') return []
  return [
    {
      kind: 'missing-text',
      field,
      weight: 'medium',
      terms: [],
      keywordField: null,
      text: 'No description. It is not indexed for search, but people read it before they install.',
    },
  ]
}

/** Unused characters in which another word fits, and in which a whole phrase does. */
const roomForWord = 5
const roomForPhrase = 12
/** A description shorter than this says little to readers. */
const shortDescription = 300

function unusedSpace({
  field,
  text,
  characters,
  limits: [{ most: limit }],
  searched,
}: AuditedText): ListingAdvice[] {
  if (!text) return []
  const left = limit - characters
  if (searched && left >= roomForWord)
    return [
      {
        kind: 'unused-space',
        field,
        weight: left >= roomForPhrase ? 'high' : 'medium',
        terms: [],
        keywordField: null,
        text: `${left} of ${limit} characters of the ${names[field]} are unused. It is indexed for search.`,
      },
    ]
  if (field !== 'description' || characters >= shortDescription) return []
  return [
    {
      kind: 'unused-space',
      field,
      weight: 'low',
      terms: [],
      keywordField: null,
      text: `The description has only ${formatNumber(characters)} of ${formatNumber(limit)} characters. It is not indexed for search, but people read it before they install.`,
    },
  ]
}

function repeated(texts: readonly AuditedText[]): ListingAdvice[] {
  const [name, subtitle] = (['name', 'subtitle'] as const).map((wanted) =>
    texts.find(({ field }) => field === wanted),
  )
  const inName = new Set(name?.words.map(({ key }) => key))
  const terms = wordsOnce(
    subtitle?.terms.filter(({ words, key }) => words.length === 1 && inName.has(key)) ?? [],
  )
  if (terms.length === 0) return []
  const are = terms.length === 1 ? 'is' : 'are'
  return [
    {
      kind: 'repeated-word',
      field: null,
      weight: 'high',
      terms,
      keywordField: null,
      text: `${quoted(terms)} ${are} in both the name and the subtitle. Once is enough for search: use the space in the subtitle for other keywords.`,
    },
  ]
}

/**
 * Advice on wasted words. An app is found by its developer's name anyway; other words of a name or subtitle inform people.
 */
function wasted({ field, text, words }: AuditedText, known: SpecialWords): ListingAdvice[] {
  if (!text || field !== 'subtitle') return []
  const terms = wordsOnce(
    words.filter(({ key, text }) => known.developer.has(key) && !known.stopWords.has(text)),
  )
  if (terms.length === 0) return []
  return [
    {
      kind: 'wasted-word',
      field,
      weight: 'medium',
      terms,
      keywordField: null,
      text: `${quoted(terms)} in the subtitle ${terms.length === 1 ? 'is' : 'are'} in the developer's name, for which the app is found anyway.`,
    },
  ]
}

function notSearched(texts: readonly AuditedText[], terms: readonly string[]): ListingAdvice[] {
  const searched = texts.filter((text) => text.searched && text.text)
  if (terms.length === 0 || searched.length === 0) return []
  const keywordField = keywordFieldUse(terms)
  return [
    {
      kind: 'untapped-term',
      field: null,
      weight: 'medium',
      terms: [...terms],
      keywordField,
      text: `The description mentions ${quoted(terms)}, but ${searched.length === 1 ? 'the name does' : 'name and subtitle do'} not, and descriptions are not indexed for search. Consider them for the subtitle or the keyword field.${beyondText(keywordField)}`,
    },
  ]
}

function beyondText({ characters, bytes, beyondBytes }: KeywordFieldUse): string {
  if (beyondBytes.length === 0) return ''
  return ` Together they are ${characters} characters and ${bytes} bytes: ${quoted(beyondBytes)} ${beyondBytes.length === 1 ? 'fits' : 'fit'} only if the keyword field takes 100 characters (reported), not 100 bytes (Apple's help).`
}

function notReadable({ field, text }: AuditedText): ListingAdvice[] {
  if (text !== undefined) return []
  const why: Partial<Record<TextField, string>> = {
    subtitle: 'The product page was not collected yet.',
    'keyword-field':
      'Only its owner sees it. It takes 100 bytes of UTF-8 (confirmed), about 33 Japanese or Chinese letters, or 100 characters (reported), with words over two characters and no names of other apps or companies.',
    'promotional-text': 'Not available from any source.',
  }
  return [
    {
      kind: 'not-readable',
      field,
      weight: field === 'subtitle' || field === 'description' ? 'medium' : 'low',
      terms: [],
      keywordField: null,
      text: `No recommendations for the ${names[field]}: ${lowerFirst(why[field] ?? 'Not collected yet.')}`,
    },
  ]
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** The words in their order, each variant once; at most ten. */
function wordsOnce(words: readonly ({ key: string } & ({ text: string } | { term: string }))[]): string[] {
  const once = new Map(words.map((word) => [word.key, 'text' in word ? word.text : word.term]))
  return [...once.values()].slice(0, 10)
}

/** `"a"`, `"a" and "b"`, `"a", "b" and "c"`. */
function quoted(terms: readonly string[]): string {
  const each = terms.map((term) => `"${term}"`)
  return each.length < 2 ? (each[0] ?? '') : `${each.slice(0, -1).join(', ')} and ${each.at(-1)}`
}
