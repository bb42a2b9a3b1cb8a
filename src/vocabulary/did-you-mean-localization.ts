import { readLanguage } from './read-language.ts'
import { type LocalizationCode, localizationCodes } from './storefronts.ts'

const byCode: ReadonlyMap<string, LocalizationCode> = new Map(
  localizationCodes.map((code) => [code.toLowerCase(), code]),
)

/** Codes without a region that fastlane writes for the localizations of March 2026 (`itc_locale`). */
const short: ReadonlyMap<string, LocalizationCode> = new Map(
  (
    ['bn-BD', 'gu-IN', 'kn-IN', 'ml-IN', 'mr-IN', 'or-IN', 'pa-IN', 'sl-SI', 'ta-IN', 'te-IN', 'ur-PK'] as const
  ).map((code) => [code.slice(0, 2), code]),
)

/**
 * The localization that a folder or a record names by its code in App Store Connect, in any case. Nothing else is taken for one: the
 * words of a listing belong to what its owner wrote.
 */
export const localizationNamed = (text: string): LocalizationCode | undefined =>
  byCode.get(text.toLowerCase()) ?? short.get(text.toLowerCase())

/** The codes that were probably meant: of `en_US` one, of `en` four, of `french` two. Empty where none is close. */
function localizationsMeant(text: string): readonly LocalizationCode[] {
  const tag = text.toLowerCase().replaceAll('_', '-')
  const alike = localizationCodes.filter((code) => code.toLowerCase().split('-')[0] === tag)
  if (alike.length > 0) return alike
  const read = readLanguage(text, 'us')
  if ('language' in read) return [read.language]
  const named = [...read.refusal.matchAll(/"([\w-]+)"/g)].flatMap(
    ([, code]) => localizationNamed(code ?? '') ?? [],
  )
  return named
}

/** A suffix for a refusal. */
export function didYouMeanLocalization(text: string): string {
  const meant = text.length > 60 ? [] : localizationsMeant(text)
  return meant.length > 0 ? `; did you mean ${meant.join(', ').replace(/, (?=[^,]*$)/, ' or ')}?` : ''
}
