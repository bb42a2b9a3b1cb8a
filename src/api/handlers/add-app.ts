import type { z } from 'zod'
import type { competitorOperations as contract } from '../../contract/competitors.ts'
import type { Input, Reply } from '../../contract/operation.ts'
import type { Intake } from '../../contract/shapes/competitors.ts'
import {
  type AddAppFailure,
  type AddAppResult,
  addApp,
  addAppInputOf,
  addAppSubject,
  askToAddApp,
} from '../../domain/add-app/add-app.ts'
import { exactReference } from '../../domain/catalogue/search-plan.ts'
import { type Enqueue, newestWorksFor, type RequestedWork } from '../../domain/work/ask-for-work.ts'
import type { Work } from '../../domain/work/work.ts'
import type { Database } from '../../storage/database.ts'
import type { StorefrontCode } from '../../vocabulary/storefronts.ts'
import { storefrontCodes } from '../../vocabulary/storefronts.ts'
import { issuesOfWork } from '../evidence.ts'
import { Problem } from '../problem.ts'
import { refuseAppReference } from '../refusals.ts'
import { workStatus } from '../work-status.ts'

type C = typeof contract

/** Requests adding an app. */
export async function requestAddApp(
  db: Database,
  enqueue: Enqueue,
  accountId: string,
  { app, country }: Input<C['request_ios_competitor']>,
): Promise<Reply<C['request_ios_competitor']>> {
  const reference = exactReference(app)
  if (!reference) refuseAppReference('/body/app', app)
  const work = await askToAddApp(db, enqueue, { accountId, askedAs: app }, reference, country)
  return { ...intakeShape(work), trouble: await issuesOfWork(db, ['itunes-lookup'], country) }
}

/** A request to add an app in the form of the contract, for an account that made it. */
export function intakeShape(work: RequestedWork): z.output<typeof Intake> {
  const { storeId, bundleId, country } = addAppInputOf(work)
  const result = work.result as Partial<AddAppResult>
  return {
    intakeId: work.workId,
    app: work.askedAs ?? storeId ?? bundleId ?? '',
    storeId: result.storeId ?? storeId,
    country: country as StorefrontCode,
    ...workStatus(work),
    failure: work.status === 'failed' ? failureOf(work) : null,
  }
}

const named = new Set<string>([
  'not-found-in-store',
  'not-sold-in-storefront',
  'not-an-ios-app',
] satisfies AddAppFailure[])

function failureOf({ lastErrorCode }: Work): AddAppFailure {
  return lastErrorCode !== null && named.has(lastErrorCode) ? (lastErrorCode as AddAppFailure) : 'source-failed'
}

/**
 * The refusal of an unknown app. It says whether the account has requested to add it, and in which storefront: preferably
 * the requested one.
 */
export async function competitorNotFound(
  db: Database,
  accountId: string,
  storeId: string,
  country?: string,
): Promise<Problem> {
  const subjects = storefrontCodes.map((one) => addAppSubject(storeId, one))
  const works = await newestWorksFor(db, accountId, addApp.name, subjects)
  const described = works.filter(isDescribed).sort(mostHopeful)
  const work = described.find((one) => addAppInputOf(one).country === country) ?? described[0]
  if (!work) {
    return new Problem(
      'competitor-not-found',
      `No evidence of the app ${storeId} is stored, and this account has no intake of it under way.`,
      { intake: { state: 'none', intakeId: null, country: country ?? null } },
    )
  }
  const { workId, status, lastErrorMessage } = work
  const where = addAppInputOf(work).country
  const saying = sayings[status]
  return new Problem(
    'competitor-not-found',
    `No evidence of the app ${storeId} is stored; its intake for the storefront ${where} ${saying}${status === 'failed' ? (lastErrorMessage ?? '') : ''}`,
    { intake: { state: status, intakeId: workId, country: where } },
  )
}

const sayings = {
  running: 'is running.',
  queued: 'is waiting for its turn.',
  failed: 'failed: ',
} as const

type DescribedWork = RequestedWork & { status: keyof typeof sayings }

const isDescribed = (work: RequestedWork): work is DescribedWork => work.status in sayings

const hope = Object.keys(sayings)
const mostHopeful = (one: DescribedWork, other: DescribedWork) =>
  hope.indexOf(one.status) - hope.indexOf(other.status) || (one.workId < other.workId ? 1 : -1)
