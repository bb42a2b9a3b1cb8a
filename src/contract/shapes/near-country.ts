import { storefronts } from './storefronts.ts'

/** What people write for countries whose code is another: names of languages, and codes of other kinds. */
const usual: Readonly<Record<string, string>> = {
  uk: 'gb',
  en: 'us',
  usa: 'us',
  america: 'us',
  england: 'gb',
  britain: 'gb',
  'great britain': 'gb',
  ja: 'jp',
  jpn: 'jp',
  ko: 'kr',
  kor: 'kr',
  korea: 'kr',
  zh: 'cn',
  chn: 'cn',
  da: 'dk',
  sv: 'se',
  cs: 'cz',
  el: 'gr',
  he: 'il',
  vi: 'vn',
  ger: 'de',
  deu: 'de',
  gbr: 'gb',
  fra: 'fr',
  esp: 'es',
  ita: 'it',
  can: 'ca',
  aus: 'au',
  bra: 'br',
  mex: 'mx',
  ind: 'in',
}

let names: Map<string, string> | undefined

function named(name: string): string | undefined {
  if (!names) {
    const english = new Intl.DisplayNames('en', { type: 'region' })
    names = new Map(storefronts.map((code) => [english.of(code.toUpperCase())?.toLowerCase() ?? code, code]))
  }
  return names.get(name)
}

/** The end of a refusal: the country that was probably meant, where one is near. */
export function nearCountry(given: unknown): string {
  if (typeof given !== 'string' || given.length > 60) return ''
  const text = given.trim().toLowerCase()
  const meant = usual[text] ?? named(text)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}
