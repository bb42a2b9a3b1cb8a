/**
 * A payload, or a row of one, that does not have the expected form.
 * - `cut-off`: it ends before it is complete
 * - `not-json`: not JSON, such as a page of HTML
 * - `unexpected-shape`: readable, but not what this format looks like
 */
export class UnfitPayload extends Error {
  readonly kind: 'cut-off' | 'not-json' | 'unexpected-shape'
  /** The reason without content of the payload, which must not reach logs and health records. */
  readonly discreet: string

  constructor(reason: string, kind: UnfitPayload['kind'] = 'unexpected-shape', discreet = reason) {
    super(reason)
    this.name = 'UnfitPayload'
    this.kind = kind
    this.discreet = discreet
  }
}
