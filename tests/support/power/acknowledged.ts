/** A count that a service was asked to raise: how often it said it did, and how often it was asked. */
export interface Raised {
  reported: number
  sent: number
}

/** Files that were given to an import command. */
export interface GivenImport {
  number: number
  kind: 'catalogue' | 'charts'
  /** Arguments of the command that names the files. */
  arguments: string[]
  /** Whether the command ended with 0. */
  done: boolean
}

/** A write that carries an `Idempotency-Key`: whoever is not answered sends it again. */
export interface KeyedWrite {
  storeId: string
  answered: boolean
}

/** What the clients of a service were told is done. What was sent and never answered may be done or not. */
export class Acknowledged {
  /** Requests for data, by app. */
  readonly requests = new Map<string, Raised>()
  /** The same with a key, by key. */
  readonly keyed = new Map<string, KeyedWrite>()
  /** Apps of which a write with a key took effect more than once or not at all: told once, and not counted any more. */
  readonly miscounted = new Set<string>()
  /** Ids of tracked apps by store id; undefined while nobody has said. */
  readonly tracked = new Map<string, string | undefined>()
  /** The number in the note of a saved post, by post: each is one more than the last. */
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
