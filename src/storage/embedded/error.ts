/** No embedded store can run here; the message says why and what to do. */
export class EmbeddedStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedStoreError'
  }
}
