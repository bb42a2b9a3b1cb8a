import { setTimeout } from 'node:timers/promises'
import { storeReadings } from '../../projections/store-readings.ts'
import type { Database } from '../../storage/database.ts'
import { isStoreUnavailable } from '../../storage/store.ts'
import type { ParsedInput } from '../../suppliers/parsed-input.ts'

/** Most answers in one transaction: larger batches take memory and make other writers wait. */
const mostTogether = 40
const mostBytesTogether = 16 * 1024 * 1024

/** Waits between attempts while the store is unreachable. */
const waitsMs = [500, 1_000, 2_000, 5_000]

/** Attempts after which answers whose attempt has ended are dropped: about five minutes. */
const mostTriesAlone = 60

interface Waiting {
  payload: ParsedInput
  signal: AbortSignal
  settle: PromiseWithResolvers<boolean>
}

/**
 * Stores answers as they arrive. Answers that arrive during a transaction are stored together in the next one: those of a
 * slow upstream at once, those of a fast one in batches. While the store is unreachable, answers are held in memory, for a
 * while even when their attempt has ended: asking again would cost a call. No new attempts start without the store, so only
 * a few are held.
 */
export class IngestBatcher {
  readonly #db: Database
  #waiting: Waiting[] = []
  #storing = false

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Resolves when the answer and all data derived from it are stored.
   * @returns whether it was new
   * @throws when it cannot be stored, or the signal's reason when the store stays away until it aborts; the answer is still
   * stored when the store comes back within minutes, unless the process has ended
   */
  store(payload: ParsedInput, signal: AbortSignal): Promise<boolean> {
    const settle = Promise.withResolvers<boolean>()
    this.#waiting.push({ payload, signal, settle })
    if (!this.#storing) void this.#storeAll()
    return settle.promise
  }

  async #storeAll(): Promise<void> {
    this.#storing = true
    while (this.#waiting.length > 0) await this.#storeBatch(this.#nextBatch())
    this.#storing = false
  }

  #nextBatch(): Waiting[] {
    let bytes = 0
    const fits = this.#waiting.findIndex(({ payload }, index) => {
      bytes += payload.bytes.byteLength
      return index > 0 && (index >= mostTogether || bytes > mostBytesTogether)
    })
    return this.#waiting.splice(0, fits === -1 ? this.#waiting.length : fits)
  }

  async #storeBatch(batch: Waiting[], tries = 0): Promise<void> {
    try {
      const stored = await storeReadings(
        this.#db,
        batch.map(({ payload }) => payload),
      )
      for (const [index, { settle }] of batch.entries()) settle.resolve(stored[index] ?? false)
    } catch (error) {
      for (const { signal, settle } of batch) if (signal.aborted) settle.reject(signal.reason)
      if (isStoreUnavailable(error)) {
        const waitedFor = batch.some(({ signal }) => !signal.aborted)
        if (!waitedFor && tries >= mostTriesAlone) return
        // A stopping process does not wait for answers whose attempt has ended.
        await setTimeout(waitsMs[Math.min(tries, waitsMs.length - 1)], undefined, { ref: waitedFor })
        await this.#storeBatch(batch, tries + 1)
      } else if (batch.length === 1) batch[0]?.settle.reject(error)
      // An answer that cannot be stored does not fail the others of its batch.
      else for (const one of batch) await this.#storeBatch([one])
    }
  }
}
