import type { ParsedPayload } from '../ingest/parsed-payload.ts'
import type { ParsedInput } from '../suppliers/parsed-input.ts'

/** Records stored in one transaction: enough to be fast, few enough that other writers wait briefly. */
const batchRecords = 500
/** A transaction is stored after so many bytes however few records it has: they are held in memory until then. */
const batchBytes = 16 * 1024 * 1024

/**
 * Stores payloads with everything derived from them, atomically, and answers of each, in order, whether it was new.
 * @param turn the write before this one; payloads are prepared until it ends
 */
type Store = (payloads: readonly ParsedInput[], turn: Promise<void>) => Promise<readonly boolean[]>

/** Called after each batch, in their order. */
type OnStored = (batch: readonly ParsedInput[], isNew: readonly boolean[]) => void

/**
 * Relative cost of storing a record: a chart place is cheap compared with an app, since charts stored together share most
 * apps; a post costs a quarter of an app.
 */
function weightOf({ sightings, charts, posts = [], ads = [] }: ParsedPayload): number {
  const whole = sightings.length + ads.length + posts.length / 4
  return charts.reduce((sum, chart) => sum + chart.storeIds.length / 45, whole)
}

/** A pipeline of payloads into the store: while one batch is written, the next is read and prepared. */
export class Batches {
  readonly #store: Store
  readonly #onStored: OnStored
  #gathered: ParsedInput[] = []
  #records = 0
  #bytes = 0
  #writing: Promise<void> = Promise.resolve()

  constructor(store: Store, onStored: OnStored) {
    this.#store = store
    this.#onStored = onStored
  }

  async add(payload: ParsedInput): Promise<void> {
    this.#gathered.push(payload)
    this.#records += weightOf(payload.parsed)
    this.#bytes += payload.bytes.byteLength
    if (this.#records >= batchRecords || this.#bytes >= batchBytes) await this.#write()
  }

  async end(): Promise<void> {
    await this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    const before = this.#writing
    const batch = this.#gathered
    this.#gathered = []
    this.#records = 0
    this.#bytes = 0
    if (batch.length === 0) return before
    const stored = this.#store(batch, before)
    this.#writing = Promise.all([stored, before]).then(([isNew]) => this.#onStored(batch, isNew))
    this.#writing.catch(() => {})
    await before
  }
}
