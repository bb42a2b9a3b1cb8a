import type { MediumKind } from '../../vocabulary/creatives.ts'

/** A picture or video as a source states it; its position in the list is its position in the creative. */
export interface StatedMedium {
  kind: MediumKind
  /** Null where the source shows that it exists but gives no address. */
  url: string | null
  /** Pixels. */
  width?: number
  height?: number
  durationSeconds?: number
  /** Its captions, where the source provides them. */
  captions?: Captions
  /** Fields that the source carries in a form that cannot be read. */
  unreadable?: readonly string[]
}

/** A transcript provided by a source. */
export interface Captions {
  /** BCP 47; null when the source does not say. */
  language: string | null
  /** In the order spoken; seconds from the start. */
  segments: { startSeconds: number; endSeconds: number; text: string }[]
}
