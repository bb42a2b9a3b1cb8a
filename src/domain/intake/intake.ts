import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { atomically, type Database } from '../../storage/database.ts'
import type { ExactReference } from '../catalogue/search-plan.ts'
import { askForWorkWithin, type Enqueue } from '../work/ask-for-work.ts'
import { knownInputOf, type WorkKind } from '../work/kind.ts'
import { insertWork, newestWorks } from '../work/queries.ts'
import { newestWorksFor, type RequestedWork, type Requester, recordRequester } from '../work/requesters.ts'
import { isUnderWay, type Work } from '../work/work.ts'
import { bundlesOfApp, catalogued, storeIdOfBundle } from './queries.ts'

const IntakeInput = z.strictObject({
  /** Null until Apple has told it. */
  storeId: z.string().nullable(),
  bundleId: z.string().nullable(),
  country: z.string(),
})

export type IntakeInput = z.output<typeof IntakeInput>

/** The taking-in of one app of one storefront. */
export const intake: WorkKind<IntakeInput> = { name: 'intake', input: IntakeInput, unit: 'apps' }

/** What ended an intake without the app. */
export type IntakeFailure = 'not-found-in-store' | 'not-sold-in-storefront' | 'not-an-ios-app' | 'source-failed'

/** What comes of an intake. */
export interface IntakeResult {
  storeId: string | null
}

export const intakeSubject = (storeId: string, country: string) => `${storeId} ${country}`

/** While Apple has not told which app it is. */
const bundleSubject = (bundleId: string, country: string) => `bundle ${bundleId.toLowerCase()} ${country}`

/**
 * Asks for an app. One that is catalogued already is taken in: its intake is answered as succeeded, and nothing is
 * collected. One whose intake is under way is not asked for twice, nor one whose intake has just failed. Whoever asks is
 * told of it under the name they gave it, and nobody else is told that they asked.
 */
export function askForIntake(
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
    const input: IntakeInput = { storeId, bundleId, country }
    if (storeId !== null && (await catalogued(transaction, storeId, country)))
      return notedFor(transaction, requester, await succeededIntake(transaction, input))
    return takeIn(transaction, enqueue, requester, input)
  })
}

/** What an intake is of. Its subject says it too, where this version does not read what it was asked with. */
export function intakeInputOf(work: Pick<Work, 'input' | 'subject'>): IntakeInput {
  const known = knownInputOf(intake, work)
  if (known) return known
  const [first = '', second = '', third = ''] = work.subject.split(' ')
  return first === 'bundle'
    ? { storeId: null, bundleId: second, country: third }
    : { storeId: first, bundleId: null, country: second }
}

const askedFor = (input: IntakeInput) => ({
  kind: intake,
  subject:
    input.storeId === null
      ? bundleSubject(input.bundleId ?? '', input.country)
      : intakeSubject(input.storeId, input.country),
  input,
})

/**
 * The intake of an app, whichever of its names it was asked for by: what began as one of a bundle id goes on as that when
 * the store id is known. The one of the name that is asked by now comes first, unless it failed and another did not.
 */
async function knownIntake(
  db: Database,
  { storeId, bundleId, country }: IntakeInput,
): Promise<Work | undefined> {
  const bundles = bundleId === null && storeId !== null ? await bundlesOfApp(db, storeId) : [bundleId ?? '']
  const byBundle = bundles.map((bundle) => bundleSubject(bundle, country))
  const byId = storeId === null ? [] : [intakeSubject(storeId, country)]
  const subjects = bundleId === null ? [...byId, ...byBundle] : [...byBundle, ...byId]
  const works = new Map((await newestWorks(db, intake.name, subjects)).map((work) => [work.subject, work]))
  const known = subjects.flatMap((subject) => works.get(subject) ?? [])
  return known.find(({ status }) => status !== 'failed') ?? known[0]
}

/** The newest intake of an app in each storefront that the account or the installation asked for, newest first. */
export async function intakesOf(
  db: Database,
  accountId: string,
  storeId: string,
  countries: readonly string[],
): Promise<RequestedWork[]> {
  const bundles = await bundlesOfApp(db, storeId)
  const subjects = countries.flatMap((country) => [
    intakeSubject(storeId, country),
    ...bundles.map((bundle) => bundleSubject(bundle, country)),
  ])
  const works = await newestWorksFor(db, accountId, intake.name, subjects)
  const newestFirst = works.sort((one, other) => (one.workId < other.workId ? 1 : -1))
  const countryOf = (work: Work) => intakeInputOf(work).country
  return newestFirst.filter(
    (work, at) => newestFirst.findIndex((other) => countryOf(other) === countryOf(work)) === at,
  )
}

/** As `askForIntake`, inside a transaction of the caller, of an app that is not catalogued. */
export async function takeIn(
  transaction: Database,
  enqueue: Enqueue,
  requester: Requester,
  input: IntakeInput,
): Promise<RequestedWork> {
  const asked = askedFor(input)
  const known = await knownIntake(transaction, input)
  // One that is under way may fail before the next statement: it is answered as it was seen, never followed by another.
  if (known && (isUnderWay(known.status) || (known.status === 'failed' && isRecent(known.finishedAt))))
    return notedFor(transaction, requester, known)
  return notedFor(transaction, requester, await askForWorkWithin(transaction, enqueue, asked))
}

async function notedFor(db: Database, requester: Requester, work: Work): Promise<RequestedWork> {
  await recordRequester(db, work.workId, requester)
  return { ...work, askedAs: requester.askedAs ?? null }
}

/** Minutes in which a failed intake is the answer to whoever asks again: so its reason can be read. */
const failureStandsMinutes = 10

const isRecent = (at: Date | null) => at !== null && Date.now() - at.getTime() < failureStandsMinutes * 60_000

/** The intake of an app that is catalogued: the one that brought it, or one that found it there. */
async function succeededIntake(transaction: Database, input: IntakeInput): Promise<Work> {
  const known = await knownIntake(transaction, input)
  if (known && known.status !== 'failed') return known
  const asked = askedFor(input)
  const ended = await insertWork(transaction, {
    workId: uuidv7(),
    status: 'succeeded',
    ...asked,
    kind: intake.name,
  })
  if (!ended) throw new Error(`The intake of ${asked.subject} cannot be recorded.`)
  return ended
}
