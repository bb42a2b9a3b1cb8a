import { parseDocument } from './json.ts'

/** Bytes as they came, and the document in them, which is parsed once however many ask for it. */
export class RawPayload {
  readonly bytes: Uint8Array
  #document: { value: unknown } | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** The JSON document they are. @throws UnfitPayload */
  document(): unknown {
    this.#document ??= { value: parseDocument(this.bytes) }
    return this.#document.value
  }
}
