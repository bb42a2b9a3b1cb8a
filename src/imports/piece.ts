/** How a file is laid out. */
export type Layout = 'document' | 'lines' | 'csv'

/** A part of a file that is read, stored and repeated as a whole. */
export interface Piece {
  layout: Layout
  bytes: Buffer
  /** Line of the file at which the piece begins, 1-based; for elements of a long array, the element. */
  from: number
  /** 1 for the first piece of a file. */
  part: number
}

/** A part of the file that cannot be read at all. */
export interface Damage {
  position: string
  reason: string
}

/** Lines are gathered into pieces of about this size: small enough for memory, large enough to compress well. */
export const pieceBytes = 512 * 1024
