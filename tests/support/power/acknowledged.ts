/** A counter that a service was asked to raise: how often it acknowledged, and how often it was asked. */
export interface Raised {
  reported: number
  sent: number
}

/** Files passed to an import command. */
export interface GivenImport {
  number: number
  kind: 'catalogue' | 'charts'
  /** Arguments of the command that names the files. */
  arguments: string[]
  /** Whether the command ended with 0. */
  done: boolean
}

/** A write with an `Idempotency-Key`: repeated when it is not answered. */
export interface KeyedWrite {
  storeId: string
  answered: boolean
}

/** What a service acknowledged to its clients. Unanswered writes may have been performed or not. */
export class Acknowledged {
  /** Data requests, by app. */
  readonly requests = new Map<string, Raised>()
  /** The same with a key, by key. */
  readonly keyed = new Map<string, KeyedWrite>()
  /** Apps for which a write with a key took effect more than once or not at all: reported once, then ignored. */
  readonly miscounted = new Set<string>()
  /** Ids of tracked apps by store id; undefined while unknown. */
  readonly tracked = new Map<string, string | undefined>()
  /** The number in the note of a saved post, by post: each write increments it. */
  readonly notes = new Map<string, Raised>()
  readonly imports: GivenImport[] = []

  /** How many writes were acknowledged. */
  get count(): { requests: number; keyed: number; tracked: number; notes: number; imports: number } {
    const sum = (counts: Iterable<Raised>) => [...counts].reduce((all, { reported }) => all + reported, 0)
    return {
      requests: sum(this.requests.values()),
      keyed: [...this.keyed.values()].filter(({ answered }) => answered).length,
      tracked: [...this.tracked.values()].filter((appId) => appId !== undefined).length,
      notes: sum(this.notes.values()),
      imports: this.imports.filter(({ done }) => done).length,
    }
  }
}
