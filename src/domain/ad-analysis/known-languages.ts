/** Languages the tables know. A text in another one is not read by them: words they share mean other things there. */
const knownLanguages: ReadonlySet<string> = new Set('en de fr es pt it nl ja ko zh ru'.split(' '))

/** Whether a text is read: in a language the tables know, or one that cannot be told. @param language BCP 47 */
export const isKnown = (language: string | undefined): boolean =>
  language === undefined || knownLanguages.has(language.split('-')[0] ?? '')
