/** A network on which posts are published. */
export interface PostsRow {
  /** The form of the network's own ids, as far as it documents it. */
  nativeId: RegExp
  /** Counts that it shows only to the author: never zero, and not merely left out. */
  hides: readonly ('views' | 'likes' | 'comments' | 'shares' | 'saves')[]
  /** What stands before a handle in a text. */
  handlePrefix: '@' | 'u/'
  /** Left out if it has hashtags. A `#` in its texts is something else. */
  hasHashtags?: false
  /** Where it shows a post, with `{id}` and `{handle}` to fill in. */
  address: string
  /** Ids that make no address. */
  noAddress?: RegExp
  /** The address of a profile without its scheme, with the handle; other pages of an account do not match. */
  profile: RegExp
  /** Forms of records that a parser of its folder reads: what `--format` calls them, and what they are of. */
  forms?: Readonly<Record<string, string>>
}

/** What a library of ads can be asked for. */
export type AdSubject = 'terms' | 'advertiserIds' | 'apps' | 'archiveIds' | 'countries'

/** A platform whose paid ads are shown to everybody. */
export interface AdsRow {
  /** Its library's name, after `the`. */
  library: string
  /** Where its ads stand, in words; `on` and the platform if left out. */
  place?: string
  /** Its official name, if different. */
  officialName?: string
  /** Whose records can be imported, in words. */
  records: readonly string[]
  /** The form of its ids of ads, if they are no digits. */
  adId?: RegExp
  /** The id of an advertiser, in words. */
  advertiserId: string
  /** The form of its ids of advertisers, if they are no digits. */
  advertiserIdForm?: RegExp
  /** The public page of an ad, with `{id}` and `{advertiserId}` to fill in. */
  address: string
  /** Where it shows the ads of an advertiser that is not known, if an address needs one. */
  addressOfAny?: string
  /** It does not say whether an ad runs: one counts as running until its end, if any, is past. */
  hidesRunning?: true
  /** What it never shows. */
  gaps: readonly { code: 'region-limited' | 'date-window' | 'field-not-carried'; message: string }[]
}

/** One that programs cannot ask: its ads come in files, and in records that accounts give. */
interface FilesOnlyRow extends AdsRow {
  filesOnly: true
}

/** One with a library that programs can ask. */
export interface AskedRow extends AdsRow {
  filesOnly?: never
  /** Its name as a source of evidence. */
  surface: string
  /** Format under which its pages are stored, so that a replay parses them the same way. */
  pages: string
  /** What the operator needs to ask it; left out if it answers everybody. */
  credential?: string
  /** The variables of the environment that hold the credential; all or none are set. It is asked without more if there are none. */
  variables: readonly string[]
  /** The variable holds no secret but `yes`: it needs none, and is asked only where the operator says so. */
  asksOnlyIfTold?: true
  baseUrl: string
  callsPerMinute: number
  /** What it can be asked for; terms and advertisers if left out. */
  subjects?: readonly AdSubject[]
  /** Most advertisers in one request, if it documents that. */
  advertisersTogether?: number
  /** Most countries in one request; no limit if left out. */
  countriesTogether?: number
  /** It has to be told every country. */
  namesCountries?: true
  /** Left out if a query can have terms and advertisers. */
  termsOrAdvertisers?: true
  /** Its terms are parts of the names of advertisers, since it searches nothing else. */
  termsAreAdvertisers?: true
  /** Least characters of a text to search advertisers for. */
  shortestText?: number
  /** Most characters of a term, and of a text to search advertisers for. */
  longestTerm?: number
  /** The countries whose ads it has, and what they are in words; all if left out. */
  countries?: { codes: readonly string[]; cover: string }
  /** Its first day of delivery, which it has to be told. */
  firstDay?: string
  /** Its last day is that before today, and it has to be told. */
  endsYesterday?: true
  /** It takes no dates, but one of these numbers of days, and ends so many days before today. */
  lastDays?: { choices: readonly number[]; endsDaysAgo: number }
  /** Fields of a query that it can filter by. */
  filters: readonly ('active' | 'mediaTypes' | 'languages')[]
  searchesAdvertisers?: true
  /** It may give all pages of a search one cursor. */
  repeatsCursors?: true
  /** It also answers with no ads to whoever asks too often: such an answer alone tells nothing. */
  refusesWithEmptyAnswers?: true
}

/** A supplier of evidence. */
interface SupplierRow {
  /** Display name. */
  label: string
  /** Hosts from which it serves media, with their subdomains. */
  mediaHosts?: readonly string[]
  /** More such hosts: they answer 403 once the signature in an address has expired. */
  signedMediaHosts?: readonly string[]
  posts?: PostsRow
  ads?: AskedRow | FilesOnlyRow
}

/**
 * Who supplies posts, ads and media, as of 2026. A new one needs a row here; where its own records are to be read or asked for,
 * also a folder in `src/suppliers` and a line in `src/suppliers/registry.ts`. Its order is that of lists in the contract.
 */
export const suppliers = {
  /** Sources: Meta `ads_archive`, fields and parameters; Ad Library, about. */
  meta: {
    label: 'Meta',
    signedMediaHosts: ['fbcdn.net'],
    ads: {
      library: 'Meta Ad Library',
      surface: 'Meta Ad Library API (ads_archive)',
      pages: 'meta-ads-archive',
      records: ['Meta `ads_archive`', 'the Ad Library web answer'],
      advertiserId: 'page id',
      address: 'https://www.facebook.com/ads/library/?id={id}',
      credential: 'a token',
      variables: ['RIVALSCOPE_META_TOKEN'],
      baseUrl: 'https://graph.facebook.com',
      callsPerMinute: 20,
      advertisersTogether: 10,
      filters: ['active', 'mediaTypes', 'languages'],
      hidesRunning: true,
      gaps: [
        {
          code: 'region-limited',
          message:
            'Outside the EU and the United Kingdom the Meta Ad Library API shows only ads about social issues, elections or politics.',
        },
        {
          code: 'date-window',
          message:
            'Other ads leave the Meta Ad Library a year after they were last shown; political ones after seven.',
        },
        {
          code: 'field-not-carried',
          message:
            'The Meta Ad Library API carries no media, buttons or landing pages; saved answers of its web page do.',
        },
      ],
    },
  },

  /** Source of `ads`: TikTok Commercial Content API, `ad/query`, `advertiser/query` and supported countries. */
  tiktok: {
    label: 'TikTok',
    mediaHosts: ['ibyteimg.com', 'muscdn.com'],
    signedMediaHosts: [
      'tiktokcdn.com',
      'tiktokcdn-us.com',
      'tiktokcdn-eu.com',
      'tiktokv.com',
      'tiktokv.us',
      'tiktokv.eu',
    ],
    posts: {
      nativeId: /^\d{1,25}$/,
      hides: [],
      handlePrefix: '@',
      address: 'https://www.tiktok.com/@{handle}/video/{id}',
      profile: /^(?:www\.|m\.)?tiktok\.com\/@([\w.]{2,30})$/i,
      forms: { tiktok: 'TikTok collectors' },
    },
    ads: {
      library: 'TikTok ad library',
      officialName: 'TikTok commercial content library',
      surface: 'TikTok Commercial Content API',
      pages: 'tiktok-ad-query',
      records: ['TikTok `ad/query`'],
      advertiserId: 'business id',
      address: 'https://library.tiktok.com/ads/detail/?ad_id={id}',
      credential: 'a client',
      variables: ['RIVALSCOPE_TIKTOK_CLIENT_KEY', 'RIVALSCOPE_TIKTOK_CLIENT_SECRET'],
      baseUrl: 'https://open.tiktokapis.com',
      callsPerMinute: 20,
      countriesTogether: 1,
      termsOrAdvertisers: true,
      longestTerm: 50,
      // EU, EEA, United Kingdom and Switzerland.
      countries: {
        codes:
          'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se is li no gb ch'.split(
            ' ',
          ),
        cover: 'Europe only',
      },
      // The library holds ads published after 2022-10-01.
      firstDay: '2022-10-02',
      endsYesterday: true,
      filters: [],
      searchesAdvertisers: true,
      repeatsCursors: true,
      gaps: [
        {
          code: 'region-limited',
          message:
            'The TikTok commercial content library shows only ads delivered in the EU, Iceland, Liechtenstein, Norway, Switzerland and the United Kingdom.',
        },
        {
          code: 'date-window',
          message: 'It begins with ads of October 2022 and ends with those of yesterday.',
        },
        { code: 'field-not-carried', message: 'It carries no texts, buttons or landing pages.' },
      ],
    },
  },

  instagram: {
    label: 'Instagram',
    signedMediaHosts: ['cdninstagram.com'],
    posts: {
      nativeId: /^[A-Za-z0-9_-]{1,64}$/,
      hides: ['saves', 'shares'],
      handlePrefix: '@',
      address: 'https://www.instagram.com/p/{id}/',
      // An address needs the short code; the numeric id of a medium is not enough.
      noAddress: /^\d+$/,
      profile:
        /^(?:www\.)?instagram\.com\/(?!(?:p|reel|reels|explore|stories|tv|accounts|about)$)([\w.]{2,30})$/i,
      forms: { instagram: 'Instagram and instaloader' },
    },
  },

  youtube: {
    label: 'YouTube',
    mediaHosts: ['ytimg.com'],
    posts: {
      nativeId: /^[A-Za-z0-9_-]{11}$/,
      hides: ['shares', 'saves'],
      handlePrefix: '@',
      address: 'https://www.youtube.com/watch?v={id}',
      profile: /^(?:www\.|m\.)?youtube\.com\/(?:@([\w.-]{2,30})|channel\/(UC[\w-]{22}))$/i,
      forms: { youtube: 'YouTube Data API', 'youtube-trending': 'YouTube trending tables' },
    },
  },

  reddit: {
    label: 'Reddit',
    mediaHosts: ['i.redd.it', 'v.redd.it', 'redditmedia.com'],
    posts: {
      nativeId: /^[a-z0-9]{1,20}$/,
      hides: ['views', 'saves', 'shares'],
      handlePrefix: 'u/',
      hasHashtags: false,
      address: 'https://www.reddit.com/comments/{id}',
      profile: /^(?:www\.|old\.)?reddit\.com\/u(?:ser)?\/([\w-]{2,30})$/i,
      forms: { reddit: 'Reddit API' },
    },
  },

  x: {
    label: 'X',
    mediaHosts: ['twimg.com'],
    posts: {
      nativeId: /^\d{1,25}$/,
      hides: [],
      handlePrefix: '@',
      address: 'https://x.com/i/status/{id}',
      profile:
        /^(?:www\.|mobile\.)?(?:x|twitter)\.com\/(?!(?:home|share|intent|search|hashtag|explore|i)$)(\w{2,15})$/i,
      forms: { x: 'X' },
    },
  },

  /** Source of `ads`: notes of clients of Snap's ads library, April to October 2026; nothing of it is documented but its questions. */
  snapchat: {
    label: 'Snapchat',
    mediaHosts: ['sc-cdn.net'],
    ads: {
      library: 'Snap ads library',
      surface: 'Snap Ads Gallery API',
      pages: 'snap-ads-search',
      records: ['Snap `ads_library`'],
      adId: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      // It has no ids of advertisers, and is asked for their names.
      advertiserId: 'name of who pays',
      advertiserIdForm: /^\S(?:.{0,198}\S)?$/,
      // Nothing is known of pages of single ads.
      address: 'https://adsgallery.snap.com/',
      credential: 'no credential but your word, since it blocks whoever asks often',
      variables: ['RIVALSCOPE_ASK_SNAPCHAT'],
      asksOnlyIfTold: true,
      baseUrl: 'https://adsapi.snapchat.com',
      // Once in five minutes.
      callsPerMinute: 0.2,
      advertisersTogether: 1,
      termsOrAdvertisers: true,
      termsAreAdvertisers: true,
      countries: {
        codes: 'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se tr'.split(' '),
        cover: 'the EU and Turkey only',
      },
      filters: ['active'],
      refusesWithEmptyAnswers: true,
      gaps: [
        {
          code: 'region-limited',
          message: 'The Snap ads library shows only ads delivered in the EU and Turkey.',
        },
        { code: 'date-window', message: 'It shows ads of the last twelve months.' },
        {
          code: 'field-not-carried',
          message:
            'It carries no main texts and no end of delivery, and searches by the name of who pays alone.',
        },
      ],
    },
  },

  /** Source of `ads`: Google Ads Transparency Center; `creative_stats` of its public data set. */
  google: {
    label: 'Google',
    mediaHosts: ['googlesyndication.com'],
    ads: {
      filesOnly: true,
      library: 'Google Ads Transparency Center',
      records: ["Google's ads transparency tables"],
      adId: /^CR\d{1,32}$/,
      advertiserId: 'advertiser id',
      advertiserIdForm: /^AR\d{1,32}$/,
      address: 'https://adstransparency.google.com/advertiser/{advertiserId}/creative/{id}',
      addressOfAny: 'https://adstransparency.google.com/',
      gaps: [
        {
          code: 'field-not-carried',
          message:
            'Google names no app in its ads, and says when an ad was first and last shown, not whether it runs: links are by hand or by advertiser.',
        },
      ],
    },
  },

  /** Sources of `ads`: Apple, Ad Repository API, 2025; limits and forms that its clients note are in its parser. */
  apple: {
    label: 'Apple',
    mediaHosts: ['mzstatic.com'],
    ads: {
      library: 'App Store ad repository',
      place: 'in the App Store',
      surface: 'App Store ad repository',
      pages: 'apple-ad-repository',
      records: ['Apple `ad-repository-ads`'],
      adId: /^[0-9a-f]{1,32}$/,
      advertiserId: 'developer id',
      // It has no page of a single ad.
      address: 'https://adrepository.apple.com/',
      variables: [],
      baseUrl: 'https://adrepository.apple.com',
      callsPerMinute: 180,
      subjects: ['apps', 'advertiserIds', 'archiveIds', 'countries'],
      advertisersTogether: 1,
      countriesTogether: 5,
      namesCountries: true,
      shortestText: 2,
      countries: {
        codes: 'at be bg hr cy cz dk ee fi fr de gr hu ie it lv lu nl pl pt ro sk si es se'.split(' '),
        cover: '25 countries of the EU',
      },
      lastDays: { choices: [90, 180, 365], endsDaysAgo: 7 },
      filters: [],
      searchesAdvertisers: true,
      gaps: [
        {
          code: 'region-limited',
          message:
            'The App Store ad repository shows only ads delivered in Austria, Belgium, Bulgaria, Croatia, Cyprus, Czechia, Denmark, Estonia, Finland, France, Germany, Greece, Hungary, Ireland, Italy, Latvia, Luxembourg, the Netherlands, Poland, Portugal, Romania, Slovakia, Slovenia, Spain and Sweden.',
        },
        {
          code: 'date-window',
          message: 'It ends with the ads of a week ago and goes back a year from there at most.',
        },
        {
          code: 'field-not-carried',
          message:
            'It lists ads that were shown at least once. It carries no keywords, buttons or landing pages.',
        },
      ],
    },
  },
} as const satisfies Record<string, SupplierRow>

export type Supplier = keyof typeof suppliers

/** The suppliers whose row has this part. */
export type SupplierOf<Part extends 'posts' | 'ads'> = {
  [Name in Supplier]: (typeof suppliers)[Name] extends Record<Part, object> ? Name : never
}[Supplier]

export const suppliersOf = <Part extends 'posts' | 'ads'>(part: Part): readonly SupplierOf<Part>[] =>
  Object.entries(suppliers).flatMap(([name, row]) => (part in row ? [name as SupplierOf<Part>] : []))

export const allSuppliers = Object.keys(suppliers) as readonly Supplier[]

/** A row, typed by what any row may have. */
export const supplierRow = (supplier: Supplier): SupplierRow => suppliers[supplier]

export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
