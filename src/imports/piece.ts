/** The layout of a file. */
export type FileLayout = 'document' | 'lines' | 'csv'

/** A part of a file that is parsed and stored as a unit, and recognised as a unit when it is imported again. */
export interface FilePiece {
  layout: FileLayout
  bytes: Buffer
  /** Line of the file at which the piece begins, 1-based; for elements of a long array, the element. */
  from: number
  /** 1 for the first piece of a file. */
  part: number
  /** Its position in a document with several, such as `datasets 2`. */
  within?: string
}

/** A part of the file that cannot be parsed. */
export interface DamagedPart {
  position: string
  reason: string
}

/** Target size of a piece of lines: small enough for memory, large enough to compress well. */
export const pieceBytes = 512 * 1024
