import { storefronts } from './storefronts.ts'

/** Common wrong codes for countries: names of languages, and codes of other kinds. */
const usual: ReadonlyMap<string, string> = new Map(
  Object.entries({
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
  }),
)

const named: ReadonlyMap<string, string> = new Map(
  storefronts.map(({ name, code }) => [name.toLowerCase(), code]),
)

/** A suffix for a refusal: the country that was probably meant, if one is close. */
export function nearCountry(given: unknown): string {
  if (typeof given !== 'string' || given.length > 60) return ''
  const text = given.trim().toLowerCase()
  const meant = usual.get(text) ?? named.get(text)
  return meant === undefined ? '' : `; did you mean "${meant}"?`
}
