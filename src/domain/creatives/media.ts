import type { MediumKind } from '../../vocabulary/creatives.ts'

/** A picture or video as a source tells of it; its place in the list is its place in the creative. */
export interface StatedMedium {
  kind: MediumKind
  /** Null where the source shows that there is one and gives no address. */
  url: string | null
  /** Pixels. */
  width?: number
  height?: number
  durationSeconds?: number
  /** What is said in it, where the source sends that along. */
  captions?: Captions
}

/** Spoken words as a source wrote them down. */
export interface Captions {
  /** BCP 47; null when the source does not say. */
  language: string | null
  /** In the order spoken; seconds from the start. */
  segments: { startSeconds: number; endSeconds: number; text: string }[]
}
