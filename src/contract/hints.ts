import type { Operation } from './operation.ts'

/** The effects of a call, for clients that decide whether to ask a person first. */
export interface EffectHints {
  /** Changes nothing. */
  readOnly: boolean
  /** Can remove, replace or undo what was stored before. */
  destructive: boolean
  /** Has the same effect when repeated. */
  idempotent: boolean
  /** May ask sources outside the installation, at once or by the work it starts. */
  openWorld: boolean
}

/** Derived from a row of the contract. Accepted work that has ended starts again when requested again. */
export function effectHintsOf({ method, ending, outside, overwrites }: Operation): EffectHints {
  return {
    readOnly: method === 'GET',
    destructive: ending === 'remove' || overwrites === true,
    idempotent: ending !== 'accept',
    openWorld: outside === true,
  }
}
