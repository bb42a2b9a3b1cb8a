import { hash } from 'node:crypto'
import { changeCounts } from '../domain/evidence/changes.ts'
import type { Database } from '../storage/database.ts'
import { storeFailuresAsProblems } from './problem.ts'

/** Milliseconds for which all callers get the same answer: a process queries the store at most once in that time. */
const memoryMs = 2_000

/**
 * A marker for each area of shared evidence, which changes when something is stored there. Equal in all processes. It
 * reveals neither what was stored nor for whom.
 */
export class ChangeMarkers {
  readonly #db: Database
  #read: { body: Promise<string>; until: number } | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** The current markers as JSON. @throws Problem `unavailable` */
  current(): Promise<string> {
    const now = Date.now()
    if (this.#read && this.#read.until > now) return this.#read.body
    const body = storeFailuresAsProblems(() => markersIn(this.#db))
    this.#read = { body, until: now + memoryMs }
    body.catch(() => {
      if (this.#read?.body === body) this.#read = undefined
    })
    return body
  }
}

async function markersIn(db: Database): Promise<string> {
  const counts = Object.entries(await changeCounts(db))
  const markers = counts.map(([area, changes]) => [
    area,
    hash('sha256', `${area} ${changes}`, 'base64url').slice(0, 12),
  ])
  return JSON.stringify({ markers: Object.fromEntries(markers) })
}
