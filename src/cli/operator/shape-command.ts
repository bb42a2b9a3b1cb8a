import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import type { OperatorCommand } from '../../operator/command.ts'
import type { FieldHelp } from '../../operator/field-help.ts'
import { connectionOptions } from '../connection.ts'
import { toKebabCase } from '../operations/words.ts'
import type { OperatorCall, StoreOptions } from './operator-commands.ts'

/** An option of a field. */
export class FieldOption extends Option {
  /** Common values, for completion; other values are allowed. */
  usually: readonly string[] | undefined
}

/**
 * Gives a command the arguments, options and examples of its row. Each value is parsed by its field; an invalid one ends
 * with code 2 and names the option.
 */
export function shapeOperatorCommand(command: Command, row: OperatorCommand): void {
  for (const place of row.places) command.addArgument(argumentOf(fieldOf(row, place)))
  for (const taken of [row.around, row])
    for (const name of Object.keys(taken.words)) {
      if (row.places.includes(name)) continue
      const field = fieldOf(taken, name)
      const option = optionOf(name, field)
      command.addOption(field.words.env && !row.ignoresVariables ? option.env(field.words.env) : option)
    }
  if (row.remotely)
    for (const option of connectionOptions())
      command.addOption(option.helpGroup('On a running server, by the key of an account:'))
  if (row.examples.length > 0)
    command.addHelpText('after', `\nExample:\n${row.examples.map((line) => `  ${line}`).join('\n')}`)
}

/** The input and the options of a parsed command. */
export function parsedInputOf(
  command: Command,
  { places, fields }: OperatorCommand,
): Pick<OperatorCall, 'input' | 'options'> {
  const options = command.opts<StoreOptions>()
  const processed: readonly unknown[] = command.processedArgs
  // An omitted argument must not become a property: the schema accepts a missing one and refuses `undefined`.
  const input = Object.fromEntries(
    places.flatMap((place, at) => (processed[at] === undefined ? [] : [[place, processed[at]]])),
  )
  // In `keys rotate KEY --key ADMIN` the option is unrelated to the argument of the same name.
  for (const [name, value] of Object.entries(options))
    if (name in fields && !places.includes(name)) input[name] = value
  return { input, options }
}

/** A field as the command line needs to know it. */
interface Field {
  words: FieldHelp
  /** The schema of one value. */
  one: z.ZodType
  list: boolean
  choices: readonly string[] | undefined
  required: boolean
  usual: unknown
}

function fieldOf({ fields, words }: Pick<OperatorCommand, 'fields' | 'words'>, name: string): Field {
  let inner = fields[name] as z.ZodType
  let usual: unknown
  while (
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodExactOptional
  ) {
    if (inner instanceof z.ZodDefault) usual = inner.parse(undefined)
    inner = inner.unwrap() as z.ZodType
  }
  const required = inner === fields[name]
  const list = inner instanceof z.ZodArray
  const one = inner instanceof z.ZodArray ? (inner.element as z.ZodType) : inner
  const choices = one instanceof z.ZodEnum ? one.options.map(String) : undefined
  return { words: words[name] ?? { value: null, about: '' }, one, list, choices, required, usual }
}

function argumentOf({ words, one, list, choices, required }: Field): Argument {
  const name = words.value ?? ''
  const argument = new Argument(required ? name : `[${name.slice(1, -1)}]`, words.about)
  if (choices) return argument.choices(choices)
  return argument.argParser(reader(words, one, list))
}

function optionOf(name: string, { words, one, list, choices, required, usual }: Field): Option {
  const option = new FieldOption([`--${toKebabCase(name)}`, words.value].filter(Boolean).join(' '), words.about)
  option.usually = words.usually
  if (choices) option.choices(choices)
  else if (words.value) option.argParser(reader(words, one, list))
  if (usual !== undefined) option.default(usual)
  return required ? option.makeOptionMandatory() : option
}

/** A parser for one value, or for a further value of a list. */
function reader({ whole }: FieldHelp, one: z.ZodType, list: boolean) {
  return (text: string, before: unknown): unknown => {
    if (!list) return fitValue(one, text)
    const values = (whole ? [text] : text.split(',')).map((part) => fitValue(one, part))
    return [...new Set([...(Array.isArray(before) ? before : []), ...values])]
  }
}

function fitValue(one: z.ZodType, text: string): unknown {
  const parsed = one.safeParse(one instanceof z.ZodNumber && /^\d+$/.test(text) ? Number(text) : text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'is not fit')
}
