/** A country or region with an App Store of its own. */
interface Storefront {
  /** ISO 3166-1 alpha-2 in lower case; `xk`, Apple's code for Kosovo, is user-assigned there. */
  readonly code: StorefrontCode
  /** In English, as in Unicode's CLDR. */
  readonly name: string
  /** Apple's number for the `X-Apple-Store-Front` header. */
  readonly appleNumber: number
  /**
   * The IANA time zone of its day. Apple does not publish when a chart's day begins. A country with several zones has the
   * zone of its capital, or of its commercial centre (us, ca, br, au, kz).
   */
  readonly timeZone: string
  /** Its default language, by App Store Connect's code. */
  readonly language: string
  /** ISO 4217 code of the currency of its prices, which may differ from the country's own. */
  readonly currency: string
}

export type StorefrontCode = (typeof rows)[number][0]

type Row = readonly [
  code: string,
  name: string,
  appleNumber: number,
  timeZone: string,
  language: string,
  currency: string,
]

/**
 * All storefronts, by code.
 *
 * Codes: Apple's list of App Store countries and regions. Numbers: Apple's affiliate appendix and the table within
 * Apple's MusicKit JS, which agree, as public projects hold them. Languages: "App Store localizations" of App Store Connect
 * Help, as of October 2026; the storefronts of the Apple Music API agree where they list one. Currencies: territories of
 * the App Store Connect API, as a public project holds them.
 */
const rows = [
  ['ae', 'United Arab Emirates', 143481, 'Asia/Dubai', 'en-GB', 'AED'],
  ['af', 'Afghanistan', 143610, 'Asia/Kabul', 'en-GB', 'USD'],
  ['ag', 'Antigua & Barbuda', 143540, 'America/Antigua', 'en-GB', 'USD'],
  ['ai', 'Anguilla', 143538, 'America/Anguilla', 'en-GB', 'USD'],
  ['al', 'Albania', 143575, 'Europe/Tirane', 'en-GB', 'USD'],
  ['am', 'Armenia', 143524, 'Asia/Yerevan', 'en-GB', 'USD'],
  ['ao', 'Angola', 143564, 'Africa/Luanda', 'en-GB', 'USD'],
  ['ar', 'Argentina', 143505, 'America/Argentina/Buenos_Aires', 'es-MX', 'USD'],
  ['at', 'Austria', 143445, 'Europe/Vienna', 'de-DE', 'EUR'],
  ['au', 'Australia', 143460, 'Australia/Sydney', 'en-AU', 'AUD'],
  ['az', 'Azerbaijan', 143568, 'Asia/Baku', 'en-GB', 'USD'],
  ['ba', 'Bosnia & Herzegovina', 143612, 'Europe/Sarajevo', 'en-GB', 'EUR'],
  ['bb', 'Barbados', 143541, 'America/Barbados', 'en-GB', 'USD'],
  ['be', 'Belgium', 143446, 'Europe/Brussels', 'en-GB', 'EUR'],
  ['bf', 'Burkina Faso', 143578, 'Africa/Ouagadougou', 'en-GB', 'USD'],
  ['bg', 'Bulgaria', 143526, 'Europe/Sofia', 'en-GB', 'EUR'],
  ['bh', 'Bahrain', 143559, 'Asia/Bahrain', 'en-GB', 'USD'],
  ['bj', 'Benin', 143576, 'Africa/Porto-Novo', 'en-GB', 'USD'],
  ['bm', 'Bermuda', 143542, 'Atlantic/Bermuda', 'en-GB', 'USD'],
  ['bn', 'Brunei', 143560, 'Asia/Brunei', 'en-GB', 'USD'],
  ['bo', 'Bolivia', 143556, 'America/La_Paz', 'es-MX', 'USD'],
  ['br', 'Brazil', 143503, 'America/Sao_Paulo', 'pt-BR', 'BRL'],
  ['bs', 'Bahamas', 143539, 'America/Nassau', 'en-GB', 'USD'],
  ['bt', 'Bhutan', 143577, 'Asia/Thimphu', 'en-GB', 'USD'],
  ['bw', 'Botswana', 143525, 'Africa/Gaborone', 'en-GB', 'USD'],
  ['by', 'Belarus', 143565, 'Europe/Minsk', 'en-GB', 'USD'],
  ['bz', 'Belize', 143555, 'America/Belize', 'en-GB', 'USD'],
  ['ca', 'Canada', 143455, 'America/Toronto', 'en-CA', 'CAD'],
  ['cd', 'Congo - Kinshasa', 143613, 'Africa/Kinshasa', 'en-GB', 'USD'],
  ['cg', 'Congo - Brazzaville', 143582, 'Africa/Brazzaville', 'en-GB', 'USD'],
  ['ch', 'Switzerland', 143459, 'Europe/Zurich', 'de-DE', 'CHF'],
  ['ci', 'Côte d’Ivoire', 143527, 'Africa/Abidjan', 'fr-FR', 'USD'],
  ['cl', 'Chile', 143483, 'America/Santiago', 'es-MX', 'CLP'],
  ['cm', 'Cameroon', 143574, 'Africa/Douala', 'fr-FR', 'USD'],
  ['cn', 'China', 143465, 'Asia/Shanghai', 'zh-Hans', 'CNY'],
  ['co', 'Colombia', 143501, 'America/Bogota', 'es-MX', 'COP'],
  ['cr', 'Costa Rica', 143495, 'America/Costa_Rica', 'es-MX', 'USD'],
  ['cv', 'Cape Verde', 143580, 'Atlantic/Cape_Verde', 'en-GB', 'USD'],
  ['cy', 'Cyprus', 143557, 'Asia/Nicosia', 'en-GB', 'EUR'],
  ['cz', 'Czechia', 143489, 'Europe/Prague', 'en-GB', 'CZK'],
  ['de', 'Germany', 143443, 'Europe/Berlin', 'de-DE', 'EUR'],
  ['dk', 'Denmark', 143458, 'Europe/Copenhagen', 'en-GB', 'DKK'],
  ['dm', 'Dominica', 143545, 'America/Dominica', 'en-GB', 'USD'],
  ['do', 'Dominican Republic', 143508, 'America/Santo_Domingo', 'es-MX', 'USD'],
  ['dz', 'Algeria', 143563, 'Africa/Algiers', 'en-GB', 'USD'],
  ['ec', 'Ecuador', 143509, 'America/Guayaquil', 'es-MX', 'USD'],
  ['ee', 'Estonia', 143518, 'Europe/Tallinn', 'en-GB', 'EUR'],
  ['eg', 'Egypt', 143516, 'Africa/Cairo', 'en-GB', 'EGP'],
  ['es', 'Spain', 143454, 'Europe/Madrid', 'es-ES', 'EUR'],
  ['fi', 'Finland', 143447, 'Europe/Helsinki', 'en-GB', 'EUR'],
  ['fj', 'Fiji', 143583, 'Pacific/Fiji', 'en-GB', 'USD'],
  ['fm', 'Micronesia', 143591, 'Pacific/Pohnpei', 'en-GB', 'USD'],
  ['fr', 'France', 143442, 'Europe/Paris', 'fr-FR', 'EUR'],
  ['ga', 'Gabon', 143614, 'Africa/Libreville', 'fr-FR', 'USD'],
  ['gb', 'United Kingdom', 143444, 'Europe/London', 'en-GB', 'GBP'],
  ['gd', 'Grenada', 143546, 'America/Grenada', 'en-GB', 'USD'],
  ['ge', 'Georgia', 143615, 'Asia/Tbilisi', 'en-GB', 'USD'],
  ['gh', 'Ghana', 143573, 'Africa/Accra', 'en-GB', 'USD'],
  ['gm', 'Gambia', 143584, 'Africa/Banjul', 'en-GB', 'USD'],
  ['gr', 'Greece', 143448, 'Europe/Athens', 'en-GB', 'EUR'],
  ['gt', 'Guatemala', 143504, 'America/Guatemala', 'es-MX', 'USD'],
  ['gw', 'Guinea-Bissau', 143585, 'Africa/Bissau', 'en-GB', 'USD'],
  ['gy', 'Guyana', 143553, 'America/Guyana', 'en-GB', 'USD'],
  ['hk', 'Hong Kong SAR China', 143463, 'Asia/Hong_Kong', 'zh-Hant', 'HKD'],
  ['hn', 'Honduras', 143510, 'America/Tegucigalpa', 'es-MX', 'USD'],
  ['hr', 'Croatia', 143494, 'Europe/Zagreb', 'en-GB', 'EUR'],
  ['hu', 'Hungary', 143482, 'Europe/Budapest', 'en-GB', 'HUF'],
  ['id', 'Indonesia', 143476, 'Asia/Jakarta', 'en-GB', 'IDR'],
  ['ie', 'Ireland', 143449, 'Europe/Dublin', 'en-GB', 'EUR'],
  ['il', 'Israel', 143491, 'Asia/Jerusalem', 'en-GB', 'ILS'],
  ['in', 'India', 143467, 'Asia/Kolkata', 'en-GB', 'INR'],
  ['iq', 'Iraq', 143617, 'Asia/Baghdad', 'en-GB', 'USD'],
  ['is', 'Iceland', 143558, 'Atlantic/Reykjavik', 'en-GB', 'USD'],
  ['it', 'Italy', 143450, 'Europe/Rome', 'it', 'EUR'],
  ['jm', 'Jamaica', 143511, 'America/Jamaica', 'en-GB', 'USD'],
  ['jo', 'Jordan', 143528, 'Asia/Amman', 'en-GB', 'USD'],
  ['jp', 'Japan', 143462, 'Asia/Tokyo', 'ja', 'JPY'],
  ['ke', 'Kenya', 143529, 'Africa/Nairobi', 'en-GB', 'USD'],
  ['kg', 'Kyrgyzstan', 143586, 'Asia/Bishkek', 'en-GB', 'USD'],
  ['kh', 'Cambodia', 143579, 'Asia/Phnom_Penh', 'en-GB', 'USD'],
  ['kn', 'St. Kitts & Nevis', 143548, 'America/St_Kitts', 'en-GB', 'USD'],
  ['kr', 'South Korea', 143466, 'Asia/Seoul', 'ko', 'KRW'],
  ['kw', 'Kuwait', 143493, 'Asia/Kuwait', 'en-GB', 'USD'],
  ['ky', 'Cayman Islands', 143544, 'America/Cayman', 'en-GB', 'USD'],
  ['kz', 'Kazakhstan', 143517, 'Asia/Almaty', 'en-GB', 'KZT'],
  ['la', 'Laos', 143587, 'Asia/Vientiane', 'en-GB', 'USD'],
  ['lb', 'Lebanon', 143497, 'Asia/Beirut', 'en-GB', 'USD'],
  ['lc', 'St. Lucia', 143549, 'America/St_Lucia', 'en-GB', 'USD'],
  ['lk', 'Sri Lanka', 143486, 'Asia/Colombo', 'en-GB', 'USD'],
  ['lr', 'Liberia', 143588, 'Africa/Monrovia', 'en-GB', 'USD'],
  ['lt', 'Lithuania', 143520, 'Europe/Vilnius', 'en-GB', 'EUR'],
  ['lu', 'Luxembourg', 143451, 'Europe/Luxembourg', 'en-GB', 'EUR'],
  ['lv', 'Latvia', 143519, 'Europe/Riga', 'en-GB', 'EUR'],
  ['ly', 'Libya', 143567, 'Africa/Tripoli', 'en-GB', 'USD'],
  ['ma', 'Morocco', 143620, 'Africa/Casablanca', 'en-GB', 'USD'],
  ['md', 'Moldova', 143523, 'Europe/Chisinau', 'en-GB', 'USD'],
  ['me', 'Montenegro', 143619, 'Europe/Podgorica', 'en-GB', 'EUR'],
  ['mg', 'Madagascar', 143531, 'Indian/Antananarivo', 'en-GB', 'USD'],
  ['mk', 'North Macedonia', 143530, 'Europe/Skopje', 'en-GB', 'USD'],
  ['ml', 'Mali', 143532, 'Africa/Bamako', 'en-GB', 'USD'],
  ['mm', 'Myanmar (Burma)', 143570, 'Asia/Yangon', 'en-GB', 'USD'],
  ['mn', 'Mongolia', 143592, 'Asia/Ulaanbaatar', 'en-GB', 'USD'],
  ['mo', 'Macao SAR China', 143515, 'Asia/Macau', 'zh-Hant', 'USD'],
  ['mr', 'Mauritania', 143590, 'Africa/Nouakchott', 'en-GB', 'USD'],
  ['ms', 'Montserrat', 143547, 'America/Montserrat', 'en-GB', 'USD'],
  ['mt', 'Malta', 143521, 'Europe/Malta', 'en-GB', 'EUR'],
  ['mu', 'Mauritius', 143533, 'Indian/Mauritius', 'en-GB', 'USD'],
  ['mv', 'Maldives', 143488, 'Indian/Maldives', 'en-GB', 'USD'],
  ['mw', 'Malawi', 143589, 'Africa/Blantyre', 'en-GB', 'USD'],
  ['mx', 'Mexico', 143468, 'America/Mexico_City', 'es-MX', 'MXN'],
  ['my', 'Malaysia', 143473, 'Asia/Kuala_Lumpur', 'en-GB', 'MYR'],
  ['mz', 'Mozambique', 143593, 'Africa/Maputo', 'en-GB', 'USD'],
  ['na', 'Namibia', 143594, 'Africa/Windhoek', 'en-GB', 'USD'],
  ['ne', 'Niger', 143534, 'Africa/Niamey', 'en-GB', 'USD'],
  ['ng', 'Nigeria', 143561, 'Africa/Lagos', 'en-GB', 'NGN'],
  ['ni', 'Nicaragua', 143512, 'America/Managua', 'es-MX', 'USD'],
  ['nl', 'Netherlands', 143452, 'Europe/Amsterdam', 'nl-NL', 'EUR'],
  ['no', 'Norway', 143457, 'Europe/Oslo', 'en-GB', 'NOK'],
  ['np', 'Nepal', 143484, 'Asia/Kathmandu', 'en-GB', 'USD'],
  ['nr', 'Nauru', 143606, 'Pacific/Nauru', 'en-GB', 'USD'],
  ['nz', 'New Zealand', 143461, 'Pacific/Auckland', 'en-AU', 'NZD'],
  ['om', 'Oman', 143562, 'Asia/Muscat', 'en-GB', 'USD'],
  ['pa', 'Panama', 143485, 'America/Panama', 'es-MX', 'USD'],
  ['pe', 'Peru', 143507, 'America/Lima', 'es-MX', 'PEN'],
  ['pg', 'Papua New Guinea', 143597, 'Pacific/Port_Moresby', 'en-GB', 'USD'],
  ['ph', 'Philippines', 143474, 'Asia/Manila', 'en-GB', 'PHP'],
  ['pk', 'Pakistan', 143477, 'Asia/Karachi', 'en-GB', 'PKR'],
  ['pl', 'Poland', 143478, 'Europe/Warsaw', 'en-GB', 'PLN'],
  ['pt', 'Portugal', 143453, 'Europe/Lisbon', 'pt-PT', 'EUR'],
  ['pw', 'Palau', 143595, 'Pacific/Palau', 'en-GB', 'USD'],
  ['py', 'Paraguay', 143513, 'America/Asuncion', 'es-MX', 'USD'],
  ['qa', 'Qatar', 143498, 'Asia/Qatar', 'en-GB', 'QAR'],
  ['ro', 'Romania', 143487, 'Europe/Bucharest', 'en-GB', 'RON'],
  ['rs', 'Serbia', 143500, 'Europe/Belgrade', 'en-GB', 'EUR'],
  ['ru', 'Russia', 143469, 'Europe/Moscow', 'ru', 'RUB'],
  ['rw', 'Rwanda', 143621, 'Africa/Kigali', 'en-GB', 'USD'],
  ['sa', 'Saudi Arabia', 143479, 'Asia/Riyadh', 'en-GB', 'SAR'],
  ['sb', 'Solomon Islands', 143601, 'Pacific/Guadalcanal', 'en-GB', 'USD'],
  ['sc', 'Seychelles', 143599, 'Indian/Mahe', 'en-GB', 'USD'],
  ['se', 'Sweden', 143456, 'Europe/Stockholm', 'sv', 'SEK'],
  ['sg', 'Singapore', 143464, 'Asia/Singapore', 'en-GB', 'SGD'],
  ['si', 'Slovenia', 143499, 'Europe/Ljubljana', 'en-GB', 'EUR'],
  ['sk', 'Slovakia', 143496, 'Europe/Bratislava', 'en-GB', 'EUR'],
  ['sl', 'Sierra Leone', 143600, 'Africa/Freetown', 'en-GB', 'USD'],
  ['sn', 'Senegal', 143535, 'Africa/Dakar', 'en-GB', 'USD'],
  ['sr', 'Suriname', 143554, 'America/Paramaribo', 'en-GB', 'USD'],
  ['st', 'São Tomé & Príncipe', 143598, 'Africa/Sao_Tome', 'en-GB', 'USD'],
  ['sv', 'El Salvador', 143506, 'America/El_Salvador', 'es-MX', 'USD'],
  ['sz', 'Eswatini', 143602, 'Africa/Mbabane', 'en-GB', 'USD'],
  ['tc', 'Turks & Caicos Islands', 143552, 'America/Grand_Turk', 'en-GB', 'USD'],
  ['td', 'Chad', 143581, 'Africa/Ndjamena', 'en-GB', 'USD'],
  ['th', 'Thailand', 143475, 'Asia/Bangkok', 'en-GB', 'THB'],
  ['tj', 'Tajikistan', 143603, 'Asia/Dushanbe', 'en-GB', 'USD'],
  ['tm', 'Turkmenistan', 143604, 'Asia/Ashgabat', 'en-GB', 'USD'],
  ['tn', 'Tunisia', 143536, 'Africa/Tunis', 'en-GB', 'USD'],
  ['to', 'Tonga', 143608, 'Pacific/Tongatapu', 'en-GB', 'USD'],
  ['tr', 'Türkiye', 143480, 'Europe/Istanbul', 'en-GB', 'TRY'],
  ['tt', 'Trinidad & Tobago', 143551, 'America/Port_of_Spain', 'en-GB', 'USD'],
  ['tw', 'Taiwan', 143470, 'Asia/Taipei', 'zh-Hant', 'TWD'],
  ['tz', 'Tanzania', 143572, 'Africa/Dar_es_Salaam', 'en-GB', 'TZS'],
  ['ua', 'Ukraine', 143492, 'Europe/Kyiv', 'en-GB', 'USD'],
  ['ug', 'Uganda', 143537, 'Africa/Kampala', 'en-GB', 'USD'],
  ['us', 'United States', 143441, 'America/New_York', 'en-US', 'USD'],
  ['uy', 'Uruguay', 143514, 'America/Montevideo', 'en-GB', 'USD'],
  ['uz', 'Uzbekistan', 143566, 'Asia/Tashkent', 'en-GB', 'USD'],
  ['vc', 'St. Vincent & Grenadines', 143550, 'America/St_Vincent', 'en-GB', 'USD'],
  ['ve', 'Venezuela', 143502, 'America/Caracas', 'es-MX', 'USD'],
  ['vg', 'British Virgin Islands', 143543, 'America/Tortola', 'en-GB', 'USD'],
  ['vn', 'Vietnam', 143471, 'Asia/Ho_Chi_Minh', 'en-GB', 'VND'],
  ['vu', 'Vanuatu', 143609, 'Pacific/Efate', 'en-GB', 'USD'],
  ['xk', 'Kosovo', 143624, 'Europe/Belgrade', 'en-GB', 'EUR'],
  ['ye', 'Yemen', 143571, 'Asia/Aden', 'en-GB', 'USD'],
  ['za', 'South Africa', 143472, 'Africa/Johannesburg', 'en-GB', 'ZAR'],
  ['zm', 'Zambia', 143622, 'Africa/Lusaka', 'en-GB', 'USD'],
  ['zw', 'Zimbabwe', 143605, 'Africa/Harare', 'en-GB', 'USD'],
] as const satisfies readonly Row[]

/** All of them, by code. */
export const storefronts: readonly Storefront[] = rows.map(
  ([code, name, appleNumber, timeZone, language, currency]) => ({
    code,
    name,
    appleNumber,
    timeZone,
    language,
    currency,
  }),
)

export const storefrontCodes: readonly StorefrontCode[] = rows.map(([code]) => code)

const byCode: ReadonlyMap<string, Storefront> = new Map(storefronts.map((one) => [one.code, one]))

/** Whether a country, named by its code in lower case, has an App Store. */
export function isStorefront(country: string): country is StorefrontCode {
  return byCode.has(country)
}

/** A country without an App Store of its own. There is no substitute: another store's answer would be wrong. */
export class UnknownStorefrontError extends RangeError {
  constructor(country: string) {
    super(`"${country}" is not an App Store country`)
    this.name = 'UnknownStorefrontError'
  }
}

/** The storefront of a code in lower case. @throws UnknownStorefrontError */
export function storefrontOf(country: string): Storefront {
  const found = byCode.get(country)
  if (!found) throw new UnknownStorefrontError(country)
  return found
}
