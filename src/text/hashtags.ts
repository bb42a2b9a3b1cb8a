/** Any character but a letter or a digit ends a hashtag, including the `#` of the next; `&#39;` is an entity. */
const hashtag = /(?<![&/#＃])[#＃]((?:[\p{L}\p{N}\p{M}_]|(?<=\p{L})(?:\u200c|\u200d|·)(?=\p{L}))+)/gu

/** In an address a `#` begins a fragment. */
const addresses = /https?:\/\/\S+/gi

/** Longest hashtag that the contract accepts as a filter. */
const longest = 100

/** The hashtags of a text in their order, without duplicates, lower case, without `#`; digits alone are a number. */
export function hashtagsIn(text: string): string[] {
  if (!/[#＃]/.test(text)) return []
  const found = [...text.replace(addresses, ' ').matchAll(hashtag)].map((match) =>
    (match[1] ?? '').toLowerCase(),
  )
  return [...new Set(found.filter((tag) => tag.length <= longest && !/^[\p{N}_]+$/u.test(tag)))]
}

/** Hashtags that only speakers of one language use, lower case: its name, its country, and its phrases for more reach. */
const tags: Record<string, string> = {
  nl: 'voorjou voorjoupagina vjp voorjouwpage vooru viraal viral_nl nederland nederlands netherlands dutch dutchtiktok tiktoknl tiktoknederland nederlandsetiktokkers tiktokholland holland grappig herkenbaar humornl belgie vlaanderen eten koken',
  de: 'fürdich fürdichseite fuerdich fuerdichseite deutsch deutschland österreich schweiz lustig foryoudeutsch',
  fr: 'pourtoi pourtoii pourtoipage pourvous france français drole drôle humourfrancais',
  es: 'parati paratii paratipage paratodos destacame español espana españa mexico méxico argentina colombia humorlatino siguiendo sigueme comedia',
  pt: 'paravoce paravocê pravoce fypbrasil brasil brasileiro portugal horadearrasar tiktokbrasil humorbr',
  it: 'perte pertepage neiperte italia italiano divertente',
  ru: 'рек рекомендации врекомендации хочуврек россия глобальныерекомендации юмор врек',
  uk: 'україна рекомендації українськийтікток',
  pl: 'dlaciebie dlaciebiepage polska polskitiktok',
  tr: 'keşfet kesfet keşfetteyiz türkiye turkiye beniöneçıkart',
  id: 'fypindonesia indonesia tiktokindonesia berandatiktok',
  vi: 'xuhuong xuhướng vietnam viral_vietnam',
  ar: 'اكسبلور السعودية مصر العراق سوريا المغرب الجزائر',
  ja: 'おすすめ おすすめにのりたい 日本 日本語',
  ko: '추천 추천떠라 한국',
  sv: 'fördig svenska sverige',
  da: 'fordig dansk danmark',
  no: 'fordeg norsk norge',
  fi: 'suomi suomitiktok sinulle',
  cs: 'proteb česko cesko ceskytiktok',
  hu: 'nekedbe magyar magyarország magyartiktok',
  ro: 'pentrutine romania românia',
  el: 'ελλάδα ελλαδα',
  he: 'ישראל',
}

const languageOfTag: ReadonlyMap<string, string> = new Map(
  Object.entries(tags).flatMap(([language, list]) => list.split(' ').map((tag) => [tag, language] as const)),
)

/** The languages that hashtags indicate, each with their number. */
export function languagesOfHashtags(hashtags: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const tag of hashtags) {
    const language = languageOfTag.get(tag)
    if (language !== undefined) found.set(language, (found.get(language) ?? 0) + 1)
  }
  return found
}
