/** Converts names of the contract to names of commands and options, and back. */

/** `get_apple_charts` as `get-apple-charts`. */
export const commandOfTool = (tool: string): string => tool.replaceAll('_', '-')

/** `minRating` as `--min-rating`. */
export const flagOf = (name: string): string => `--${toKebabCase(name)}`

/** `minRating` as `min-rating`. */
export const toKebabCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * A text of the contract as somebody at a terminal should read it: operations as commands, arguments as options, no
 * backticks.
 * @param names arguments of the operation the text is about
 */
export function asTerminalText(
  text: string,
  tools: ReadonlySet<string> | Readonly<Record<string, unknown>>,
  names: readonly string[] = [],
): string {
  const isTool = (word: string) => (tools instanceof Set ? tools.has(word) : Object.hasOwn(tools, word))
  return text.replaceAll(/`([^`]+)`/g, (_, quoteForShell: string) => {
    if (isTool(quoteForShell)) return commandOfTool(quoteForShell)
    const [name = '', value] = quoteForShell.split('=', 2)
    if (!names.includes(name)) return quoteForShell
    if (value === undefined || value === 'true') return flagOf(name)
    return value === 'false' ? `--no-${toKebabCase(name)}` : `${flagOf(name)} ${value}`
  })
}

/** A word as a shell takes it literally, with quotes only where it needs them. */
export const quoteForShellIfNeeded = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word)

/** A text as every shell takes it literally. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
