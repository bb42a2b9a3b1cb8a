import { type RawBuilder, sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { atomically, type Database, firstRow, rows } from '../../../storage/database.ts'
import { bigintId } from '../../../storage/ids.ts'
import type { TrackedRole } from '../../../vocabulary/app-relations.ts'
import { withinLimits } from '../../accounts/limits.ts'
import { type AddAppInput, addAppWithin, hasFullListing, isInCatalogue } from '../../add-app/add-app.ts'
import { notFoundAmong } from '../../catalogue/availability.ts'
import { countChange, withCountedChange } from '../../evidence/changes.ts'
import type { Enqueue } from '../../work/ask-for-work.ts'

/** An app to be tracked by an account. */
interface AppToTrack {
  accountId: string
  /** As the user named it. */
  app: string
  storeId: string
  country: string
  role: TrackedRole
  /** The own app that a rival belongs to; null for every own app of the storefront. */
  rivalOf?: string | null
}

/** `rivalOf` names no own app that the account tracks in the storefront, or the role is not that of a rival. */
export class NoOwnApp extends Error {
  override name = 'NoOwnApp'
}

/**
 * Tracks an app in one storefront, and requests that it is added when the storefront's catalogue does not have it,
 * atomically. An app that is already tracked keeps its role, and the app it is a rival of.
 * @throws LimitReached
 * @throws NoOwnApp
 */
export function trackApp(
  db: Database,
  enqueue: Enqueue,
  { app, ...asked }: AppToTrack,
): Promise<{ appId: string; created: boolean }> {
  return withinLimits(db, asked.accountId, async (transaction) => {
    await lockRivalOf(transaction, asked)
    const tracked = await insertTrackedApp(transaction, { appId: uuidv7(), ...asked })
    const { accountId, storeId, country } = asked
    const input: AddAppInput = { storeId, bundleId: null, country }
    if (!(await isInCatalogue(transaction, storeId, country)))
      await addAppWithin(transaction, enqueue, { accountId, askedAs: app }, input)
    if (tracked.created) await countChange(transaction, ['accounts'])
    return tracked
  })
}

/**
 * Removes an app from those of an account, with its keywords. Idempotent.
 * @returns whether the account ever tracked it
 */
export function removeTrackedApp(db: Database, accountId: string, appId: string): Promise<boolean> {
  return atomically(db, async (transaction) => {
    if (!(await lockTrackedApp(transaction, accountId, appId))) return wasTracked(transaction, accountId, appId)
    await deleteTrackedApp(transaction, appId)
    await countChange(transaction, ['accounts'])
    return true
  })
}

/** Sort order of the list of tracked apps. */
const trackedRoles: readonly string[] = ['own', 'rival', 'watched'] satisfies TrackedRole[]

export const isRole = (text: string) => trackedRoles.includes(text)

/** An app that an account tracks in one storefront, with its label. */
export interface TrackedAppRow {
  appId: string
  storeId: string
  country: string
  role: TrackedRole
  /** The tracked app that a rival belongs to; null for one of every own app of the storefront, and for other roles. */
  rivalOf: string | null
  trackedAt: Date
  keywordCount: number
  /** Null when no record has it. */
  name: string | null
  developer: string | null
  iconUrl: string | null
  /** Storefront of the record with name, developer and icon; null when there is none. */
  namedIn: string | null
  /** Since when the storefront does not list it, confirmed by a second miss; null where it does or nobody knows. */
  notFoundSince: Date | null
  /** Whether a whole listing is stored for the storefront it is tracked in. */
  takenIn: boolean
}

/**
 * The label comes from the storefront the app is tracked in, otherwise from the one with most ratings.
 * @param which the clauses of a statement that select tracked apps `a`
 */
const trackedApps = (which: RawBuilder<unknown>, order = sql`a.app_id`) => sql<TrackedAppRow>`
  with chosen as materialized (
    select a.*, (select count(*)::int from tracked_keywords k where k.app_id = a.app_id) as keywords
    from tracked_apps a ${which}
  ), label as materialized (
    select distinct on (r.store_id, c.app_id) c.app_id, r.country, r.name, r.developer, r.icon_url,
      r.country = c.country and ${hasFullListing(sql`r`)} as taken_in
    from chosen c join app_records r using (store_id)
    order by r.store_id, c.app_id, (r.country = c.country) desc, r.rating_count desc nulls last, r.country
  ), missed as materialized (${notFoundAmong(sql`chosen`)})
  select a.app_id as "appId", a.store_id::text as "storeId", a.country, a.role,
    a.rival_of as "rivalOf", a.tracked_at as "trackedAt",
    a.keywords as "keywordCount", label.name, label.developer, label.icon_url as "iconUrl", label.country as "namedIn",
    coalesce(label.taken_in, false) as "takenIn", missed.since as "notFoundSince"
  from chosen a left join label using (app_id) left join missed using (app_id)
  order by ${order}`

/** A tracked app of an account; undefined for ids of other accounts and unknown ids. */
export function trackedApp(db: Database, accountId: string, appId: string): Promise<TrackedAppRow | undefined> {
  return firstRow(db, trackedApps(sql`where a.account_id = ${accountId} and a.app_id = ${appId}`))
}

const placeOf = (role: string) => trackedRoles.indexOf(role) + 1
const placeOfRole = sql`array_position(${`{${trackedRoles.join(',')}}`}::text[], a.role)`

/** Tracked apps of an account: by role, and within one the newest first. */
export function trackedAppsOf(
  db: Database,
  accountId: string,
  only: { role: TrackedRole | undefined; country: string | undefined },
  { limit, after }: { limit: number; after: { role: string; appId: string } | undefined },
): Promise<TrackedAppRow[]> {
  const { role = null, country = null } = only
  const beyond = after
    ? sql`(${placeOfRole} > ${placeOf(after.role)}::int
        or ${placeOfRole} = ${placeOf(after.role)}::int and a.app_id < ${after.appId}::uuid)`
    : sql`true`
  return rows(
    db,
    trackedApps(
      sql`
        where a.account_id = ${accountId} and (${role}::text is null or a.role = ${role})
          and (${country}::text is null or a.country = ${country}) and ${beyond}
        order by ${placeOfRole}, a.app_id desc
        limit ${limit}`,
      sql`${placeOfRole}, a.app_id desc`,
    ),
  )
}

/**
 * Tracks an app, unless the account already does. The row stays locked until the transaction ends. @returns whether it is
 * new
 */
export async function insertTrackedApp(
  db: Database,
  app: Omit<AppToTrack, 'app'> & { appId: string },
): Promise<{ appId: string; created: boolean }> {
  const { appId, accountId, storeId, country, role, rivalOf = null } = app
  const found = await firstRow(
    db,
    sql<{ appId: string }>`
      insert into tracked_apps as a (app_id, account_id, store_id, country, role, rival_of)
      values (${appId}, ${accountId}, ${bigintId(storeId)}, ${country}, ${role}, ${rivalOf})
      on conflict (account_id, store_id, country) do update set role = a.role
      returning app_id as "appId"`,
  )
  if (!found) throw new Error(`The app ${storeId} (${country}) is neither new nor tracked.`)
  return { appId: found.appId, created: found.appId === appId }
}

/**
 * Sets the role of a tracked app.
 * @param rivalOf the own app that a rival belongs to; as it is when left out, null for every own app of the storefront. A role that is
 *   not that of a rival ends it
 * @returns whether the account tracks it
 * @throws NoOwnApp
 */
export function setRole(
  db: Database,
  accountId: string,
  appId: string,
  role: TrackedRole,
  rivalOf?: string | null,
): Promise<boolean> {
  return atomically(db, async (transaction) => {
    const tracked = await lockTrackedApp(transaction, accountId, appId)
    if (!tracked) return false
    await lockRivalOf(transaction, { accountId, role, rivalOf, ...tracked })
    const belongsTo = role === 'rival' && rivalOf === undefined ? sql`rival_of` : sql`${rivalOf ?? null}::uuid`
    await withCountedChange(
      sql`update tracked_apps set role = ${role}, rival_of = ${belongsTo} where app_id = ${appId} returning app_id`,
      'accounts',
    ).execute(transaction)
    return true
  })
}

/**
 * Locks the own app that a rival is to belong to until the transaction ends, so that it is not removed meanwhile.
 * @throws NoOwnApp
 */
async function lockRivalOf(
  db: Database,
  rival: Pick<AppToTrack, 'accountId' | 'storeId' | 'country' | 'role'> & {
    rivalOf?: string | null | undefined
  },
): Promise<void> {
  const { accountId, storeId, country, role, rivalOf } = rival
  if (!rivalOf) return
  if (role !== 'rival') throw new NoOwnApp('goes with the role `rival` alone')
  const found = await firstRow(
    db,
    sql`
      select from tracked_apps
      where app_id = ${rivalOf}::uuid and account_id = ${accountId}::uuid and country = ${country} and role = 'own'
        and store_id <> ${bigintId(storeId)}
      for share`,
  )
  if (!found)
    throw new NoOwnApp(
      `is the id of no other own app that this account tracks in ${country}; list_aso_apps with role=own gives it`,
    )
}

/** Locks a tracked app until the transaction ends. @returns its storefront, or undefined */
export async function lockTrackedApp(
  db: Database,
  accountId: string,
  appId: string,
): Promise<{ storeId: string; country: string } | undefined> {
  return firstRow(
    db,
    sql<{ storeId: string; country: string }>`
      select store_id::text as "storeId", country from tracked_apps
      where account_id = ${accountId} and app_id = ${appId} for update`,
  )
}

/** Deletes a tracked app with its keywords, and remembers their ids. */
async function deleteTrackedApp(db: Database, appId: string): Promise<void> {
  await sql`
    insert into removed_keywords (keyword_id, app_id)
    select keyword_id, app_id from tracked_keywords where app_id = ${appId}`.execute(db)
  await sql`
    with gone as (delete from tracked_apps where app_id = ${appId} returning app_id, account_id)
    insert into removed_tracked_apps (app_id, account_id) select app_id, account_id from gone`.execute(db)
}

/** Whether the account once tracked an app and removed it. */
export async function wasTracked(db: Database, accountId: string, appId: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`select from removed_tracked_apps where account_id = ${accountId} and app_id = ${appId}`,
  )
  return found !== undefined
}

/** Whether a row of tracked apps is a rival of another one of its account and storefront. */
export const isRivalOf = (
  row: RawBuilder<unknown>,
  { appId, rivalOf }: { appId: RawBuilder<unknown>; rivalOf: RawBuilder<unknown> },
): RawBuilder<boolean> =>
  sql`${row}.role = 'rival' and (${row}.rival_of is null or ${row}.rival_of = ${appId} or ${row}.rival_of = ${rivalOf})`

/**
 * The rivals of a tracked app: the apps of the account in the storefront with that role that belong to it or to every own app. Those of a
 * rival are the others of its own app.
 */
export function rivalsOf(
  db: Database,
  accountId: string,
  { appId, country, rivalOf }: Pick<TrackedAppRow, 'appId' | 'country' | 'rivalOf'>,
): Promise<{ appId: string; storeId: string }[]> {
  return rows(
    db,
    sql<{ appId: string; storeId: string }>`
      select app_id as "appId", store_id::text as "storeId" from tracked_apps a
      where account_id = ${accountId} and country = ${country} and app_id <> ${appId} and ${isRivalOf(sql`a`, {
        appId: sql`${appId}::uuid`,
        rivalOf: sql`${rivalOf}::uuid`,
      })}
      order by app_id`,
  )
}

/** The App Store ids of apps that an account tracks, by their ids; others are left out. */
export async function trackedStoreIds(
  db: Database,
  accountId: string,
  appIds: readonly string[],
): Promise<Map<string, string>> {
  if (appIds.length === 0) return new Map()
  const found = await rows(
    db,
    sql<{ appId: string; storeId: string }>`
      select app_id::text as "appId", store_id::text as "storeId" from tracked_apps
      where account_id = ${accountId}::uuid and app_id = any(${[...appIds]}::uuid[])`,
  )
  return new Map(found.map(({ appId, storeId }) => [appId, storeId]))
}
