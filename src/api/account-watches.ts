import { z } from 'zod'
import { genreName } from '../domain/catalogue/genres.ts'
import {
  addWatch,
  countWatches,
  historyOf,
  isConfiguredWatch,
  listWatches,
  muteWatch,
  namesOfAppIds,
  removeWatch,
  type ToldBy,
} from '../domain/watches/queries.ts'
import { WatchDefinition } from '../domain/watches/watch.ts'
import type { Database } from '../storage/database.ts'
import { isStoreId } from '../vocabulary/ids.ts'
import { watchKinds } from '../vocabulary/watches.ts'
import { type Caller, expectOwn, expectScope, recordWriteOf, writeOf } from './caller.ts'
import { compileBody, readAt } from './input.ts'
import { Problem, storeFailuresAsProblems } from './problem.ts'

/** Most watches of an account that its people add; a configuration has as many. */
const maxWatches = 500
/** Events on a page of the history. */
const eventsShown = 50

const readWatch = compileBody(z.strictObject({ watch: z.looseObject({ kind: z.enum(watchKinds) }) }))
const HistoryQuery = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'is not the next of a page')
    .optional(),
  watch: z.uuid({ error: 'is no id of a watch' }).optional(),
})
export const readMuted = compileBody(z.strictObject({ muted: z.boolean() }))

/** A watch in the form shown to its account. */
export interface WatchShown {
  watchId: string
  watch: WatchDefinition
  /** The name of the one app that it is about; null for several, and for one whose name is not stored. */
  appName: string | null
  /** Of the one category that it is about. */
  categoryName: string | null
  since: string
  mutedAt: string | null
  /** Whether the operator's configuration has it: then only they remove it. */
  fromConfiguration: boolean
  /** Null before the first evaluation. */
  evaluatedAt: string | null
  lastError: string | null
  events: number
  lastEventAt: string | null
  /** Rankings that it compares; null where its kind has none. */
  rankings: number | null
}

/** An event in the history of an account. */
export interface EventShown {
  eventId: string
  watch: WatchDefinition
  appName: string | null
  categoryName: string | null
  title: string
  /** Path and query of the page that shows it. */
  page: string
  /** Readings, times and values that show it, by the kind of the watch. */
  evidence: Record<string, unknown>
  observedAt: string
  recordedAt: string
  muted: boolean
  told: ToldBy[]
}

/** What an account watches, and what was found: for its people at the pages, by the functions of the commands. */
export class AccountWatches {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Active watches, oldest first. @throws Problem `scope-missing` */
  async list(caller: Caller): Promise<WatchShown[]> {
    expectScope(caller, 'context:read')
    return storeFailuresAsProblems(async () => {
      const found = await listWatches(this.#db, { accountId: caller.accountId })
      const names = await this.#namesOf(found.map(({ definition }) => definition))
      return found.map(({ watchId, definition, since, mutedAt, evaluatedAt, lastEventAt, ...rest }) => ({
        watchId,
        watch: definition,
        ...names(definition),
        since: since.toISOString(),
        mutedAt: mutedAt?.toISOString() ?? null,
        fromConfiguration: rest.fromConfiguration,
        evaluatedAt: evaluatedAt?.toISOString() ?? null,
        lastError: rest.lastError,
        events: rest.events,
        lastEventAt: lastEventAt?.toISOString() ?? null,
        rankings: rest.rankings,
      }))
    })
  }

  /** Adds a watch; an existing one is answered. @throws Problem `scope-missing`, `invalid-request` */
  async add(caller: Caller, body: unknown): Promise<{ watchId: string; isNew: boolean }> {
    expectScope(caller, 'content:write')
    const watch = readAt('/body/watch', WatchDefinition, readWatch(body).watch)
    return writeOf(this.#db, caller, async (transaction) => {
      const added = await addWatch(transaction, caller.accountId, watch, false)
      if (added.isNew && (await countWatches(transaction, caller.accountId)) > maxWatches)
        throw new Problem(
          'invalid-request',
          `An account has at most ${maxWatches} watches. Nothing was stored: remove some.`,
        )
      await recordWriteOf(transaction, caller, {
        operation: 'watches add',
        input: watch,
        outcome: added.isNew ? 'created' : 'known',
      })
      return added
    })
  }

  /** @throws Problem `scope-missing`, `invalid-request`, `route-not-found` */
  async mute(caller: Caller, watchId: string, body: unknown): Promise<void> {
    expectScope(caller, 'content:write')
    const { muted } = readMuted(body)
    await writeOf(this.#db, caller, async (transaction) => {
      await expectOwn('watch', watchId, (id) => muteWatch(transaction, id, muted, caller.accountId))
      await recordWriteOf(transaction, caller, {
        operation: 'watches mute',
        input: { watchId, off: !muted },
        outcome: 'done',
      })
    })
  }

  /** @throws Problem `scope-missing`, `invalid-request` for one of the configuration, `route-not-found` */
  async remove(caller: Caller, watchId: string): Promise<void> {
    expectScope(caller, 'content:write')
    await writeOf(this.#db, caller, async (transaction) => {
      await expectOwn('watch', watchId, async (id) => {
        if (await isConfiguredWatch(transaction, id, caller.accountId))
          throw new Problem(
            'invalid-request',
            'This watch stands in the configuration of the service: the operator removes it there. It can be muted.',
          )
        return removeWatch(transaction, id, caller.accountId)
      })
      await recordWriteOf(transaction, caller, {
        operation: 'watches remove',
        input: { watchId },
        outcome: 'removed',
      })
    })
  }

  /**
   * Events with what became of telling them, newest first, at most fifty.
   * @param query `before` is the `next` of the page before, `watch` asks for one watch alone
   * @returns `next` null on the last page
   * @throws Problem `scope-missing`, `invalid-request`
   */
  async history(caller: Caller, query: object): Promise<{ items: EventShown[]; next: string | null }> {
    expectScope(caller, 'context:read')
    const { before, watch } = readAt('/query', HistoryQuery, { ...query })
    const found = await storeFailuresAsProblems(() =>
      historyOf(this.#db, caller.accountId, { before, watchId: watch, limit: eventsShown + 1 }),
    )
    const names = await storeFailuresAsProblems(() => this.#namesOf(found.map(({ definition }) => definition)))
    const items = found
      .slice(0, eventsShown)
      .map(({ eventId, definition, title, page, evidence, observedAt, recordedAt, muted, told }) => ({
        eventId,
        watch: definition,
        ...names(definition),
        title,
        page,
        evidence,
        observedAt: observedAt.toISOString(),
        recordedAt: recordedAt.toISOString(),
        muted,
        told,
      }))
    return { items, next: found.length > eventsShown ? (found[eventsShown - 1]?.eventNumber ?? null) : null }
  }

  /** The names of what watches name by ids: apps in their storefronts, and categories. */
  async #namesOf(definitions: readonly WatchDefinition[]) {
    const named = definitions.flatMap((one) => ('app' in one && isStoreId(one.app) ? [one] : []))
    const found = new Map<string, string>()
    for (const [country, ofCountry] of Map.groupBy(named, countryOf)) {
      const storeIds = [...new Set(ofCountry.map(({ app }) => app))]
      for (const [storeId, name] of await namesOfAppIds(this.#db, storeIds, country))
        found.set(`${country} ${storeId}`, name)
    }
    return (watch: WatchDefinition) => ({
      appName: 'app' in watch ? (found.get(`${countryOf(watch)} ${watch.app}`) ?? null) : null,
      categoryName:
        'category' in watch && watch.category !== undefined
          ? (genreName(watch.category) ?? `Category ${watch.category}`)
          : null,
    })
  }
}

type OfApp = Extract<WatchDefinition, { app: string }>
const countryOf = (watch: OfApp) => ('country' in watch ? watch.country : 'us')
