/** What the output, a terminal or a file, can show. */
export interface Style {
  /** Columns per line; Infinity where the output is no terminal, where nothing is cut. */
  width: number
  /** Whether colours may be used. */
  colour: boolean
  /** Whether arrows, blocks and dots can be shown; plain ASCII otherwise. Evidence stays in its own letters. */
  unicode: boolean
  /** Whether charts are drawn; tables stand in their place otherwise. */
  drawings: boolean
}

interface Stream {
  isTTY?: boolean
  columns?: number
}

type Environment = Readonly<Record<string, string | undefined>>

/** The narrowest screen that answers are laid out for. */
const narrowest = 40

/**
 * Determines from a stream and the environment what can be shown. `NO_COLOR` (not empty) turns colours off, `FORCE_COLOR`
 * turns them on where there is no terminal (`0` and `false` turn them off) and goes before `NO_COLOR`, as Node has it.
 * `TERM=dumb` shows neither colours nor drawings.
 */
export function styleOf(stream: Stream, environment: Environment): Style {
  const dumb = environment.TERM === 'dumb'
  const terminal = stream.isTTY === true
  return {
    width: terminal ? Math.max(narrowest, stream.columns || 80) : Number.POSITIVE_INFINITY,
    colour: wantsColour(environment) ?? (terminal && !dumb),
    unicode: !dumb && speaksUtf8(environment),
    drawings: terminal && !dumb,
  }
}

function wantsColour({ FORCE_COLOR: force, NO_COLOR: no }: Environment): boolean | undefined {
  if (force !== undefined) return force !== '0' && force !== 'false'
  return no ? false : undefined
}

/**
 * Whether the locale is UTF-8, by the POSIX order of its variables. Where none is set, as in most containers, Unicode is
 * assumed.
 */
function speaksUtf8({ LC_ALL, LC_CTYPE, LANG }: Environment): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG
  return !locale || /utf-?8/i.test(locale)
}
