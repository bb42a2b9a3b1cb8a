import type { Operation } from './operation.ts'

/** What a call does to the world, for those who decide whether to ask a person first. */
export interface Hints {
  /** Changes nothing. */
  readOnly: boolean
  /** Can remove, replace or undo what was stored before. */
  destructive: boolean
  /** Made twice, it leaves the same as made once. */
  idempotent: boolean
  /** May ask sources outside the installation, at once or by the work it starts. */
  openWorld: boolean
}

/** Follows from a row of the contract. Accepted work that has ended begins anew when asked for again. */
export function hintsOf({ method, ending, outside, overwrites }: Operation): Hints {
  return {
    readOnly: method === 'GET',
    destructive: ending === 'remove' || overwrites === true,
    idempotent: ending !== 'accept',
    openWorld: outside === true,
  }
}
