import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../storage/database.ts'
import type { AttributionKind, AttributionPlace } from '../../vocabulary/creatives.ts'
import type { Reading } from '../evidence/reading.ts'
import { type CreativeKind, columnListSql } from './kind.ts'

/** One piece of evidence in a creative that links it to an app. A name alone is not enough. */
export interface Attribution {
  /** Digits. */
  storeId: string
  kind: AttributionKind
  /** As found: an address or a handle. */
  text: string
  foundIn: AttributionPlace
}

/** Strongest first; links show them in this order. */
export const attributionStrength = [
  'manual',
  'advertiser-link',
  'declared-handle',
  'named-app',
  'landing-url',
  'store-url',
  'known-handle',
] as const

/** An attribution as found in an observation of a creative. */
interface FoundAttribution extends Attribution {
  number: string
  reading: Reading
}

/**
 * Adds attributions, once for each creative, app, kind and place, from the earliest observation; of equal times the reading
 * with the greater key is named. For kinds that accounts can import, attributions from a source take precedence over
 * user-provided ones.
 */
export async function writeAttributions(
  db: Database,
  { number, attributions: { table, first } }: CreativeKind,
  attributions: readonly FoundAttribution[],
): Promise<void> {
  if (attributions.length === 0) return
  const sent = attributions.map((attribution) => ({
    number: attribution.number,
    store_id: attribution.storeId,
    kind: attribution.kind,
    found_in: attribution.foundIn,
    text: attribution.text,
    reading_id: attribution.reading.readingId,
    reading_key: attribution.reading.key,
    recorded_at: attribution.reading.observedAt,
    brought: Boolean(attribution.reading.broughtBy),
  }))
  const columns = ['text', 'reading_id', 'reading_key', 'recorded_at', ...first]
  const rank = (of: 'g' | 'excluded', other: 'g' | 'excluded'): RawBuilder<unknown> => sql`
    (${columnListSql([...first.map((column) => `${of}.${column}`), `${of}.recorded_at`])}, ${sql.ref(`${of}.text`)} collate "C",
      ${sql.ref(`${other}.reading_key`)}, ${sql.ref(`${other}.reading_id`)})`
  await sql`
    insert into ${sql.table(table)} as g (${sql.ref(number)}, store_id, kind, found_in, ${columnListSql(columns)})
    select distinct on (number, store_id, kind, found_in) number, store_id, kind, found_in, ${columnListSql(columns)}
    from json_to_recordset(${JSON.stringify(sent)}::json) as sent(number bigint, store_id bigint, kind text, found_in text,
      text text, reading_id uuid, reading_key text, recorded_at timestamptz, brought boolean)
    order by number, store_id, kind, found_in, brought, recorded_at, text collate "C", reading_key collate "C" desc, reading_id desc
    on conflict (${sql.ref(number)}, store_id, kind, found_in) do update
      set ${columnListSql(columns, (column) => sql`${column} = excluded.${column}`)}
      where ${rank('excluded', 'g')} < ${rank('g', 'excluded')}`.execute(db)
}

/** An App Store address of an app, as found in a text. */
interface StoreAddress {
  /** Digits. */
  storeId: string
  /** As found, without anything after the id. */
  text: string
}

/**
 * App Store addresses of apps only: `/app/` with an id, at any depth and with any name between, or the older
 * `viewSoftware?id=`. The host must be Apple's: preceded by nothing or by `//`, and followed by the path.
 */
const address =
  /(?<![A-Za-z0-9._@/-]|\/\/[^\s/]*@)(?:[a-z][a-z-]{1,20}:\/\/)?(?:geo\.)?(?:apps|itunes)\.apple\.com(?::\d+)?\/(?:(?:[a-z]{2}(?:-[a-z]{2})?\/)?app\/(?:[^\s/?#"'<>()]{1,400}\/)?(?:id)?(\d{6,19})(?![\p{L}\p{N}])|WebObjects\/MZStore\.woa\/wa\/viewSoftware\?(?:[^\s"'<>()]{0,400}?[&;])?id=(\d{6,19})(?!\d))/giu

/** The App Store addresses in a text, each app once, in order; including those escaped inside other addresses. */
export function storeAddressesIn(text: string): StoreAddress[] {
  if (!/apple\.com/i.test(text)) return []
  const found = new Map<string, StoreAddress>()
  for (const readable of [text, unescaped(text)]) {
    for (const [whole, inPath, inQuery] of readable.matchAll(address)) {
      const storeId = (inPath ?? inQuery ?? '').replace(/^0+/, '')
      if (storeId !== '' && BigInt(storeId) < 2n ** 63n && !found.has(storeId))
        found.set(storeId, { storeId, text: whole })
    }
  }
  return [...found.values()]
}

/** The custom product page of an app that an address leads to. */
export interface NamedProductPage {
  /** Digits. */
  storeId: string
  /** A UUID in lower case. */
  productPageId: string
}

/** What follows the id of an app in its address, up to the page that it names as `ppid`. */
const productPage =
  /^[^\s"'<>()?]{0,400}\?(?:[^\s"'<>()]{0,400}?[&;])?ppid=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/i

/** The custom product pages that App Store addresses in a text name, each once, in order; also those inside other addresses. */
export function productPagesIn(text: string): NamedProductPage[] {
  if (!/ppid(?:=|%3d)/i.test(text)) return []
  const found = new Map<string, NamedProductPage>()
  for (const readable of [text, unescaped(text)]) {
    for (const { 0: whole, 1: inPath, index } of readable.matchAll(address)) {
      const named = productPage.exec(readable.slice(index + whole.length, index + whole.length + 900))?.[1]
      const [storeId, productPageId] = [inPath?.replace(/^0+/, ''), named?.toLowerCase()]
      if (storeId && productPageId) found.set(`${storeId} ${productPageId}`, { storeId, productPageId })
    }
  }
  return [...found.values()]
}

/** Networks wrap addresses in addresses of their own: `?q=https%3A%2F%2Fapps.apple.com%2F…`. */
function unescaped(text: string): string {
  return text.replace(/[a-z]{1,20}%3a%2f%2f[^\s&"'<>]+/gi, (part) => {
    try {
      return ` ${decodeURIComponent(part)}`
    } catch {
      return part
    }
  })
}
