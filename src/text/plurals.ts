import { fold } from './search-terms.ts'

/**
 * Removes plural endings for languages in which Snowball shortens a singular more than its plural ("oyun" to "oy", "oyunlar"
 * to "oyun"), in the manner of the light stemmers of Savoy (Portuguese, Hungarian: "Light stemming approaches for the
 * French, Portuguese, German and Hungarian languages", 2006) and Larkey (Arabic: "Light stemming for Arabic information
 * retrieval", 2007). The results are for comparing, and need not be words. Measured: docs/words.md.
 */
export const plurals = { ar: arabic, hu: hungarian, pt: portuguese, tr: turkish } as const

type Ending = readonly [ending: RegExp, instead: string]

const firstOf = (word: string, endings: readonly Ending[]): string => {
  const found = endings.find(([ending]) => ending.test(word))
  return found ? word.replace(...found) : word
}
const eachOf = (word: string, endings: readonly Ending[]): string =>
  endings.reduce((cut, [ending, instead]) => cut.replace(ending, instead), word)

const portugueseEndings: readonly Ending[] = [
  // The ending needs its accent: without it, it is also that of English plurals, such as "heroes".
  [/(?<=.)[õã]es$/u, 'ão'],
  [/(?<=[çcs])oes$/u, 'ao'],
  [/(?<=..)ais$/u, 'al'],
  [/(?<=c)eis$/u, 'il'],
  [/(?<=.[^aeo])[ée]is$/u, 'el'],
  [/(?<=her)óis$/u, 'ói'],
  [/(?<=..)óis$/u, 'ol'],
  [/(?<=..)is$/u, 'il'],
  [/(?<=.[eê])ses$/u, 's'],
  [/(?<=.ís)es$/u, ''],
  [/(?<=.[aeiouéó])(?:ns|ms?)$/u, 'n'],
  [/(?<=..[rz])es?$/u, ''],
  [/(?<=.[^íêsu])s$/u, ''],
]

function portuguese(word: string): string {
  return firstOf(word, portugueseEndings)
}

/** Plural endings, then the possessive that joins two nouns ("kelime oyunu"), then consonants that soften before a suffix. */
const turkishEndings: readonly Ending[] = [
  [/(?<=^.[^aeıioöuü]|.{3})l[ae]r(?:[ıi](?:nı?|ni|mı?|mi|mız|miz|nız|niz)?|[ea]|d[ea]n?)?$/u, ''],
  [/(?<=.{2}[aeıioöuü])s[ıiuü]$/u, ''],
  [/(?<=.{4})[ıiuü]$/u, ''],
  [/(?<=.{2})b$/u, 'p'],
  [/(?<=.{2})ğ$/u, 'k'],
  [/(?<=.{2})d$/u, 't'],
]

function turkish(word: string): string {
  return eachOf(word, turkishEndings)
}

/** Some singulars end like a plural: both are shortened until no ending is left. */
const hungarianEndings: readonly Ending[] = [
  [/(?<=.[^aeouöüáéóőúű])[oaeö]k$/u, ''],
  [/(?<=..)ák$/u, 'a'],
  [/(?<=..)ék$/u, 'e'],
  [/(?<=.[iíóőúűuü])k$/u, ''],
]

const hungarianPlurals = new Map([
  ['szavak', 'szó'],
  ['éttermek', 'étterem'],
  ['lovak', 'ló'],
  ['tavak', 'tó'],
])

function hungarian(word: string): string {
  const singular = hungarianPlurals.get(word)
  if (singular) return singular
  const cut = eachOf(word, hungarianEndings)
  return cut === word ? cut : hungarian(cut)
}

/** Endings of possession, number and gender, after the article, which can follow a one-letter word. */
const arabicEndings: readonly Ending[] = [
  [/(?<=..)ها$/u, ''],
  [/(?<=..)ات$/u, ''],
  [/(?<=...)(?:ان|ون|ين)$/u, ''],
  [/(?<=..)ي?[هة]$/u, ''],
  [/(?<=..[^ا])ا$/u, ''],
  [/(?<=..)[يى]$/u, ''],
]

/** Broken plurals, formed inside the word, of common topics of apps: no rule finds them. */
const arabicPlurals = new Map(
  `العاب لعبة|كتب كتاب|اخبار خبر|اغاني اغنية|اصدقاء صديق|اطفال طفل|بنات بنت|وظائف وظيفة|رسائل رسالة|فنادق فندق|مطاعم مطعم|اسواق سوق|قصص قصة|الغاز لغز|
   تمارين تمرين|اصوات صوت|صلوات صلاة|افلام فيلم|صور صورة|خرائط خريطة|اسعار سعر|كلاب كلب|قطط قطة|اسئلة سؤال|دروس درس|عروض عرض|رموز رمز|ادعية دعاء|اذكار ذكر`
    .split('|')
    .map((pair) => pair.trim().split(' ') as [string, string])
    .map(([many, one]) => [fold(many), fold(one)]),
)

function arabic(word: string): string {
  const bare = fold(word).replace(/^(?:[وبكف]?ال(?=.{3})|لل(?=..))/u, '')
  return eachOf(arabicPlurals.get(fold(word)) ?? arabicPlurals.get(bare) ?? bare, arabicEndings)
}
