/** Thrown by whoever reads an answer and finds that it is not what was asked for. */
export class UnfitAnswer extends Error {
  readonly kind: 'cut-off' | 'not-json' | 'unexpected-shape'

  constructor(kind: UnfitAnswer['kind'], reason: string) {
    super(reason)
    this.name = 'UnfitAnswer'
    this.kind = kind
  }
}
