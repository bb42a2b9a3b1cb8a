import { dice } from './dice.ts'
import { sampleHost } from './document.ts'
import { slug } from './slug.ts'
import type { Area } from './words.ts'
import { nativeMarkets, soloists, developers as studios } from './words.ts'

export type SampleDeveloper = {
  /** Apple's artist id, far above those Apple has given out. */
  readonly id: number
  readonly name: string
  readonly seller: string
  readonly slug: string
  /** A fifth have no web site, as on the store. */
  readonly site: string | null
}

type Market = 'ja' | 'de' | 'zh'

/** About 120 invented makers, by the area they work in and, abroad, by language. */
export function sampleDevelopers(seed: number): {
  readonly byArea: Readonly<Record<Area, readonly SampleDeveloper[]>>
  readonly byLanguage: Readonly<Record<Market, readonly SampleDeveloper[]>>
} {
  let known = 0
  const publish = (name: string, seller: string, latin: string): SampleDeveloper => {
    known += 1
    const fortune = dice(seed, 'developer', latin)
    return {
      id: 9_500_000_000 + known * 7,
      name,
      seller,
      slug: latin,
      site: fortune.chance(0.8) ? `${sampleHost}/${latin}` : null,
    }
  }
  const areas = Object.keys(studios) as Area[]
  const publishArea = (area: Area) => {
    const own = soloists.filter((_, at) => at % areas.length === areas.indexOf(area))
    return [...studios[area], ...own].map((maker) => publish(maker.name, maker.seller, slug(maker.name)))
  }
  const publishMarket = (language: Market) =>
    nativeMarkets
      .filter((market) => market.language === language)
      .flatMap((market) => market.makers.map((maker) => publish(maker.name, maker.seller, maker.slug)))
  return {
    byArea: {
      games: publishArea('games'),
      money: publishArea('money'),
      work: publishArea('work'),
      life: publishArea('life'),
      media: publishArea('media'),
    },
    byLanguage: { ja: publishMarket('ja'), de: publishMarket('de'), zh: publishMarket('zh') },
  }
}
