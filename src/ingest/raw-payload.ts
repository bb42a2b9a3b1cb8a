import { parseDocument } from './json.ts'

/** Raw bytes, and their JSON document, which is parsed once on first use. */
export class RawPayload {
  readonly bytes: Uint8Array
  #document: { value: unknown } | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** Parses the bytes as JSON. @throws UnfitPayload */
  document(): unknown {
    this.#document ??= { value: parseDocument(this.bytes) }
    return this.#document.value
  }
}
