import { sql } from 'kysely'
import { type Database, rows } from '../../storage/database.ts'
import { type LocalizationCode, supportedLocalizations } from '../../vocabulary/storefronts.ts'

/** An app of a storefront in one of its languages. */
export interface AppInLanguage {
  storeId: string
  country: string
  language: LocalizationCode
}

/** The languages of a storefront beside its own: those that Apple's table names, or of the given ones those that it names. */
export function languagesBeside(
  country: string,
  wanted: readonly LocalizationCode[] | 'supported',
): LocalizationCode[] {
  const [, ...others] = supportedLocalizations(country)
  return wanted === 'supported' ? others : others.filter((code) => wanted.includes(code))
}

/**
 * The tracked apps, own ones and rivals, in the other languages of the storefronts that they are tracked in, by storefront and app;
 * nothing else of the catalogue.
 * @param before those not asked for since then, oldest first; all when left out
 */
export async function trackedInLanguages(
  db: Database,
  wanted: readonly LocalizationCode[] | 'supported',
  before?: Date,
): Promise<AppInLanguage[]> {
  const tracked = await rows(
    db,
    sql<{ storeId: string; country: string }>`
      select store_id::text as "storeId", country from tracked_apps where role <> 'watched'
      group by store_id, country order by country, store_id`,
  )
  const all = tracked.flatMap(({ storeId, country }) =>
    languagesBeside(country, wanted).map((language) => ({ storeId, country, language })),
  )
  if (!before || all.length === 0) return all
  const checked = await rows(
    db,
    sql<AppInLanguage & { at: Date }>`
      select store_id::text as "storeId", country, language, checked_at as at from localization_checks
      where store_id in (select value::bigint from json_array_elements_text(${JSON.stringify(tracked.map(({ storeId }) => storeId))}::json))`,
  )
  const at = new Map(checked.map((one) => [keyOf(one), one.at.getTime()]))
  const lastAt = (one: AppInLanguage) => at.get(keyOf(one)) ?? 0
  return all.filter((one) => lastAt(one) < before.getTime()).sort((one, other) => lastAt(one) - lastAt(other))
}

const keyOf = ({ storeId, country, language }: AppInLanguage) => `${storeId} ${country} ${language}`

/** Records that apps of a storefront were asked for in a language. */
export async function recordLocalizationChecks(
  db: Database,
  storeIds: readonly string[],
  { country, language }: Omit<AppInLanguage, 'storeId'>,
  at: Date,
): Promise<void> {
  await sql`
    insert into localization_checks (store_id, country, language, checked_at)
    select distinct value::bigint, ${country}::text, ${language}::text, ${at}::timestamptz
    from json_array_elements_text(${JSON.stringify(storeIds)}::json)
    order by 1
    on conflict (store_id, country, language) do update set checked_at = excluded.checked_at`.execute(db)
}
