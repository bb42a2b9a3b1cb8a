import { z } from 'zod'
import { flatArgumentsShape } from '../../contract/flat-arguments.ts'
import type { Operation } from '../../contract/operation.ts'
import { compileQueryReader, type TextParameters } from '../../contract/query-text.ts'
import { InputError, type ListedValue, readJson, readList, type StandardInput } from './json-input.ts'
import type { Parameter } from './parameters.ts'
import { flagOf, toKebabCase } from './words.ts'

/** The texts that were typed for each argument, by the argument's name in the contract. */
export type TypedArguments = Readonly<Record<string, string | string[] | boolean | undefined>>

/**
 * The arguments of a call, read from the command line and checked against the contract. Defaults are left to the server.
 * @throws UsageError naming every option that is wrong
 */
export async function argumentsFrom(
  operation: Operation,
  parameters: readonly Parameter[],
  written: TypedArguments,
  stdin: StandardInput,
): Promise<Record<string, unknown>> {
  const texts: TextParameters = {}
  const values: Record<string, unknown> = {}
  const misuses: Misuse[] = []
  for (const parameter of parameters) {
    const { name, kind, list } = parameter
    const given = written[name]
    if (given === undefined) continue
    try {
      if (given === false && parameter.cleared !== undefined) values[name] = parameter.cleared
      else if (kind === 'json') values[name] = asList(await readJson(String(given), flagOf(name), stdin))
      else if (list) texts[name] = await severalOf(operation, parameter, given as string[], stdin)
      else texts[name] = String(given)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      misuses.push({ place: flagOf(name), message: error.message })
    }
  }
  Object.assign(values, readerOf(operation, parameters)(texts))
  misuses.push(...wrongIn(operation, parameters, values))
  if (misuses.length > 0) throw new UsageError(misuses)
  return values
}

/**
 * The arguments of each call that a list on standard input takes: an operation that answers each value takes as many as it can at
 * once, and those of one call share what their rows say beside. Arguments that were typed hold for all.
 */
export function callsFromInputList(
  given: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
  { list }: StandardInput,
): Readonly<Record<string, unknown>>[] {
  if (!list) return [given]
  const { name, values } = list
  const takes = (field: string) => parameters.some((parameter) => parameter.name === field) && !(field in given)
  const besideOf = ({ beside }: ListedValue) =>
    JSON.stringify(Object.fromEntries(Object.entries(beside).filter(([field]) => takes(field))))
  const most = parameters.find((parameter) => parameter.name === name)?.most ?? values.length
  return [...Map.groupBy(values, besideOf)].flatMap(([beside, together]) =>
    Array.from({ length: Math.ceil(together.length / most) }, (_, index) => ({
      ...given,
      ...JSON.parse(beside),
      [name]: together.slice(index * most, (index + 1) * most).map(({ value }) => value),
    })),
  )
}

/** The replies of several calls as one: lists one after the other, all else of the last. */
export const joined = (replies: readonly object[]): Record<string, unknown> =>
  replies.reduce<Record<string, unknown>>(
    (all, reply) => ({
      ...reply,
      ...Object.fromEntries(
        Object.entries(reply).flatMap(([field, value]) =>
          Array.isArray(value) && Array.isArray(all[field]) ? [[field, [...all[field], ...value]]] : [],
        ),
      ),
    }),
    {},
  )

/** The option for a JSON pointer into the arguments: `--min-rating` for `/minRating`. */
export function optionOfPointer(pointer: string, parameters: readonly Parameter[]): string {
  const [name = '', ...inside] = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const parameter = parameters.find((one) => one.name === name)
  const option = parameter?.positional ? `<${toKebabCase(name)}>` : flagOf(name)
  const [first, ...rest] = inside
  if (first === undefined) return option
  const which = /^\d+$/.test(first) ? `, number ${Number(first) + 1}` : `, ${first}`
  return `${option}${which}${rest.map((part) => `, ${part}`).join('')}`
}

/** A message of the contract with the arguments it names as options. Plain words, such as `terms`, stay words. */
export const withOptionNames = (message: string, parameters: readonly Parameter[]): string =>
  message.replaceAll(/\b[a-z]+(?:[A-Z][a-z]*)+\b/g, (word) =>
    parameters.some(({ name }) => name === word) ? flagOf(word) : word,
  )

async function severalOf(
  { answersEach }: Operation,
  { name, freeText, most }: Parameter,
  given: readonly string[],
  stdin: StandardInput,
): Promise<string[]> {
  const [only, ...others] = given
  if (only === '-' && others.length === 0) {
    const values = await readList(flagOf(name), stdin)
    if (answersEach !== name) return values.map(({ value }) => value)
    stdin.list = { name, values }
    // The rest follows in further calls.
    return values.slice(0, most).map(({ value }) => value)
  }
  // In an option that is given repeatedly, free text may contain commas; given once, a comma separates values unless it is
  // escaped.
  if (freeText && others.length > 0) return [...given]
  return given
    .flatMap((text) => text.split(/(?<!\\),/))
    .map((part) => part.replaceAll('\\,', ','))
    .filter((part) => part.trim() !== '')
}

/** A single record is taken as a list of one. */
const asList = (value: unknown) => (Array.isArray(value) ? value : [value])

function readerOf(operation: Operation, parameters: readonly Parameter[]) {
  const { shape } = flatArgumentsShape(operation)
  const wordy = parameters.filter(({ kind }) => kind !== 'json')
  return compileQueryReader(
    z.object(Object.fromEntries(wordy.map(({ name }) => [name, shape[name] as z.ZodType]))),
  )
}

function wrongIn(
  operation: Operation,
  parameters: readonly Parameter[],
  values: Record<string, unknown>,
): Misuse[] {
  const parsed = flatArgumentsShape(operation).safeParse(values)
  return (parsed.error?.issues ?? []).map((issue) => ({
    place: optionOfPointer(`/${issue.path.join('/')}`, parameters),
    message: wordsOf(issue, valueAt(values, issue.path), parameters),
  }))
}

/**
 * Puts a validation issue into words for a terminal: what was expected and what was typed, instead of zod's "received
 * string".
 */
function wordsOf(issue: z.core.$ZodIssue, value: unknown, parameters: readonly Parameter[]): string {
  if (issue.code === 'invalid_type') {
    if (value === undefined) return 'is needed'
    const kinds: Record<string, string> = {
      number: 'a number',
      int: 'a whole number',
      boolean: 'true or false',
      object: 'a JSON object',
      record: 'a JSON object',
    }
    return `must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(value)}`
  }
  const { choices = [], range } = parameters.find(({ name }) => name === issue.path[0]) ?? {}
  if (issue.code === 'too_small' || issue.code === 'too_big')
    return `${limitInWords(issue, range)}, not ${shown(value)}`
  if (issue.code === 'invalid_format' && issue.message.startsWith('Invalid '))
    return `${shown(value)} is not a valid ${issue.message.slice('Invalid '.length)}`
  if (issue.code !== 'invalid_value') return issue.message
  return choices.length <= 20 && choices.length > 0
    ? `must be ${oneOf(choices)}, not ${shown(value)}`
    : `${shown(value)} ${issue.message}`
}

function limitInWords(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  range: Parameter['range'] | undefined,
): string {
  const { least, most } = range ?? {}
  if (typeof least === 'number' && typeof most === 'number') return `must be ${least} to ${most}`
  const bound = issue.code === 'too_small' ? issue.minimum : issue.maximum
  const limit = `at ${issue.code === 'too_small' ? 'least' : 'most'} ${bound}`
  const unit = issue.origin === 'string' ? 'character' : issue.origin === 'array' ? 'value' : undefined
  return unit ? `must have ${limit} ${unit}${Number(bound) === 1 ? '' : 's'}` : `must be ${limit}`
}

function oneOf(words: readonly string[]): string {
  return words.length === 1 ? `${words[0]}` : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function shown(value: unknown): string {
  if (Array.isArray(value) && value.length > 3) return `${value.length}`
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    values,
  )
}

/** One mistake in how a command was called. */
export interface Misuse {
  /** The option or argument as it is typed: `--min-rating`, `<store-id>`. */
  place: string
  message: string
}

/** The command was called wrongly: it was not sent, or the server refused its arguments. */
export class UsageError extends Error {
  readonly misuses: readonly Misuse[]

  constructor(misuses: readonly Misuse[]) {
    super(misuses.map(({ place, message }) => `${place}: ${message}`).join('\n'))
    this.misuses = misuses
  }
}
