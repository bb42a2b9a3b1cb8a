/** ISO 639-1 codes that speech services use; they name languages in English, in lower case. */
const codes =
  `af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy
  id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk
  sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh`.split(/\s+/)

const names = new Intl.DisplayNames('en', { type: 'language' })
const byName: ReadonlyMap<string, string> = new Map([
  ...codes.map((code) => [(names.of(code) ?? code).toLowerCase(), code] as const),
  ['mandarin', 'zh'],
  ['castilian', 'es'],
  ['valencian', 'ca'],
  ['flemish', 'nl'],
  ['myanmar', 'my'],
  ['tagalog', 'tl'],
  ['norwegian', 'no'],
  ['moldovan', 'ro'],
])

/** The BCP 47 tag for a service's name of a language; null when unknown. */
export function languageTag(named: string | null | undefined): string | null {
  const plain = named?.trim().toLowerCase() ?? ''
  const known = byName.get(plain)
  if (known) return known
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(plain) && codes.includes(plain.split('-')[0] ?? '') ? plain : null
}
