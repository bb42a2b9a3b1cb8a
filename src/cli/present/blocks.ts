/** The parts of an answer, independent of the width of the screen. */

export type Tone = 'strong' | 'quiet' | 'good' | 'bad' | 'warning'

/** A span of text in one tone. */
export interface Span {
  text: string
  tone?: Tone
}

/** One value in a table or beside a label. */
export interface Cell extends Span {
  /** Numbers stand under each other by their last digit. */
  number?: boolean
  /** Signs of ours are in it and no word of anybody else, so that it can be shown in plain ASCII. */
  ours?: boolean
  /** Dropped where drawings are off. */
  drawing?: boolean
  /** Never cut: half of it would say something else. */
  whole?: boolean
  /** What the legend under the answer explains: `absent`, `beyond`, or why a value was not measured. */
  mark?: string
}

export interface Column {
  title: string
  /** Which column stays when not all fit: 1 the longest. Without it, columns go from the last to the first. */
  stays?: number
  /** Dropped where drawings are off. */
  drawing?: boolean
  /** Sentences, which are wrapped rather than cut. */
  wraps?: boolean
}

export interface TableBlock {
  kind: 'table'
  columns: Column[]
  rows: Cell[][]
}

/** The canvas: its width, and Unicode blocks or plain ASCII. */
export interface Canvas {
  width: number
  unicode: boolean
}

export type Block =
  | { kind: 'title'; text: string; aside?: string }
  | { kind: 'section'; text: string; aside?: string }
  | { kind: 'text'; text: string; tone?: Tone; indent?: number }
  | { kind: 'pairs'; pairs: { label: string; cells: Cell[] }[] }
  | TableBlock
  | { kind: 'drawing'; draw: (canvas: Canvas) => Span[][]; instead: Block[] }
