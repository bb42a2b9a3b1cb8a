import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { countChange } from '../domain/evidence/changes.ts'
import {
  countReadings,
  firstIdAt,
  lockReadings,
  readingsToDerive,
  withdrawnSince,
} from '../domain/evidence/queries.ts'
import { readingsWithoutPayload } from '../domain/evidence/removed-months.ts'
import { type Database, firstRow, inTransaction } from '../storage/database.ts'
import { reparse } from '../suppliers/reparse.ts'
import { type ProjectionName, projectionNames } from './names.ts'
import type { ParsedReading, Projection } from './projection.ts'
import { deriveRecords, projections } from './projections.ts'
import { bytesOfTables, createRebuildTables, rebuildSchema, useRebuildSchema } from './rebuild-tables.ts'
import { evidenceAreasOfFormats, withLanguagesIn } from './store-readings.ts'
import {
  dropLeftovers,
  lockForSwap,
  maxWriterWaitMs,
  retryUntilUnlocked,
  setLockTimeout,
  swapTables,
} from './swap-tables.ts'

export interface ReplaySummary {
  readings: number
  /** Readings that the current parsers refuse as a whole; nothing is derived from them. */
  refused: number
}

/** Only one replay can run at a time. */
export class ReplayUnderWayError extends Error {
  override name = 'ReplayUnderWayError'
}

/** A replay that needs payloads which retention removed: it would derive fewer records. */
export class PayloadsGoneError extends Error {
  override name = 'PayloadsGoneError'
}

/** Readings held in memory at a time. */
const batchReadings = 50
const batchBytes = 2 * 1024 * 1024

/** Most time between the creation of a reading's id and its becoming visible, including clock skew. */
const latestMs = 24 * 3_600_000
/** Most time that writers of readings may be blocked at the start, which can simply be retried. */
const beginningMs = 200

/**
 * Rebuilds projections from all readings with the current parsers: one after the other, beside the served tables, which stay
 * readable and writable. Each replaces the served one at its end, in one short transaction; an interrupted replay leaves the
 * served one.
 * @param names empty for all; projections that depend on each other are rebuilt together
 * @throws ReplayUnderWayError
 * @throws PayloadsGoneError
 */
export async function replay(
  db: Database,
  onProgress: (done: number, total: number, names: readonly ProjectionName[]) => void,
  signal: AbortSignal,
  names: readonly ProjectionName[] = projectionNames,
): Promise<ReplaySummary> {
  return inTransaction(db, async (held) => {
    // Behind a connection pooler only a transaction stays on one session. It ends with this process, however that ends.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    await beAlone(held)
    await expectPayloads(db, names)
    const summary: ReplaySummary = { readings: 0, refused: 0 }
    const counted = new Set<string>()
    try {
      for (const together of projectionGroups(names)) {
        await dropLeftovers(db, signal)
        await new Rebuild(db, together, counted, summary).run(onProgress, signal)
      }
    } finally {
      // Tables that cannot be dropped now do no harm, and are dropped by the next replay.
      await dropLeftovers(db, AbortSignal.timeout(60_000)).catch(() => {})
    }
    return summary
  })
}

/** Frees the disk space of an interrupted replay; a running one is left alone. */
export async function clearLeftovers(db: Database, signal: AbortSignal): Promise<void> {
  await inTransaction(db, async (held) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
    if (await lockForSwap(held)) await dropLeftovers(db, signal)
  })
}

async function beAlone(held: Database): Promise<void> {
  if (await lockForSwap(held)) return
  const begun = await firstRow(held, sql`select where to_regclass(${`${rebuildSchema}.replay`}) is not null`)
  const other = begun
    ? await firstRow(held, sql<{ names: string }>`select names from ${sql.table(`${rebuildSchema}.replay`)}`)
    : undefined
  throw new ReplayUnderWayError(
    other
      ? `A replay of ${other.names} is under way, and one at a time is possible: wait for its end.`
      : 'A replay begins or ends, or a month of evidence is written anew or removed, and one at a time is possible: try again in a minute.',
  )
}

/** @throws PayloadsGoneError that names what can still be replayed */
async function expectPayloads(db: Database, names: readonly ProjectionName[]): Promise<void> {
  const all = projectionNames.flatMap((name) => projections[name].formats)
  const gone = await readingsWithoutPayload(db, all)
  const lost = new Set(gone.map(({ format }) => format))
  const isWhole = (name: ProjectionName) =>
    projectionGroups([name])
      .flat()
      .every((one) => !formatsOf(one).some((format) => lost.has(format)))
  const refused = projectionGroups(names)
    .flat()
    .filter((name) => !isWhole(name))
  if (refused.length === 0) return
  const formats = new Set(refused.flatMap(formatsOf))
  const rested = gone.filter(({ format }) => formats.has(format))
  const readings = rested.reduce((sum, one) => sum + one.readings, 0)
  const until = rested
    .map((one) => one.until)
    .sort()
    .at(-1)
  const whole = projectionNames.filter(isWhole)
  throw new PayloadsGoneError(
    `A replay of ${refused.join(', ')} would lose what rests on the payloads of ${readings} readings until ${until}, which retention removed. Nothing was changed. ${whole.length === 0 ? 'Nothing else can be replayed either.' : `What can be replayed: rivalscope replay ${whole.join(' ')}.`}`,
  )
}

/** Projections that are rebuilt together, in the order of the table, each in one group only. */
export function projectionGroups(names: readonly ProjectionName[]): ProjectionName[][] {
  const groups = projectionNames
    .filter((name) => names.includes(name))
    .map((name) => projectionNames.filter((other) => other === name || restsOn(name).includes(other)))
  return groups.filter(
    (group) =>
      !groups.some((other) => other.length > group.length && group.every((name) => other.includes(name))),
  )
}

/** Disk space of projections; a rebuild needs as much again. */
export const servedBytes = (db: Database, names: readonly ProjectionName[]): Promise<number> =>
  bytesOfTables(
    db,
    names.flatMap((name) => projections[name].tables),
  )

const formatsOf = (name: ProjectionName): readonly string[] => projections[name].formats
const restsOn = (name: ProjectionName): readonly string[] => projections[name].restsOn

/** A rebuild of a group of projections. */
class Rebuild {
  readonly #db: Database
  readonly #names: readonly ProjectionName[]
  readonly #projections: readonly Projection[]
  readonly #tables: readonly string[]
  readonly #formats: readonly string[]
  readonly #counted: Set<string>
  readonly #summary: ReplaySummary
  readonly #token = uuidv7()
  readonly #since = new Date()
  /** Readings with smaller ids are all visible; later ones may still appear, so the derived ones among those are recorded. */
  readonly #settled = firstIdAt(new Date(Date.now() - latestMs))
  #served = ''

  constructor(db: Database, names: readonly ProjectionName[], counted: Set<string>, summary: ReplaySummary) {
    this.#db = db
    this.#names = names
    this.#projections = names.map((name) => projections[name])
    this.#tables = this.#projections.flatMap(({ tables }) => tables)
    this.#formats = [...new Set(this.#projections.flatMap(({ formats }) => formats))]
    this.#counted = counted
    this.#summary = summary
  }

  async run(
    onProgress: (done: number, total: number, names: readonly ProjectionName[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    await retryUntilUnlocked(() => this.#begin(), signal)
    const total = await countReadings(this.#db, this.#formats)
    let done = 0
    let last: string | undefined
    for (;;) {
      signal.throwIfAborted()
      const batch = await this.#read(this.#db, last)
      if (batch.last === undefined) break
      await inTransaction(this.#db, (transaction) => this.#derive(transaction, batch))
      last = batch.last
      done += batch.ids.length
      onProgress(done, Math.max(total, done), this.#names)
    }
    await this.#tidy()
    await retryUntilUnlocked(() => this.#takePlace(signal), signal)
    for (const format of this.#formats) this.#counted.add(format)
  }

  /** Creates the empty tables. Foreign keys to tables in use need a brief lock, which readers do not notice. */
  async #begin(): Promise<void> {
    await inTransaction(this.#db, async (transaction) => {
      await setLockTimeout(transaction, beginningMs)
      const schema = await firstRow(transaction, sql<{ name: string }>`select current_schema() as name`)
      this.#served = schema?.name ?? 'public'
      await sql`create schema ${sql.id(rebuildSchema)}`.execute(transaction)
      await sql`
        create table ${sql.table(`${rebuildSchema}.replay`)} (token uuid primary key, names text not null, position uuid)`.execute(
        transaction,
      )
      await sql`
        insert into ${sql.table(`${rebuildSchema}.replay`)}
        values (${this.#token}, ${this.#names.join(' and ')})`.execute(transaction)
      await sql`create table ${sql.table(`${rebuildSchema}.replayed`)} (reading_id uuid primary key)`.execute(
        transaction,
      )
      await createRebuildTables(transaction, this.#served, this.#tables)
    })
  }

  /** The next readings, parsed. In the range where late ones may appear, already derived ones are skipped. */
  async #read(db: Database, after: string | undefined): Promise<Batch> {
    const stored = await readingsToDerive(
      db,
      {
        formats: this.#formats,
        after,
        unless: { ids: sql.table(`${rebuildSchema}.replayed`), from: this.#settled },
      },
      batchReadings,
      batchBytes,
    )
    const parsed = (await Promise.all(stored.map(reparse))).filter((entry) => entry !== undefined)
    const fresh = stored.filter(({ format }) => !this.#counted.has(format)).length
    const understood = parsed.filter(({ reading }) => !this.#counted.has(reading.format)).length
    return {
      ids: stored.map(({ readingId }) => readingId),
      last: stored.at(-1)?.readingId,
      parsed: await Promise.all(
        parsed.map(async (one) => ({ ...one, parsed: await withLanguagesIn(one.parsed) })),
      ),
      fresh,
      refused: fresh - understood,
    }
  }

  async #derive(db: Database, { ids, last, parsed, fresh, refused }: Batch): Promise<void> {
    await this.#claim(db, last)
    await useRebuildSchema(db, this.#served)
    await deriveRecords(db, parsed, this.#names)
    await sql`
      insert into replayed
      select id from json_array_elements_text(${JSON.stringify(ids)}::json) as sent(text), cast(text as uuid) as id
      where id >= ${this.#settled}::uuid`.execute(db)
    this.#summary.readings += fresh
    this.#summary.refused += refused
  }

  /**
   * Checks that the new tables still belong to this replay, and locks that until the transaction ends: otherwise statements
   * would affect the served ones.
   */
  async #claim(db: Database, position: string | undefined): Promise<void> {
    const ours = await firstRow(
      db,
      sql`
        update ${sql.table(`${rebuildSchema}.replay`)} set position = coalesce(${position ?? null}::uuid, position)
        where token = ${this.#token} returning token`,
    )
    if (!ours) throw new ReplayUnderWayError('Another replay has begun anew what this one was making.')
  }

  /** Vacuums and analyzes the new tables; autovacuum would do so only after the swap, with readers on them. */
  async #tidy(): Promise<void> {
    for (const table of this.#tables)
      await sql`vacuum analyze ${sql.table(`${rebuildSchema}.${table}`)}`.execute(this.#db)
  }

  /**
   * Derives the readings that arrived meanwhile and swaps the tables. Writers of readings are blocked from the last check
   * for new readings until the end, so nothing is lost or derived twice.
   */
  async #takePlace(signal: AbortSignal): Promise<void> {
    await this.#catchUp(this.#db, (batch) => inTransaction(this.#db, (own) => this.#derive(own, batch)), signal)
    const before = { ...this.#summary }
    try {
      await inTransaction(this.#db, async (transaction) => {
        await setLockTimeout(transaction, maxWriterWaitMs)
        await this.#claim(transaction, undefined)
        await lockReadings(transaction)
        await this.#catchUp(transaction, (batch) => this.#derive(transaction, batch), signal)
        await useRebuildSchema(transaction, this.#served)
        await this.#settle(transaction)
        await countChange(transaction, [...evidenceAreasOfFormats(this.#formats), 'other'])
        await swapTables(transaction, this.#served, this.#tables)
      })
    } catch (error) {
      Object.assign(this.#summary, before)
      throw error
    }
  }

  async #catchUp(
    db: Database,
    deriveRecords: (batch: Batch) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      const batch = await this.#read(db, this.#settled)
      if (batch.last === undefined) return
      await deriveRecords(batch)
    }
  }

  /** Applies changes from other sources than new readings: withdrawals, decisions and newly tracked terms. */
  async #settle(db: Database): Promise<void> {
    const since = new Date(this.#since.getTime() - latestMs)
    const withdrawn = (await Promise.all((await withdrawnSince(db, since)).map(reparse))).filter(
      (entry) => entry !== undefined,
    )
    for (const { withdraw, settle } of this.#projections) {
      if (withdrawn.length > 0) await withdraw?.(db, withdrawn)
      await settle?.(db, since)
    }
  }
}

interface Batch {
  ids: string[]
  last: string | undefined
  parsed: ParsedReading[]
  /** Readings that no earlier projection counted, and the number of refused ones among them. */
  fresh: number
  refused: number
}
