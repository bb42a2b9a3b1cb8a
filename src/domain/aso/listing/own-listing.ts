import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Database, inTransaction, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import type { OwnTextField } from '../../../vocabulary/own-listing.ts'
import { countChange } from '../../evidence/changes.ts'

/** Texts of one localization; '' is a text that is known to be empty, a missing one was never told. */
export type OwnTexts = Partial<Record<OwnTextField, string>>

/** What an account told of its own listing. */
export interface OwnListing {
  /** By localization code, each with the time at which it was last told. */
  localizations: Map<string, { texts: OwnTexts; observedAt: Date }>
  /** When the newest of it was told. */
  observedAt: Date
  /** How many imports told something new. */
  imports: number
}

interface ImportRow {
  importId: string
  observedAt: Date
  confirmedAt: Date
  isWhole: boolean
  texts: Record<string, OwnTexts>
}

/** The own listing of an app as an account told it, over all its imports; undefined where it told none. */
export async function ownListingOf(
  db: Database,
  accountId: string,
  storeId: string,
): Promise<OwnListing | undefined> {
  const imports = await importsOf(db, accountId, storeId)
  return imports.length > 0 ? listingOf(imports) : undefined
}

const importsOf = (db: Database, accountId: string, storeId: string): Promise<ImportRow[]> =>
  rows(
    db,
    sql<ImportRow>`
      select import_id as "importId", observed_at as "observedAt", confirmed_at as "confirmedAt", is_whole as "isWhole", texts
      from own_listings where account_id = ${accountId} and store_id = ${bigintId(storeId)}
      order by observed_at, imported_at, import_id`,
  )

/** The listing after some imports, oldest first: the newest of each text, and after a whole one nothing that it does not name. */
function listingOf(imports: readonly ImportRow[]): OwnListing {
  const localizations: OwnListing['localizations'] = new Map()
  let observedAt = new Date(0)
  for (const { isWhole, texts, confirmedAt } of imports) {
    if (isWhole) localizations.clear()
    for (const [code, told] of Object.entries(texts)) {
      const before = localizations.get(code)?.texts
      localizations.set(code, { texts: { ...before, ...told }, observedAt: confirmedAt })
    }
    if (confirmedAt > observedAt) observedAt = confirmedAt
  }
  return { localizations, observedAt, imports: imports.length }
}

/**
 * Stores what an import tells of an own listing, atomically: a row where it tells something new, else only that it was said again.
 * @param told texts by localization
 * @returns the localizations of which something is new
 */
export async function tellOwnListing(
  db: Database,
  of: { accountId: string; storeId: string; observedAt: Date; isWhole: boolean },
  told: ReadonlyMap<string, OwnTexts>,
): Promise<Set<string>> {
  const { accountId, storeId, observedAt, isWhole } = of
  return inTransaction(db, async (transaction) => {
    // Imports of one account come one after the other.
    await sql`select from accounts where account_id = ${accountId} for no key update`.execute(transaction)
    const all = await importsOf(transaction, accountId, storeId)
    const earlier = all.filter((one) => one.observedAt <= observedAt)
    const before =
      earlier.length > 0 ? listingOf(earlier).localizations : new Map<string, { texts: OwnTexts }>()
    const isNew = ([code, texts]: [string, OwnTexts]) => {
      const known = before.get(code)?.texts
      return !known || Object.entries(texts).some(([field, text]) => known[field as OwnTextField] !== text)
    }
    const changed = new Set([...told].filter(isNew).map(([code]) => code))
    const isGone = isWhole && [...before.keys()].some((code) => !told.has(code))
    const last = earlier.at(-1)
    if (changed.size > 0 || isGone || !last)
      await sql`
        insert into own_listings (import_id, account_id, store_id, observed_at, confirmed_at, is_whole, texts)
        values (${uuidv7()}, ${accountId}, ${bigintId(storeId)}, ${observedAt}, ${observedAt}, ${isWhole},
          ${JSON.stringify(Object.fromEntries(told))}::json)`.execute(transaction)
    else
      await sql`
        update own_listings set confirmed_at = greatest(confirmed_at, ${observedAt}::timestamptz)
        where import_id = ${last.importId}`.execute(transaction)
    await countChange(transaction, ['accounts'])
    return changed
  })
}
