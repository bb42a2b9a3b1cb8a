import type { Parameter } from './parameters.ts'
import { commandOfTool, flagOf, quoteForShellIfNeeded, toKebabCase } from './words.ts'

type Given = Readonly<Record<string, unknown>>

/** The command line for a call of an operation; long JSON is read from a file. */
export function commandLine(tool: string, given: Given, parameters: readonly Parameter[]): string {
  return [
    'rivalscope',
    commandOfTool(tool),
    ...commandWords(given, parameters).map(quoteForShellIfNeeded),
  ].join(' ')
}

/** The arguments after the name of the command. */
export function commandWords(given: Given, parameters: readonly Parameter[]): string[] {
  return parameters.flatMap((parameter) => {
    const value = given[parameter.name]
    return value === undefined ? [] : wordsFor(parameter, value)
  })
}

/** A value written as an argument, in the form that parses back to the same value. */
function wordsFor(parameter: Parameter, value: unknown): string[] {
  const { name, positional, kind, list, freeText, default: usual } = parameter
  if (positional) return [String(value)]
  if (kind === 'json') return [flagOf(name), `@${toKebabCase(name)}.ndjson`]
  if (value === usual) return []
  if (value === null || (Array.isArray(value) && value.length === 0) || value === false)
    return [`--no-${toKebabCase(name)}`]
  if (value === true) return [flagOf(name)]
  if (!list) return [flagOf(name), String(value)]
  const values = (value as unknown[]).map(String)
  const escaped = freeText ? values.map((one) => one.replaceAll(',', '\\,')) : values
  return [flagOf(name), escaped.join(',')]
}
