const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Whether a text is a language tag of BCP 47 whose language exists, as Unicode's data know it: `en`, `pt-BR`, `zh-Hans`.
 */
export function isLanguageTag(text: string): boolean {
  const known = answers.get(text)
  if (known !== undefined) return known
  const answer = namesLanguage(text)
  if (answers.size < mostAnswers) answers.set(text, answer)
  return answer
}

/** Cached: listings repeat a few tags, and looking them up in Unicode's data takes longer than parsing the rest of a listing. */
const answers = new Map<string, boolean>()
const mostAnswers = 1_000

function namesLanguage(text: string): boolean {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(text)) return false
  try {
    const [language = ''] = (Intl.getCanonicalLocales(text)[0] ?? '').split('-')
    return languages.of(language) !== undefined
  } catch {
    return false
  }
}
