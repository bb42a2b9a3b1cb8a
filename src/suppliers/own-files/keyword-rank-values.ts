import { shown } from '../../ingest/mapping/mapping.ts'
import {
  deepestRank,
  doubtfulRanks,
  type RankTool,
  rankToolNames,
} from '../../vocabulary/keyword-rank-tools.ts'

/** Our fields of a rank in a file of another tool. */
export const rankFields = [
  'term',
  'day',
  'storeId',
  'country',
  'rank',
  'device',
  'platform',
  'tool',
  'requested',
  'unranked',
] as const

export type RankField = (typeof rankFields)[number]

export type RankValues = Partial<Record<RankField, unknown>>

/** What is known of the values of a file. */
interface Signs {
  tool: RankTool | undefined
  /** How many places were looked at, where the file, the mapping or the operator says so. */
  depth: number | undefined
  /** The value for an app without a rank, where the mapping names it. */
  unranked: string | undefined
}

/** A value that says that there is no rank: absent among `depth` places, or not measured. */
export interface NoRank {
  value: string
  means: 'not-ranked' | 'unknown'
  depth: number | null
}

/** An empty cell can be a day without data. */
const noValue = /^(?:n\.?\/?a\.?|nan|nil|null|none|undefined)?$/i
const noRank = /^(?:[-\u2010-\u2015\u2212]+|n\.?\/?r\.?|un-?ranked|(?:not|no) rank(?:ed|ing)?)$/i
/** `>200`, `200+`, `not in top 200`, `outside the first 200`. */
const beyond =
  /^(?:> ?(\d+)|(\d+) ?\+|(?:not (?:in|within|among)|outside|below|beyond)(?: of)?(?: the)?(?: (?:top|first))? ?(\d+))$/i
const deepestTold = 32_767

/**
 * Reads a rank: a place, or that there is none, by what the tool means by it.
 * @returns a reason where it is refused: it is no rank, or a place with one tool and none with another
 */
export function readRank(cell: unknown, { tool, depth, unranked }: Signs): number | NoRank | string {
  const text = (typeof cell === 'string' ? cell : shown(cell ?? '')).trim()
  if (noValue.test(text)) return { value: '', means: 'unknown', depth: null }
  // Programs write whole numbers with a decimal where a column has empty cells.
  const number = /^#?(-?\d+)(?:\.0+)?$/.exec(text)?.[1]
  const value = number ?? text
  if (tool?.unknown?.includes(value)) return { value, means: 'unknown', depth: null }
  if (value === unranked || tool?.unranked.includes(value) || noRank.test(text))
    return { value, means: 'not-ranked', depth: depth ?? tool?.depth ?? null }
  const match = beyond.exec(text)
  const told = Number(match?.[1] ?? match?.[2] ?? match?.[3] ?? 0)
  if (told >= 1 && told <= deepestTold) return { value: '>', means: 'not-ranked', depth: told }
  if (tool === undefined && unranked === undefined && doubtfulRanks.has(value))
    return `"${value}" is a place with some tools, and with others an app without a rank: name the tool with --format (${rankToolNames.join(', ')}), or this sign in a mapping by "unranked"`
  const rank = Number(number ?? Number.NaN)
  return rank >= 1 && rank <= deepestRank ? rank : `impossible rank "${text.slice(0, 100)}"`
}

/** Counts what values were taken for, to say it in sentences. */
export class NoRanks {
  readonly #counts = new Map<string, NoRank & { count: number }>()

  add(found: NoRank): void {
    // A depth that the value itself tells needs no sentence.
    if (found.value === '>') return
    const key = `${found.means} ${found.depth} ${found.value}`
    const known = this.#counts.get(key)
    if (known) known.count++
    else if (this.#counts.size < 20) this.#counts.set(key, { ...found, count: 1 })
  }

  inWords(tool: RankTool | undefined): string[] {
    return [...this.#counts.values()].map(({ value, means, depth, count }) => {
      const are = `${count.toLocaleString('en')} ${count === 1 ? 'rank is' : 'ranks are'}`
      if (value === '') return `${are} empty: not measured, since it may be a day without data`
      if (means === 'unknown')
        return `${are} ${value}, which ${tool?.title} writes for a failed search, too: not measured`
      const said = `${are} "${value}", not ranked${tool?.unranked.includes(value) ? ` with ${tool.title}` : ''}`
      return depth === null
        ? `${said}, and nothing says how many places were looked at (--requested would): not measured`
        : `${said}: absent among ${depth} places`
    })
  }
}
