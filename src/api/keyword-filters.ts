import { z } from 'zod'
import {
  dropKeywordFilter,
  keepKeywordFilter,
  keywordFiltersOf,
  maxKeywordFilters,
} from '../domain/aso/tracking/keyword-filters.ts'
import type { Database } from '../storage/database.ts'
import { holdsUnprintable } from '../text/control-characters.ts'
import { type Caller, expectScope, recordWriteOf, writeOf } from './caller.ts'
import { compileBody, readAt } from './input.ts'
import { Problem, storeFailuresAsProblems } from './problem.ts'

const Name = z.string().trim().min(1, 'must have a letter').max(50, 'has at most 50 characters')
const readFilter = compileBody(z.strictObject({ name: Name, query: z.string().min(1).max(2_000) }))
const NameQuery = z.strictObject({
  name: z
    .string({ error: 'names the filter' })
    .max(50)
    .refine((name) => !holdsUnprintable(name), 'is no name of a filter'),
})

/** A filter of keywords as it is shown to its account. */
export interface KeywordFilterShown {
  name: string
  /** The query of the address that shows it, without its question mark. It is read as any address is: what does not fit is left out. */
  query: string
  savedAt: string
}

/** The filters of keywords that an account keeps, for its people at the pages. */
export class KeywordFilters {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** By name; empty when none is kept. @throws Problem `scope-missing` */
  async list(caller: Caller): Promise<KeywordFilterShown[]> {
    expectScope(caller, 'context:read')
    const found = await storeFailuresAsProblems(() => keywordFiltersOf(this.#db, caller.accountId))
    return found.map(({ name, query, savedAt }) => ({ name, query, savedAt: savedAt.toISOString() }))
  }

  /** Keeps a filter, in place of the one that has its name. @throws Problem `scope-missing`, `invalid-request` */
  async keep(caller: Caller, body: unknown): Promise<void> {
    expectScope(caller, 'content:write')
    const filter = readFilter(body)
    await writeOf(this.#db, caller, async (transaction) => {
      const outcome = await keepKeywordFilter(transaction, caller.accountId, filter)
      if (outcome === 'full')
        throw new Problem(
          'invalid-request',
          `An account keeps at most ${maxKeywordFilters} filters. Nothing was stored: remove some.`,
        )
      await recordWriteOf(transaction, caller, { operation: 'filters keep', input: filter, outcome })
    })
  }

  /** Removing again does nothing. @throws Problem `scope-missing`, `invalid-request` */
  async remove(caller: Caller, query: object): Promise<void> {
    expectScope(caller, 'content:write')
    const { name } = readAt('/query', NameQuery, { ...query })
    await writeOf(this.#db, caller, async (transaction) => {
      if (!(await dropKeywordFilter(transaction, caller.accountId, name))) return
      await recordWriteOf(transaction, caller, {
        operation: 'filters remove',
        input: { name },
        outcome: 'removed',
      })
    })
  }
}
