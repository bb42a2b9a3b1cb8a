import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { type Database, firstRow, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import type { DraftTexts } from './draft-coverage.ts'

/** Texts that an account plans for its listing of an app in a storefront. */
export interface ListingDraft {
  draftId: string
  storeId: string
  country: string
  name: string
  /** What differs from the own listing. */
  texts: DraftTexts
  /** Grows with each change. */
  version: number
  changedAt: Date
}

/** Most drafts of an account for an app in a storefront. */
export const maxDrafts = 20

const columns = sql`
  draft_id as "draftId", store_id::text as "storeId", country, name, texts, version, changed_at as "changedAt"`

/** The drafts of an account for an app in a storefront, the one changed last first. */
export const listingDraftsOf = (
  db: Database,
  accountId: string,
  { storeId, country }: { storeId: string; country: string },
): Promise<ListingDraft[]> =>
  rows(
    db,
    sql<ListingDraft>`
      select ${columns} from listing_drafts
      where account_id = ${accountId}::uuid and store_id = ${bigintId(storeId)} and country = ${country}
      order by changed_at desc, draft_id`,
  )

/** A draft of an account; undefined where it has none with this id. */
export const listingDraft = (
  db: Database,
  accountId: string,
  draftId: string,
): Promise<ListingDraft | undefined> =>
  firstRow(
    db,
    sql<ListingDraft>`
      select ${columns} from listing_drafts where draft_id = ${draftId}::uuid and account_id = ${accountId}::uuid`,
  )

/**
 * Stores a draft; inside a transaction, in which writes of one account come one after the other.
 * @param seen the version that whoever writes saw; null for a new one
 * @returns the draft as it is stored, where `known` is one that was the same already; or why nothing was stored. `newer`: it was changed or
 * removed since it was seen. `taken`: the id was used for something else. `full`: there are `maxDrafts`. `not-tracked`: the account does
 * not track the app there.
 */
export async function saveListingDraft(
  transaction: Database,
  accountId: string,
  draft: Omit<ListingDraft, 'version' | 'changedAt'>,
  seen: number | null,
): Promise<
  | { outcome: 'created' | 'changed' | 'known'; draft: ListingDraft }
  | { outcome: 'newer' | 'taken' | 'full' | 'not-tracked' }
> {
  const { draftId, storeId, country, name, texts } = draft
  const before = await listingDraft(transaction, accountId, draftId)
  if (before && (before.storeId !== storeId || before.country !== country)) return { outcome: 'taken' }
  // Also what is asked for again because its answer was lost.
  if (before?.name === name && isDeepStrictEqual(before.texts, texts))
    return { outcome: 'known', draft: before }
  if ((before?.version ?? null) !== seen) return { outcome: 'newer' }
  if (!before) {
    const room = await firstRow(
      transaction,
      sql<{ drafts: number; tracked: boolean }>`
        select (
            select count(*)::int from listing_drafts
            where account_id = ${accountId}::uuid and store_id = ${bigintId(storeId)} and country = ${country}
          ) as drafts,
          exists (
            select from tracked_apps
            where account_id = ${accountId}::uuid and store_id = ${bigintId(storeId)} and country = ${country}
          ) as tracked`,
    )
    if (!room?.tracked) return { outcome: 'not-tracked' }
    if (room.drafts >= maxDrafts) return { outcome: 'full' }
  }
  const stored = await firstRow(
    transaction,
    before
      ? sql<ListingDraft>`
          update listing_drafts set name = ${name}, texts = ${JSON.stringify(texts)}::json, version = version + 1, changed_at = now()
          where draft_id = ${draftId}::uuid and account_id = ${accountId}::uuid returning ${columns}`
      : sql<ListingDraft>`
          insert into listing_drafts (draft_id, account_id, store_id, country, name, texts)
          values (${draftId}::uuid, ${accountId}::uuid, ${bigintId(storeId)}, ${country}, ${name}, ${JSON.stringify(texts)}::json)
          on conflict (draft_id) do nothing returning ${columns}`,
  )
  // Another account has the id.
  return stored ? { outcome: before ? 'changed' : 'created', draft: stored } : { outcome: 'taken' }
}

/**
 * Removes a draft of an account.
 * @param seen the version that whoever removes it saw
 * @returns whether there was one; `newer` where it was changed since
 */
export async function removeListingDraft(
  transaction: Database,
  accountId: string,
  draftId: string,
  seen: number,
): Promise<boolean | 'newer'> {
  const gone = await rows(
    transaction,
    sql<{ draftId: string }>`
      delete from listing_drafts
      where draft_id = ${draftId}::uuid and account_id = ${accountId}::uuid and version = ${seen}
      returning draft_id as "draftId"`,
  )
  if (gone.length > 0) return true
  return (await listingDraft(transaction, accountId, draftId)) ? 'newer' : false
}
