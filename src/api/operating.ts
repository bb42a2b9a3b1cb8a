import { z } from 'zod'
import { accountName } from '../domain/accounts/queries.ts'
import { labelsOfApps } from '../domain/catalogue/app.ts'
import { failingCharts } from '../domain/collecting/attempts.ts'
import { healthOfSources } from '../domain/collecting/health.ts'
import { keepSchedule } from '../domain/collecting/kept-schedule.ts'
import { type AccountRequest, requestsByDemand } from '../domain/demand/queries.ts'
import { dismissRequest } from '../domain/demand/request-data.ts'
import { type AskedByHand, askedByHand, unfinishedByHand } from '../domain/work/asked-by-hand.ts'
import { askedKey, askedPlan } from '../jobs/collecting/asked.ts'
import type { CollectingClients } from '../jobs/collecting/collecting.ts'
import type { UpstreamPlan } from '../jobs/collecting/plan.ts'
import { collectAskedJob } from '../jobs/kinds/collect-asked.ts'
import type { JobQueue } from '../jobs/queue.ts'
import { Schedule } from '../jobs/schedule.ts'
import { type Database, inTransaction } from '../storage/database.ts'
import { type Caller, expectScope, recordWriteOf } from './caller.ts'
import { askedBy, readCollection } from './collection-by-hand.ts'
import { compileBody, readAt } from './input.ts'
import { Problem, refuseInput, storeFailuresAsProblems } from './problem.ts'

/** Requests of accounts that are listed; the most wanted come first. */
const mostListed = 500
const failingChartsListed = 100
/** Requests to upstreams that may wait in all. */
const mostWaiting = 500
const shownByHand = 20

const readDismissal = compileBody(z.strictObject({ reason: z.string().max(2_000).optional() }))
const readSchedule = compileBody(
  z.strictObject({
    schedule: z.record(z.string(), z.unknown()).nullable(),
    before: z.iso.datetime({ error: 'is `changedAt` of what was read, or null' }).nullable(),
  }),
)

/** A data request of an account, as pages show it. */
export type RequestListed = AccountRequest & { name: string | null; iconUrl: string | null }

/** What is collected by itself, and what was asked for by hand. */
export interface CollectingShown {
  schedule: Schedule
  /** Null where that of the configuration file holds. */
  changedAt: string | null
  /** The name of the key; null for people of the provider, keys that are gone, and for who is no operator. */
  changedBy: string | null
  /** Newest first; empty for who is no operator. */
  byHand: readonly AskedByHand[]
}

/** What a collection by hand costs. */
export interface CollectionBegun {
  requests: number
  /** Of these, requests that were not waiting already. */
  added: number
  minutes: number
  upstreams: readonly UpstreamPlan[]
}

interface OperatingParts {
  db: Database
  queue: JobQueue
  collecting: CollectingClients
  /** Names of the accounts whose admins operate. */
  operators: readonly string[]
}

/**
 * What pages show of sources and requests of all accounts, and what operators do there. Operators are the admins of accounts that the
 * configuration names. Everything is recorded as the command of the same name is.
 */
export class Operating {
  readonly #parts: OperatingParts

  constructor(parts: OperatingParts) {
    this.#parts = parts
  }

  /** Every source in every storefront that was ever asked, those in trouble first, and charts whose last try failed. */
  async sources(caller: Caller) {
    expectScope(caller, 'context:read')
    const { db } = this.#parts
    return storeFailuresAsProblems(async () => ({
      sources: await healthOfSources(db),
      charts: await failingCharts(db, failingChartsListed),
    }))
  }

  /**
   * Open data requests, the most wanted first: of the caller's account, or of all.
   * @throws Problem `not-an-operator`
   */
  async requests(caller: Caller, ofAll: boolean): Promise<RequestListed[]> {
    expectScope(caller, 'context:read')
    if (ofAll) await this.#admitOperator(caller)
    const { db } = this.#parts
    return storeFailuresAsProblems(async () => {
      const found = await requestsByDemand(db, 'open', {
        accountId: ofAll ? undefined : caller.accountId,
        limit: mostListed,
      })
      const labels = new Map<string, { name: string | null; iconUrl: string | null }>()
      for (const [country, same] of Map.groupBy(found, ({ country }) => country))
        for (const label of await labelsOfApps(db, [...new Set(same.map(({ storeId }) => storeId))], country))
          labels.set(`${country} ${label.storeId}`, label)
      return found.map((request) => {
        const { name = null, iconUrl = null } = labels.get(`${request.country} ${request.storeId}`) ?? {}
        return { ...request, name, iconUrl }
      })
    })
  }

  /** Ends an open request of any account without data. @throws Problem `not-an-operator`, `request-not-found` */
  async dismiss(caller: Caller, requestId: string, body: unknown): Promise<void> {
    await this.#admitOperator(caller, 'writes')
    const { reason } = readDismissal(body ?? {})
    await this.#write(caller, 'requests dismiss', { requestId, reason }, async (transaction) => {
      const before = await dismissRequest(transaction, requestId, reason?.trim() || undefined)
      if (before !== 'open') throw new Problem('request-not-found', 'No open request has this id.')
    })
  }

  /** The schedule that is followed. */
  async collecting(caller: Caller): Promise<CollectingShown> {
    expectScope(caller, 'context:read')
    const { db, collecting } = this.#parts
    return storeFailuresAsProblems(async () => {
      const [kept, operates] = [await collecting.current.kept(), await this.operates(caller)]
      return {
        schedule: await collecting.current.schedule(),
        changedAt: kept?.changedAt.toISOString() ?? null,
        changedBy: operates ? (kept?.changedBy ?? null) : null,
        byHand: operates ? await askedByHand(db, collectAskedJob.name, shownByHand) : [],
      }
    })
  }

  /** Puts requests to upstreams into the queue. A worker makes them, at the pace of the sources. @throws Problem `not-an-operator` */
  async collect(caller: Caller, body: unknown): Promise<CollectionBegun> {
    await this.#admitOperator(caller, 'writes')
    const collection = readCollection(body)
    const asked = askedBy(collection)
    const { queue, collecting } = this.#parts
    let added = 0
    await this.#write(caller, `collect ${collection.what}`, collection, async (transaction) => {
      const waiting = await unfinishedByHand(transaction, collectAskedJob.name)
      if (waiting + asked.length > mostWaiting)
        refuseInput([{ pointer: '/body', message: `${waiting} requests are waiting already: try again later` }])
      const jobs = asked.map((data) => ({ key: askedKey(data), data }))
      added = await queue.add(transaction, collectAskedJob, jobs)
    })
    return { requests: asked.length, added, ...askedPlan(asked, collecting.sources) }
  }

  /** Keeps a schedule in place of that of the file; null lets that hold again. @throws Problem `not-an-operator` */
  async keepSchedule(caller: Caller, body: unknown): Promise<CollectingShown> {
    await this.#admitOperator(caller, 'writes')
    const { schedule, before } = readSchedule(body)
    if (schedule !== null) readAt('/body/schedule', Schedule, schedule)
    const { current } = this.#parts.collecting
    const input = { parts: schedule === null ? 'of the file' : Object.keys(schedule).join(', ') }
    await this.#write(caller, 'schedule', input, async (transaction) => {
      const by = caller.credentialId
      const kept = await keepSchedule(transaction, schedule, {
        by,
        before: before === null ? null : new Date(before),
      })
      if (!kept)
        refuseInput([{ pointer: '/body/before', message: 'the schedule was changed meanwhile: read it again' }])
    })
    current.forget()
    return this.collecting(caller)
  }

  /** Whether a caller is an admin of an account that operates. */
  async operates({ administers, accountId }: Caller): Promise<boolean> {
    const { db, operators } = this.#parts
    if (administers !== true || operators.length === 0) return false
    return operators.includes(await storeFailuresAsProblems(() => accountName(db, accountId)))
  }

  async #admitOperator(caller: Caller, does: 'reads' | 'writes' = 'reads'): Promise<void> {
    if (does === 'writes') expectScope(caller, 'content:write')
    if (!(await this.operates(caller)))
      throw new Problem('not-an-operator', 'You are no admin of an account that operates this installation.')
  }

  #write(
    caller: Caller,
    operation: string,
    input: Readonly<Record<string, unknown>>,
    perform: (transaction: Database) => Promise<void>,
  ): Promise<void> {
    return storeFailuresAsProblems(() =>
      inTransaction(this.#parts.db, async (transaction) => {
        await perform(transaction)
        await recordWriteOf(transaction, caller, { operation, input, outcome: 'done' })
      }),
    )
  }
}
