import { dayText } from './calendar.ts'

/** An ad in the made-up repository of App Store ads. */
export type RepositoryAd = {
  readonly adId: string
  readonly appId: number
  readonly appName: string
  readonly developerId: number
  readonly developerName: string
  readonly legalName: string
  /** As the repository writes it, such as `APPSTORE_SEARCH_RESULTS`. */
  readonly placement: string
  readonly format: string
  readonly subFormat: string | null
  /** First and last day in each country, counted since 1970. */
  readonly shown: readonly { readonly country: string; readonly first: number; readonly last: number }[]
  /** The first is the main one. */
  readonly languages: readonly {
    readonly tag: string
    readonly name: string
    readonly appName: string
    readonly subtitle: string
    readonly text: string
  }[]
  readonly icon: string
  readonly assets: readonly {
    readonly kind: 'image' | 'video'
    readonly url: string
    readonly width: number
    readonly height: number
  }[]
  /** Whether its audience was narrowed by age. */
  readonly byAge?: boolean
}

export type Repository = {
  /** Days since 1970. */
  today(): number
  readonly ads: readonly RepositoryAd[]
}

/** Its ads of a week ago are the newest. */
const lateDays = 7
const presets: Readonly<Record<string, number>> = { LAST_90_DAYS: 90, LAST_180_DAYS: 180, LAST_YEAR: 365 }
const mostCountries = 5
const countryNames: Readonly<Record<string, string>> = {
  ...{ AT: 'Austria', BE: 'Belgium', BG: 'Bulgaria', HR: 'Croatia', CY: 'Cyprus', CZ: 'Czech Republic' },
  ...{ DK: 'Denmark', EE: 'Estonia', FI: 'Finland', FR: 'France', DE: 'Germany', GR: 'Greece', HU: 'Hungary' },
  ...{ IE: 'Ireland', IT: 'Italy', LV: 'Latvia', LU: 'Luxembourg', NL: 'Netherlands', PL: 'Poland' },
  ...{ PT: 'Portugal', RO: 'Romania', SK: 'Slovakia', SI: 'Slovenia', ES: 'Spain', SE: 'Sweden' },
}

export type RepositoryAnswer = { readonly status: number; readonly body: string }

const answer = (body: unknown, status = 200): RepositoryAnswer => ({ status, body: JSON.stringify(body) })
const refusal = (message: string, status = 400) =>
  answer({ errors: [{ message, errorCode: 'INVALID' }] }, status)

/**
 * What Apple's ad repository would answer, with the peculiarities that its clients note: it refuses to be asked for anything,
 * and for more than five countries; an ad comes once for each country; missing addresses are null or the text "null"; and a first day
 * more than a year ago is words.
 */
export function repositoryAnswer(
  repository: Repository,
  url: URL,
  accept = 'application/json',
): RepositoryAnswer {
  const { pathname, searchParams } = url
  if (accept.includes('*/*')) return refusal('The accepted type is not supported', 406)
  const place = pathname.replace('/api/v1/', '')
  if (place === 'countries-or-regions')
    return answer({ data: Object.entries(countryNames).map(([code, name]) => ({ name, code })) })
  if (place === 'ad-repository-entities') return entities(repository, searchParams)
  if (place === 'restrictions') return restrictions(repository, searchParams)
  if (place === 'ad-repository-ads') return list(repository, searchParams)
  const adId = /^ad-repository-ads\/([0-9a-f]{32})$/.exec(place)?.[1]
  return adId ? single(repository, adId, searchParams) : refusal('Not found', 404)
}

function entities({ ads }: Repository, asked: URLSearchParams): RepositoryAnswer {
  const text = asked.get('name')?.toLowerCase() ?? ''
  if (text.length < 2) return refusal('The name has fewer than 2 characters')
  const types = asked.get('types')?.split(',') ?? ['APP', 'DEVELOPER']
  const all = ads.flatMap(({ appId, appName, developerId, developerName }) => [
    { id: appId, name: appName, type: 'APP' },
    { id: developerId, name: developerName, type: 'DEVELOPER' },
  ])
  const found = new Map(
    all
      .filter(({ name, type }) => types.includes(type) && name.toLowerCase().includes(text))
      .map((one) => [`${one.type} ${one.id}`, one]),
  )
  return answer(paged([...found.values()], asked))
}

const paged = (all: readonly unknown[], asked: URLSearchParams) => {
  const startIndex = Number(asked.get('offset') ?? 0)
  const itemsPerPage = Number(asked.get('limit') ?? 50)
  return {
    data: all.slice(startIndex, startIndex + itemsPerPage),
    pagination: { totalResults: all.length, startIndex, itemsPerPage },
  }
}

/** The parts of an RSQL filter that the repository knows. */
function filterIn(asked: URLSearchParams): Record<string, string> {
  const parts = (asked.get('ql') ?? '').split(';').map((part) => /^(\w+)=(?:=|in=)\(?([^)]*)\)?$/.exec(part))
  return Object.fromEntries(parts.flatMap((part) => (part ? [[part[1], part[2]]] : [])))
}

/** The days that an answer covers. */
function coverage({ today }: Repository, preset: string | undefined) {
  const last = today() - lateDays
  return { first: last - (presets[preset ?? 'LAST_90_DAYS'] ?? 90), last }
}

function list(repository: Repository, asked: URLSearchParams): RepositoryAnswer {
  const { type, id, countryOrRegion = '', datePreset } = filterIn(asked)
  const countries = countryOrRegion.split(',').filter((code) => code !== '')
  if ((type === undefined) !== (id === undefined)) return refusal('type and id go together')
  if (id === undefined && countries.length === 0) return refusal('id or countryOrRegion is needed')
  if (countries.length > mostCountries) return refusal('Number of countries greater than allowed limit')
  const unknown = countries.find((code) => !(code in countryNames))
  if (unknown) return refusal(`${unknown} is not supported`)
  const { first, last } = coverage(repository, datePreset)
  const rows = repository.ads
    .filter((ad) => id === undefined || String(type === 'APP' ? ad.appId : ad.developerId) === id)
    .flatMap((ad) =>
      ad.shown
        .filter((one) => countries.length === 0 || countries.includes(one.country))
        .filter((one) => one.first <= last && one.last >= first)
        .map((one) => rowOf(repository, ad, one, false)),
    )
  return answer({ ...paged(rows, asked), dataStartDate: dayText(first), dataEndDate: dayText(last) })
}

function single(repository: Repository, adId: string, asked: URLSearchParams): RepositoryAnswer {
  const { first, last } = coverage(repository, asked.get('datePreset') ?? undefined)
  const ad = repository.ads.find((one) => one.adId === adId)
  const shown = ad?.shown.find((one) => one.first <= last && one.last >= first)
  if (!ad || !shown) return refusal('No ad with this id', 404)
  return answer({
    data: rowOf(repository, ad, shown, true),
    dataStartDate: dayText(first),
    dataEndDate: dayText(last),
  })
}

const overAYear = 365

function rowOf(
  repository: Repository,
  ad: RepositoryAd,
  shown: RepositoryAd['shown'][number],
  withLanguages: boolean,
) {
  const { last } = coverage(repository, undefined)
  const [main, ...others] = ad.languages
  const isOld = shown.first < repository.today() - overAYear
  return {
    adId: ad.adId,
    appId: ad.appId,
    appName: main?.appName ?? ad.appName,
    developerId: ad.developerId,
    developerName: ad.developerName,
    legalName: ad.legalName,
    placement: ad.placement,
    format: ad.format,
    subFormat: ad.subFormat,
    countryOrRegion: shown.country,
    audienceRefinement: {
      ageTarget: ad.byAge ?? false,
      genderTarget: false,
      locationTarget: false,
      customerTypeTarget: false,
    },
    firstImpressionDate: isOld ? 'Over 1 Year Ago' : `${dayText(shown.first)} 00:00:00.0`,
    lastImpressionDate: `${dayText(Math.min(shown.last, last))} 00:00:00.0`,
    defaultLanguageTag: main?.tag ?? 'en-GB',
    defaultLanguageDisplayName: main?.name ?? 'English (UK)',
    defaultPreviewDevice: 'iPhone_6.5',
    adBanner: {
      joeColor: null,
      iconPictureUrl: ad.icon,
      subtitle: main?.subtitle ?? null,
      primaryCategory: 'Finance',
      inAppPurchases: true,
      promotionalText: main?.text ?? 'null',
      editorialBadge: false,
      shortDescription: null,
    },
    adAssets: assetsOf(ad),
    appIconVariations: [],
    adLocaleVariations: withLanguages
      ? [...(main ? [main] : []), ...others].map((one) => ({
          languageTag: one.tag,
          languageDisplayName: one.name,
          appName: one.appName,
          subTitle: one.subtitle,
          primaryCategory: 'Finance',
          promotionalText: one.text,
          deviceAssets: [{ previewDevice: 'iphone_6_5', adAssets: assetsOf(ad) }],
        }))
      : [],
  }
}

/** A missing address is null or, as often, a text. */
const assetsOf = ({ assets }: RepositoryAd) =>
  assets.map(({ kind, url, width, height }, at) => ({
    videoUrl: kind === 'video' ? url : at % 2 === 0 ? null : 'null',
    pictureUrl: kind === 'image' ? url : 'null',
    order: at + 1,
    height,
    width,
    orientation: height > width ? 'PORTRAIT' : 'LANDSCAPE',
  }))

/** It names whom none of them is about, as its description does. */
function restrictions(repository: Repository, asked: URLSearchParams): RepositoryAnswer {
  const { actionTaken, datePreset } = filterIn(asked)
  const { first, last } = coverage(repository, datePreset)
  const all = [
    {
      actionDate: `${dayText(last - 12)} 00:00:00.0`,
      actionTaken: 'ACTION_ADVERTISING_REMOVED',
      reason: 'REASON_TOS_INCOMPATABILITY',
      basis: 'BASIS_APPLE_DETERMINATION',
      details: 'null',
      firstImpressionDate: `${dayText(last - 20)} 00:00:00.0`,
      affectedPlacements: [{ placement: 'APPSTORE_TODAY_TAB', countriesOrRegions: ['BE', 'FR'] }],
    },
  ]
  const found = all.filter((one) => one.actionTaken === actionTaken)
  return answer({ ...paged(found, asked), dataStartDate: dayText(first), dataEndDate: dayText(last) })
}
