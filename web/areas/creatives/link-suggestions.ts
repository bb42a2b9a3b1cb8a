/** An app that an ad may belong to, as far as it is known. */
export interface Candidate {
  storeId: string
  name: string
  developer: string | undefined
  /** The seller's site. */
  website: string | undefined
}

export interface Suggestion<Of extends Candidate> {
  app: Of
  /** In words of a sentence, the strongest first; never empty. */
  reasons: string[]
}

/** What of an ad may tell its app. */
export interface AdClues {
  advertiser: string | undefined
  /** Addresses it leads to. */
  landingPages: readonly string[]
  /** Its titles and texts. */
  texts?: readonly string[]
}

/** Sites of everybody: an address there tells no app. */
const shared = new Set([
  ...['apple.com', 'google.com', 'facebook.com', 'instagram.com', 'tiktok.com', 'youtube.com', 'snapchat.com'],
  ...[
    'linktr.ee',
    'bit.ly',
    'onelink.me',
    'app.link',
    'page.link',
    'adj.st',
    'fb.me',
    'wa.me',
    't.me',
    'x.com',
  ],
])

/** Second labels under which countries have their sites, such as `co.uk`. */
const underCountries = new Set(['co', 'com', 'org', 'net', 'ac', 'gov', 'ne', 'or'])

/** The site of an address, such as `example.co.uk`; undefined for none, and for one of everybody. */
export function siteOf(address: string): string | undefined {
  const labels = URL.parse(address)?.hostname.toLowerCase().split('.').slice(-3) ?? []
  const [second = '', last = ''] = labels.slice(-2)
  // Of `.invalid` are the addresses of made-up evidence.
  if (second === '' || last === '' || last === 'invalid' || /^\d+$/.test(last)) return undefined
  const isUnderCountry = last.length === 2 && underCountries.has(second) && labels.length === 3
  const site = isUnderCountry ? labels.join('.') : `${second}.${last}`
  return shared.has(site) ? undefined : site
}

/** Texts by which apps of an ad can be looked for: its advertiser, and the name of the first site that it leads to. */
export function searchesFor({ advertiser, landingPages }: AdClues): string[] {
  const [site] = landingPages.flatMap((address) => siteOf(address)?.split('.', 1)[0] ?? [])
  const isOther = site !== undefined && site !== advertiser?.toLowerCase()
  return [...(advertiser ? [advertiser.slice(0, 100)] : []), ...(isOther ? [site] : [])]
}

/** The apps among some that an ad may belong to, with why, best first. A person decides: a name alone proves nothing. */
export function suggestedApps<Of extends Candidate>(
  { advertiser, landingPages, texts = [] }: AdClues,
  candidates: readonly Of[],
): Suggestion<Of>[] {
  const sites = new Set(landingPages.flatMap((address) => siteOf(address) ?? []))
  const name = advertiser ? plain(advertiser) : ''
  const said = texts.map(plain)
  return candidates
    .map((app) => {
      const site = app.website === undefined ? undefined : siteOf(app.website)
      const developer = plain(app.developer ?? '')
      const appName = plain(app.name.split(/\s*[:|–—]\s*|\s+-\s+/, 1)[0] ?? '')
      const reasons = [
        ...(site && sites.has(site) ? [`landing page on ${site}, the developer’s website`] : []),
        ...(appName.length >= shortestBeginning && said.some((text) => text.includes(appName))
          ? ['named in the ad text']
          : []),
        ...(name !== '' && developer === name ? ['developer has the advertiser’s name'] : []),
        ...(name !== '' && isLike(appName, name) ? ['app has the advertiser’s name'] : []),
      ]
      return { app, reasons }
    })
    .filter(({ reasons }) => reasons.length > 0)
    .sort((a, b) => b.reasons.length - a.reasons.length)
}

/** Shorter beginnings are anything. */
const shortestBeginning = 5

const isLike = (app: string, advertiser: string): boolean =>
  app === advertiser ||
  (Math.min(app.length, advertiser.length) >= shortestBeginning &&
    (app.startsWith(advertiser) || advertiser.startsWith(app)))

/** Kinds of companies, which names of apps leave out. */
const companies = /\b(?:inc|llc|ltd|limited|gmbh|ag|bv|b\.v|sarl|sas|srl|oy|ab|as|corp|co|pty|plc|ug|kg)\b\.?/g

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(companies, ' ')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
