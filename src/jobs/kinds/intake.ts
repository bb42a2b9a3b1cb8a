import {
  type AddAppFailure,
  type AddAppInput,
  type AddAppResult,
  addApp,
} from '../../domain/add-app/add-app.ts'
import { storefrontsOfApp } from '../../domain/catalogue/app.ts'
import type { PerformWork } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import { isAboutApp } from '../../suppliers/apple/itunes.ts'
import type { CollectedPayload } from '../../suppliers/collected-payload.ts'
import { largeStorefronts } from '../../vocabulary/availability.ts'
import type { Collector } from '../collecting/collector.ts'
import { queues, workJobKind } from '../job-kind.ts'
import type { JobQueue } from '../queue.ts'
import { FinalFailure } from '../work-tasks.ts'
import { collectPageJob } from './collect-page.ts'

export const addAppJob = workJobKind({
  work: addApp,
  does: 'takes an app into the catalogue, by Lookup',
  queue: queues.work,
  atATime: 2,
  addDue: null,
  perform: ({ db, collector, queue }) => performAddApp(db, collector, queue),
})

/** Adds an app: its record by Lookup, and its page by a job of its own. */
function performAddApp(db: Database, collector: Collector, queue: JobQueue): PerformWork<AddAppInput> {
  return async ({ input }, report, signal) => {
    const { country } = input
    await report({ done: 0, total: 1 })
    const found = foundIn(await lookUp(collector, input, country, signal), input)
    if (found === undefined) await explainAbsence(db, collector, input, signal)
    else {
      await queue.add(db, collectPageJob, [{ key: `${found} ${country}`, data: { storeId: found, country } }])
    }
    await report({ done: 1, total: 1 })
    return { status: 'succeeded', result: { storeId: found ?? null } satisfies AddAppResult }
  }
}

function lookUp(
  collector: Collector,
  { storeId, bundleId }: AddAppInput,
  country: string,
  signal: AbortSignal,
): Promise<CollectedPayload> {
  if (storeId !== null) return collector.lookup([storeId], country, signal)
  return collector.lookupBundle(bundleId ?? '', country, signal)
}

/** The looked-up store id. @throws FinalFailure when the app is not an iOS app, or the answer cannot be read */
function foundIn({ value }: CollectedPayload, { storeId, bundleId }: AddAppInput): string | undefined {
  const seen = value.sightings.find(({ sighting }) =>
    storeId === null
      ? sighting.listing.bundleId?.toLowerCase() === bundleId?.toLowerCase()
      : sighting.storeId === storeId,
  )
  if (seen) return seen.sighting.storeId
  const answered = value.rejected.filter(({ record }) => storeId === null || isAboutApp(record, storeId, true))
  const other = answered.find(({ isOther }) => isOther)
  if (other) throw ended('not-an-ios-app', `The store knows it, but it is ${other.reason}.`, storeId)
  const [unreadable] = answered
  if (unreadable)
    throw ended('source-failed', `The store's record cannot be read: ${unreadable.reason}.`, storeId)
  return undefined
}

/** Looks for the app in other storefronts, for the message of the failure. @throws FinalFailure always */
async function explainAbsence(
  db: Database,
  collector: Collector,
  input: AddAppInput,
  signal: AbortSignal,
): Promise<never> {
  const known = input.storeId === null ? [] : await storefrontsOfApp(db, input.storeId)
  const others = [...new Set([...known, ...largeStorefronts])].filter((country) => country !== input.country)
  for (const country of others.slice(0, largeStorefronts.length)) {
    const found = foundIn(await lookUp(collector, input, country, signal), input)
    if (found !== undefined) {
      throw ended(
        'not-sold-in-storefront',
        `The storefront ${input.country} does not sell this app; ${country} does.`,
        found,
      )
    }
  }
  const asked = [input.country, ...others.slice(0, largeStorefronts.length)].join(', ')
  throw ended('not-found-in-store', `None of these storefronts has this app: ${asked}.`, input.storeId)
}

const ended = (failure: AddAppFailure, message: string, storeId: string | null) =>
  new FinalFailure(failure, message, { storeId } satisfies AddAppResult)
