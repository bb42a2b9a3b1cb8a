const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/**
 * Whether a text is a language tag of BCP 47 whose language exists, as Unicode's data know it: `en`, `pt-BR`, `zh-Hans`.
 */
export function isLanguageTag(text: string): boolean {
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(text)) return false
  try {
    const [language = ''] = (Intl.getCanonicalLocales(text)[0] ?? '').split('-')
    return languages.of(language) !== undefined
  } catch {
    return false
  }
}
