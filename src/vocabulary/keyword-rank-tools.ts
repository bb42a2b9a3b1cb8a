import table from '../data/keyword-rank-tools.json' with { type: 'json' }

/** What is known of the ranks of keywords that another tool tells. */
export interface RankTool {
  /** Its name, as replies show it. */
  title: string
  /** Values of a rank that say that the app has none. */
  unranked: readonly string[]
  /** Values of a rank that say nothing: the tool writes them for a failed search, too. */
  unknown?: readonly string[]
  /** How many places it looks at; null where it does not say. */
  depth: number | null
  /** Columns by which its table is recognised; without them its name has to be given. */
  columns?: readonly string[]
  /** A text in lines at the end of its table that are no rows. */
  lastLine?: string
}

export type RankToolName = keyof typeof table.tools

/** Tools whose signs for "not ranked" are known, with where each was read in `src/data/keyword-rank-tools.json`. */
export const rankTools: Readonly<Record<RankToolName, RankTool>> = table.tools

export const rankToolNames = Object.keys(table.tools) as RankToolName[]

export const isRankTool = (name: string | undefined): name is RankToolName =>
  name !== undefined && Object.hasOwn(rankTools, name)

/** Whole numbers that tools write for "not ranked", or for a rank. Without the name of the tool nobody knows which. */
export const doubtfulRanks: ReadonlySet<string> = new Set(['0', '-1', '500', '501', '999', '1000'])

/** Places at which a rank can be; Apple's own search shows some two hundred. */
export const deepestRank = 500

/** Characters of the name of a tool. */
export const longestToolName = 60
