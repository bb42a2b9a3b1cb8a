/** Languages of the tables. Texts in other ones are not read by them: shared words have other meanings there. */
const knownLanguages: ReadonlySet<string> = new Set('en de fr es pt it nl ja ko zh ru'.split(' '))

/** Whether a text is read: its language is in the tables, or cannot be detected. @param language BCP 47 */
export const isKnown = (language: string | undefined): boolean =>
  language === undefined || knownLanguages.has(language.split('-')[0] ?? '')
