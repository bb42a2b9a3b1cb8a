import {
  isLocalization,
  isStorefront,
  type LocalizationCode,
  localizationCodes,
  localizationOf,
  storefrontOf,
  supportedLocalizations,
} from './storefronts.ts'

/** Tags that people and pages write for a language, and that do not follow from a code. */
const aliases: Readonly<Record<string, LocalizationCode>> = {
  nb: 'no',
  nn: 'no',
  iw: 'he',
  in: 'id',
  'zh-cn': 'zh-Hans',
  'zh-sg': 'zh-Hans',
  'zh-tw': 'zh-Hant',
  'zh-hk': 'zh-Hant',
  'zh-mo': 'zh-Hant',
}

const byTag: ReadonlyMap<string, LocalizationCode> = new Map([
  ...Object.entries(aliases),
  ...localizationCodes.map((code) => [code.toLowerCase(), code] as const),
])

const languageOf = (code: string) => code.split('-')[0] ?? ''

/** Codes without a region that fastlane writes for the localizations of March 2026 (`itc_locale`). */
const short: ReadonlyMap<string, LocalizationCode> = new Map(
  (
    ['bn-BD', 'gu-IN', 'kn-IN', 'ml-IN', 'mr-IN', 'or-IN', 'pa-IN', 'sl-SI', 'ta-IN', 'te-IN', 'ur-PK'] as const
  ).map((code) => [languageOf(code), code]),
)

/**
 * The localization that a folder or a record names by its code in App Store Connect, in any case. Nothing else is taken for one: the
 * words of a listing belong to what its owner wrote.
 */
export function localizationNamed(text: string): LocalizationCode | undefined {
  const tag = text.toLowerCase()
  return localizationCodes.find((code) => code.toLowerCase() === tag) ?? short.get(tag)
}

/** The localization that a tag means in a storefront, or those that it probably means. */
function meaningOf(
  text: string,
  country: string,
): { language: LocalizationCode } | { meant: readonly LocalizationCode[] } {
  const tag = tagOf(text)
  const parts = tag.length <= 35 ? tag.split('-') : []
  for (let length = parts.length; length > 0; length--) {
    const known = byTag.get(parts.slice(0, length).join('-'))
    if (known) return { language: known }
  }
  const alike = localizationCodes.filter((code) => languageOf(code) === parts[0])
  const supported = supportedLocalizations(country).filter((code) => alike.includes(code))
  const [only] = supported.length > 0 ? supported : alike
  if (only && (supported.length === 1 || alike.length === 1)) return { language: only }
  return { meant: alike.length > 0 ? (supported.length > 0 ? supported : alike) : meantBy(tag) }
}

const tagOf = (text: string) => text.trim().toLowerCase().replaceAll('_', '-')

/**
 * The localization that a tag means in a storefront: a code of App Store Connect in any case, with `-` or `_`, or another tag of the
 * language. Where a language has several (`en`, `fr`, `es`, `pt`, `zh`), the one that the storefront supports is meant. Otherwise why
 * it is refused, without a subject.
 */
export function readLanguage(
  text: string,
  country: string,
): { language: LocalizationCode } | { refusal: string } {
  const meaning = meaningOf(text, country)
  if ('language' in meaning) return meaning
  return { refusal: `is not a localization of the App Store${didYouMean(meaning.meant)}` }
}

/** A suffix for the refusal of a code: those that were probably meant, of `en_US` one, of `en` four, of `french` two. */
export function didYouMeanLocalization(text: string): string {
  if (text.length > 60) return ''
  const alike = localizationCodes.filter((code) => languageOf(code) === tagOf(text))
  if (alike.length > 0) return didYouMean(alike)
  const meaning = meaningOf(text, 'us')
  return didYouMean('language' in meaning ? [meaning.language] : meaning.meant)
}

function didYouMean(meant: readonly LocalizationCode[]): string {
  const quoted = meant.map((code) => `"${code}"`).join(', ')
  return quoted ? `; did you mean ${quoted.replace(/, (?=[^,]*$)/, ' or ')}?` : ''
}

/**
 * The localization that a page names as its own, where it is of another language than the storefront's default. Undefined where it is of
 * the same language, or of one that no listing can be written in: pages name their region in more ways than there are localizations.
 */
export function otherLanguageOf(tag: string, country: string): LocalizationCode | undefined {
  const read = readLanguage(tag, country)
  if (!('language' in read)) return undefined
  return languageOf(read.language) === languageOf(storefrontOf(country).language) ? undefined : read.language
}

/** The localizations that a name in English or the code of a country probably means. */
function meantBy(text: string): readonly LocalizationCode[] {
  if (text.length > 2)
    return localizationCodes.filter(
      (code) => localizationOf(code).name.toLowerCase().split(/[ (]/)[0] === text.split(/[ (-]/)[0],
    )
  if (!isStorefront(text)) return []
  const { language, additional } = storefrontOf(text)
  return [additional.find((code) => languageOf(code) !== 'en' && language === 'en-GB') ?? language].filter(
    isLocalization,
  )
}
