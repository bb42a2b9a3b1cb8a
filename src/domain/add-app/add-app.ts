import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { atomically, type Database, firstRow, rows } from '../../storage/database.ts'
import { bigintId } from '../../storage/ids.ts'
import type { ExactReference } from '../catalogue/search-plan.ts'
import {
  askForWorkWithin,
  type Enqueue,
  newestWorksFor,
  type RequestedWork,
  type Requester,
  recordRequester,
} from '../work/ask-for-work.ts'
import { insertWork, newestWorks } from '../work/queries.ts'
import { isUnderWay, readableInputOf, type Work, type WorkKind } from '../work/work.ts'

const AddAppInput = z.strictObject({
  /** Null until Apple has resolved it. */
  storeId: z.string().nullable(),
  bundleId: z.string().nullable(),
  country: z.string(),
})

export type AddAppInput = z.output<typeof AddAppInput>

/** The work of adding one app of one storefront. */
export const addApp: WorkKind<AddAppInput> = { name: 'intake', input: AddAppInput, unit: 'apps' }

/** The reason why an app could not be added. */
export type AddAppFailure = 'not-found-in-store' | 'not-sold-in-storefront' | 'not-an-ios-app' | 'source-failed'

/** The result of adding an app. */
export interface AddAppResult {
  storeId: string | null
}

export const addAppSubject = (storeId: string, country: string) => `${storeId} ${country}`

/** The subject until Apple has resolved the bundle id. */
const bundleSubject = (bundleId: string, country: string) => `bundle ${bundleId.toLowerCase()} ${country}`

/**
 * Requests that an app is added to the catalogue. For one that is already there, a succeeded work is returned, and nothing
 * is collected. A work under way is returned, and so is one that failed recently. It is reported to each requester under the
 * name they used, and requests stay private.
 */
export function askToAddApp(
  db: Database,
  enqueue: Enqueue,
  requester: Requester,
  reference: ExactReference,
  country: string,
): Promise<RequestedWork> {
  return atomically(db, async (transaction) => {
    const bundleId = 'bundleId' in reference ? reference.bundleId : null
    const storeId =
      'storeId' in reference ? reference.storeId : await storeIdOfBundle(transaction, reference.bundleId)
    const input: AddAppInput = { storeId, bundleId, country }
    if (storeId !== null && (await isInCatalogue(transaction, storeId, country)))
      return notedFor(transaction, requester, await succeededAddAppWork(transaction, input))
    return addAppWithin(transaction, enqueue, requester, input)
  })
}

/** The app and storefront of a work, from its subject where this version cannot parse its input. */
export function addAppInputOf(work: Pick<Work, 'input' | 'subject'>): AddAppInput {
  const known = readableInputOf(addApp, work)
  if (known) return known
  const [first = '', second = '', third = ''] = work.subject.split(' ')
  return first === 'bundle'
    ? { storeId: null, bundleId: second, country: third }
    : { storeId: first, bundleId: null, country: second }
}

const askedFor = (input: AddAppInput) => ({
  kind: addApp,
  subject:
    input.storeId === null
      ? bundleSubject(input.bundleId ?? '', input.country)
      : addAppSubject(input.storeId, input.country),
  input,
})

/**
 * The existing work for an app, by either of its ids: a work that began with a bundle id keeps that subject when the store
 * id is known. The one of the requested id comes first, unless it failed and another did not.
 */
async function knownAddAppWork(
  db: Database,
  { storeId, bundleId, country }: AddAppInput,
): Promise<Work | undefined> {
  const bundles = bundleId === null && storeId !== null ? await bundlesOfApp(db, storeId) : [bundleId ?? '']
  const byBundle = bundles.map((bundle) => bundleSubject(bundle, country))
  const byId = storeId === null ? [] : [addAppSubject(storeId, country)]
  const subjects = bundleId === null ? [...byId, ...byBundle] : [...byBundle, ...byId]
  const works = new Map((await newestWorks(db, addApp.name, subjects)).map((work) => [work.subject, work]))
  const known = subjects.flatMap((subject) => works.get(subject) ?? [])
  return known.find(({ status }) => status !== 'failed') ?? known[0]
}

/** The newest work for an app in each storefront that the account or the installation requested, newest first. */
export async function addAppWorksOf(
  db: Database,
  accountId: string,
  storeId: string,
  countries: readonly string[],
): Promise<RequestedWork[]> {
  const bundles = await bundlesOfApp(db, storeId)
  const subjects = countries.flatMap((country) => [
    addAppSubject(storeId, country),
    ...bundles.map((bundle) => bundleSubject(bundle, country)),
  ])
  const works = await newestWorksFor(db, accountId, addApp.name, subjects)
  const newestFirst = works.sort((one, other) => (one.workId < other.workId ? 1 : -1))
  const countryOf = (work: Work) => addAppInputOf(work).country
  return newestFirst.filter(
    (work, at) => newestFirst.findIndex((other) => countryOf(other) === countryOf(work)) === at,
  )
}

/** As `askToAddApp`, inside the caller's transaction, for an app that is not in the catalogue. */
export async function addAppWithin(
  transaction: Database,
  enqueue: Enqueue,
  requester: Requester,
  input: AddAppInput,
): Promise<RequestedWork> {
  const asked = askedFor(input)
  const known = await knownAddAppWork(transaction, input)
  // A work under way may fail before the next statement: it is returned as read, and never followed by another.
  if (known && (isUnderWay(known.status) || (known.status === 'failed' && isRecent(known.finishedAt))))
    return notedFor(transaction, requester, known)
  return notedFor(transaction, requester, await askForWorkWithin(transaction, enqueue, asked))
}

async function notedFor(db: Database, requester: Requester, work: Work): Promise<RequestedWork> {
  await recordRequester(db, work.workId, requester)
  return { ...work, askedAs: requester.askedAs ?? null }
}

/** Minutes in which a repeated request returns the failed work, so that its reason can be read. */
const failureStandsMinutes = 10

const isRecent = (at: Date | null) => at !== null && Date.now() - at.getTime() < failureStandsMinutes * 60_000

/** The work for an app that is in the catalogue: the one that added it, or a new one that ended at once. */
async function succeededAddAppWork(transaction: Database, input: AddAppInput): Promise<Work> {
  const known = await knownAddAppWork(transaction, input)
  if (known && known.status !== 'failed') return known
  const asked = askedFor(input)
  const ended = await insertWork(transaction, {
    workId: uuidv7(),
    status: 'succeeded',
    ...asked,
    kind: addApp.name,
  })
  if (!ended) throw new Error(`The intake of ${asked.subject} cannot be recorded.`)
  return ended
}

/** Sources that show a whole listing; charts and pages of other apps have little more than a name. */
export const fullListingSources = ['itunes-lookup', 'itunes-search', 'catalogue-file']

/** Whether a record has evidence of a whole listing. */
export const hasFullListing = (record: ReturnType<typeof sql>) => sql`
${record}.evidence @> any(${fullListingSources.map((source) => JSON.stringify([{ source }]))}::jsonb[])`

/** Whether a whole listing of the app in the storefront is stored. */
export async function isInCatalogue(db: Database, storeId: string, country: string): Promise<boolean> {
  const found = await firstRow(
    db,
    sql`
      select from app_records r
      where r.store_id = ${bigintId(storeId)} and r.country = ${country} and ${hasFullListing(sql`r`)}`,
  )
  return found !== undefined
}

/** The bundle ids in the records of an app, in lower case. */
async function bundlesOfApp(db: Database, storeId: string): Promise<string[]> {
  const found = await rows(
    db,
    sql<{ bundleId: string }>`
      select distinct lower(bundle_id) as "bundleId" from app_records
      where store_id = ${bigintId(storeId)} and bundle_id is not null order by 1`,
  )
  return found.map(({ bundleId }) => bundleId)
}

/** The app of a bundle id, from the record of any storefront; null where there is none. */
export async function storeIdOfBundle(db: Database, bundleId: string): Promise<string | null> {
  const found = await firstRow(
    db,
    sql<{ storeId: string }>`
      select store_id::text as "storeId" from app_records
      where lower(bundle_id) = ${bundleId.toLowerCase()} order by store_id limit 1`,
  )
  return found?.storeId ?? null
}
