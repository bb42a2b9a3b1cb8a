import type { Operation } from '../../contract/operation.ts'
import type { Parameter } from './parameters.ts'
import { commandOf, flagOf, kebab, shellWord } from './words.ts'

/** The example of an operation as somebody types it. */
export function exampleOf(tool: string, operation: Operation, parameters: readonly Parameter[]): string {
  return ['rivalscope', commandOf(tool), ...exampleWords(operation, parameters).map(shellWord)].join(' ')
}

/** What follows the command in the example of an operation; long JSON stands in a file. */
export function exampleWords({ example }: Operation, parameters: readonly Parameter[]): string[] {
  const given: Record<string, unknown> = { ...example.params, ...example.query, ...example.body }
  return parameters.flatMap((parameter) => {
    const value = given[parameter.name]
    return value === undefined ? [] : wordsFor(parameter, value)
  })
}

/** An argument on the command line, so that reading it gives the value again. */
function wordsFor(parameter: Parameter, value: unknown): string[] {
  const { name, positional, kind, list, freeText, default: usual } = parameter
  if (positional) return [String(value)]
  if (kind === 'json') return [flagOf(name), `@${kebab(name)}.ndjson`]
  if (value === usual) return []
  if (value === null || (Array.isArray(value) && value.length === 0) || value === false)
    return [`--no-${kebab(name)}`]
  if (value === true) return [flagOf(name)]
  if (!list) return [flagOf(name), String(value)]
  const values = (value as unknown[]).map(String)
  const escaped = freeText ? values.map((one) => one.replaceAll(',', '\\,')) : values
  return [flagOf(name), escaped.join(',')]
}
