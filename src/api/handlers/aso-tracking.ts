import type { z } from 'zod'
import type { asoOperations as contract } from '../../contract/aso.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { TrackedApp } from '../../contract/shapes/tracked-apps.ts'
import { addApp, addAppSubject, storeIdOfBundle } from '../../domain/add-app/add-app.ts'
import {
  NoOwnApp,
  removeTrackedApp,
  setRole,
  type TrackedAppRow,
  trackApp,
  trackedApp,
} from '../../domain/aso/tracking/tracked-apps.ts'
import { exactReference } from '../../domain/catalogue/search-plan.ts'
import { type Enqueue, newestWorksFor } from '../../domain/work/ask-for-work.ts'
import { askNow } from '../../jobs/collecting/ask-while-waiting.ts'
import type { CollectingClients } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { issuesOfWork } from '../evidence.ts'
import { appLabel } from '../listing-facts.ts'
import { Problem, refuseInput, upstreamProblem } from '../problem.ts'
import { refuseAppReference } from '../refusals.ts'
import { intakeShape } from './add-app.ts'

type C = typeof contract

/** The refusal of an id that the account does not track. */
export const trackedAppNotFound = (appId: string) =>
  new Problem('tracked-app-not-found', `This account tracks no app with the id ${appId}.`)

/** An app the account tracks. @throws Problem `tracked-app-not-found` */
export async function findTrackedApp(db: Database, accountId: string, appId: string): Promise<TrackedAppRow> {
  const found = await trackedApp(db, accountId, appId)
  if (!found) throw trackedAppNotFound(appId)
  return found
}

/** Tracked apps in the form of replies, with the intakes of those that are not in the catalogue yet. */
export async function trackedAppShapes(
  db: Database,
  accountId: string,
  tracked: readonly TrackedAppRow[],
): Promise<z.output<typeof TrackedApp>[]> {
  const subjects = tracked
    .filter(({ takenIn }) => !takenIn)
    .map(({ storeId, country }) => addAppSubject(storeId, country))
  const works = subjects.length === 0 ? [] : await newestWorksFor(db, accountId, addApp.name, subjects)
  const intakes = new Map(works.map((work) => [work.subject, work]))
  return tracked.map((row) => {
    const {
      appId,
      storeId,
      country,
      role,
      rivalOf,
      trackedAt,
      keywordCount,
      notFoundSince,
      takenIn,
      name,
      namedIn,
    } = row
    const work = takenIn ? undefined : intakes.get(addAppSubject(storeId, country))
    return {
      appId,
      app: appLabel(storeId, name === null || namedIn === null ? undefined : { ...row, name, namedIn }),
      country: country as StorefrontCode,
      role,
      rivalOf,
      trackedAt: trackedAt.toISOString(),
      keywordCount,
      notFoundSince: notFoundSince?.toISOString() ?? null,
      intake: work ? intakeShape(work) : null,
    }
  })
}

/** One tracked app in the form of replies. */
export async function trackedAppShape(
  db: Database,
  accountId: string,
  row: TrackedAppRow,
): Promise<z.output<typeof TrackedApp>> {
  const [shape] = await trackedAppShapes(db, accountId, [row])
  if (!shape) throw new Error(`The tracked app ${row.appId} has no shape.`)
  return shape
}

/** Resolves the app; the returned function then tracks it. */
export async function trackAsoApp(
  db: Database,
  enqueue: Enqueue,
  collecting: CollectingClients,
  accountId: string,
  { app, country, role, rivalOf }: Input<C['track_aso_app']>,
): Promise<(db: Database) => Promise<Reply<C['track_aso_app']>>> {
  const storeId = await storeIdOf(db, collecting, app, country)
  return async (db) => {
    const { appId, created } = await refusingNoOwnApp(
      trackApp(db, enqueue, { accountId, app, storeId, country, role, ...(rivalOf && { rivalOf }) }),
    )
    const shape = await trackedAppShape(db, accountId, await findTrackedApp(db, accountId, appId))
    // Nothing is asked for an app that is in the catalogue.
    const trouble = shape.intake ? await issuesOfWork(db, ['itunes-lookup'], country) : []
    return { created, resource: { ...shape, trouble } }
  }
}

/** What is answered where `rivalOf` is refused. @throws Problem `invalid-request` */
async function refusingNoOwnApp<Done>(writing: Promise<Done>): Promise<Done> {
  try {
    return await writing
  } catch (error) {
    if (error instanceof NoOwnApp) refuseInput([{ pointer: '/body/rivalOf', message: error.message }])
    throw error
  }
}

/** The store id of an app reference; an unknown bundle id is looked up while the caller waits. */
async function storeIdOf(
  db: Database,
  collecting: CollectingClients,
  app: string,
  country: string,
): Promise<string> {
  const reference = exactReference(app)
  if (!reference) refuseAppReference('/body/app', app)
  if ('storeId' in reference) return reference.storeId
  const { bundleId } = reference
  return (await storeIdOfBundle(db, bundleId)) ?? lookUpBundle(db, collecting, bundleId, country)
}

async function lookUpBundle(
  db: Database,
  { collector, sources }: CollectingClients,
  bundleId: string,
  country: string,
): Promise<string> {
  const { pace } = sources.itunes
  const asked = await askNow(db, pace, (signal) => collector.lookupBundle(bundleId, country, signal))
  const advice = 'Nothing was tracked; name the app by its App Store id, or try again later.'
  if (asked.state !== 'answered')
    throw upstreamProblem(
      asked.state === 'timed-out' ? 'upstream-timeout' : 'upstream-failed',
      `${asked.message}. ${advice}`,
      asked.until,
    )
  const { sightings, rejected } = asked.value.value
  const found = sightings.find(
    ({ sighting }) => sighting.listing.bundleId?.toLowerCase() === bundleId.toLowerCase(),
  )
  if (found) return found.sighting.storeId
  const other = rejected.find(({ isOther }) => isOther)
  throw new Problem(
    'competitor-not-found',
    other
      ? `What Apple has under ${bundleId} in the storefront ${country} is ${other.reason}.`
      : `Apple knows no app ${bundleId} in the storefront ${country}.`,
    { intake: { state: 'none', intakeId: null, country } },
  )
}

export async function updateAsoAppRole(
  db: Database,
  accountId: string,
  { appId, role, rivalOf }: Input<C['update_aso_app_role']>,
): Promise<Reply<C['update_aso_app_role']>> {
  if (!(await refusingNoOwnApp(setRole(db, accountId, appId, role, rivalOf)))) throw trackedAppNotFound(appId)
  return trackedAppShape(db, accountId, await findTrackedApp(db, accountId, appId))
}

export async function removeAsoApp(
  db: Database,
  accountId: string,
  { appId }: Input<C['remove_aso_app']>,
): Promise<undefined> {
  if (!(await removeTrackedApp(db, accountId, appId))) throw trackedAppNotFound(appId)
}
