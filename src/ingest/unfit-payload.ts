/**
 * A payload, or a row of one, that is not what it should be.
 * - `cut-off`: it ends before it is complete
 * - `not-json`: something else than the format asked for, such as a page of HTML
 * - `unexpected-shape`: readable, but not what this format looks like
 */
export class UnfitPayload extends Error {
  readonly kind: 'cut-off' | 'not-json' | 'unexpected-shape'
  /** The reason without anything of the payload itself, which logs and health records must not hold. */
  readonly discreet: string

  constructor(reason: string, kind: UnfitPayload['kind'] = 'unexpected-shape', discreet = reason) {
    super(reason)
    this.name = 'UnfitPayload'
    this.kind = kind
    this.discreet = discreet
  }
}
