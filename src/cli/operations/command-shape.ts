import { Argument, Option } from 'commander'
import { contract } from '../../contract/contract.ts'
import type { Operation } from '../../contract/operation.ts'
import { searchVolumePage } from '../../vocabulary/search-volume.ts'
import { connectionHelp, connectionOptions } from '../connection.ts'
import { commandLine } from './command-line.ts'
import type { OperationCommand } from './operation-command.ts'
import { type Parameter, parametersOf } from './parameters.ts'
import { asTerminalText, flagOf, toKebabCase } from './words.ts'

/** Gives a command the arguments, options and help of its operation. @returns its parameters */
export function shapeCommand(command: OperationCommand): Parameter[] {
  const operation: Operation = contract[command.tool]
  const parameters = parametersOf(operation)
  const names = parameters.map(({ name }) => name)
  const words = (text: string) => asTerminalText(text, contract, names)
  command.description(`${words(operation.summary)}\n\n${words(operation.description)}`)
  for (const parameter of parameters)
    if (parameter.positional) command.addArgument(argumentOf(parameter, words))
    else for (const option of optionsOf(parameter, words)) command.addOption(option)
  for (const option of answerOptions(operation)) command.addOption(option.helpGroup('Answer:'))
  for (const option of connectionOptions()) command.addOption(option.helpGroup('Server:'))
  command
    .configureHelp({
      // The description already says everything.
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
      optionTerm: (option) => (option.optional ? `--[no-]${option.name()}` : option.flags),
      visibleOptions: ({ options }) => options.filter(({ negate, hidden }) => !negate && !hidden),
    })
    .addHelpText('after', () => afterHelp(command, operation, parameters))
  return parameters
}

type Words = (text: string) => string

/** Up to this many choices are all listed in the help; of more, only some. */
const choicesInHelp = 25

function argumentOf(parameter: Parameter, words: Words): Argument {
  const argument = new Argument(`<${toKebabCase(parameter.name)}>`, descriptionOf(parameter, words))
  if (parameter.choices.length > 0) argument.argChoices = [...parameter.choices]
  return argument
}

function optionsOf(parameter: Parameter, words: Words): Option[] {
  const { name, kind, list, choices, required, cleared } = parameter
  const flag = flagOf(name)
  const no = new Option(`--no-${toKebabCase(name)}`)
  if (kind === 'boolean') return [new Option(`${flag} [value]`, descriptionOf(parameter, words)), no]
  const option = new Option(`${flag} <${placeholder(parameter)}>`, descriptionOf(parameter, words))
  if (required) option.makeOptionMandatory()
  if (choices.length > 0) option.argChoices = [...choices]
  if (list)
    option.argParser((text: string, before: unknown) => [...(Array.isArray(before) ? before : []), text])
  return cleared === undefined ? [option] : [option, no]
}

function placeholder({ kind, list, choices, date }: Parameter): string {
  if (kind === 'json') return 'json'
  if (list) return 'list'
  if (kind === 'number') return 'number'
  if (date) return 'date'
  return choices.length > choicesInHelp ? 'code' : choices.length > 0 ? 'word' : 'text'
}

/** The help text of an argument: its description, its possible values and its default. */
function descriptionOf(parameter: Parameter, words: Words): string {
  const { kind, list, freeText, choices, range, cleared, required, positional } = parameter
  const notes = [
    choices.length > choicesInHelp ? `such as ${aFew(choices)}` : choices.join(', '),
    rangeOf(range),
    list ? `several with commas${freeText ? ', or repeated' : ''}; - reads lines of standard input` : '',
    kind === 'json' ? 'JSON, @file with JSON or a value a line, or - for standard input' : '',
    cleared === undefined ? '' : `--no-${toKebabCase(parameter.name)} clears`,
    parameter.default === undefined ? '' : `default: ${parameter.default}`,
    required && !positional ? 'needed' : '',
  ].filter((note) => note !== '')
  const description = words(parameter.description)
  return notes.length === 0 ? description : `${description}${description ? ' ' : ''}(${notes.join('; ')})`
}

/** Well-known storefronts, shown as examples instead of the first in the alphabet. */
function aFew(choices: readonly string[]): string {
  const known = ['us', 'jp', 'de'].filter((choice) => choices.includes(choice))
  return (known.length > 0 ? known : choices.slice(0, 3)).join(', ')
}

function rangeOf({ least, most }: Parameter['range']): string {
  if (least === undefined || most === undefined) return least ? `at least ${least}` : ''
  return `${least} to ${most}`
}

function answerOptions({ list, query, ending }: Operation): Option[] {
  const paged = query?.shape.cursor !== undefined
  return [
    ...(ending === 'remove'
      ? []
      : [
          new Option('--json', 'as JSON, for programs'),
          new Option(
            '--fields <list>',
            `only these ${list ? `of each of ${list.at}` : 'properties'}, such as a,b.c`,
          ),
        ]),
    ...(paged ? [new Option('--all', 'every page, one after the other; with --json one item a line')] : []),
    ...(ending === 'accept'
      ? [new Option('--wait', 'until the work has ended; ends with 1 when it failed')]
      : []),
  ]
}

function afterHelp(command: OperationCommand, operation: Operation, parameters: readonly Parameter[]): string {
  const { reply, list, scope, example } = operation
  const properties = Object.keys(reply?.shape ?? {})
  const answer = list
    ? `Answers with ${list.at}, each with ${list.summaryColumns.join(', ')} and more${beside(properties, list.at)}.`
    : `Answers with ${properties.join(', ') || 'nothing'}.`
  const wrapped = (text: string) =>
    command.createHelp().boxWrap(text, command.configureOutput().getOutHelpWidth?.() ?? 80)
  return [
    '',
    'Example:',
    `  ${commandLine(command.tool, { ...example.params, ...example.query, ...example.body }, parameters)}`,
    '',
    wrapped(answer),
    ...(list?.summaryColumns.includes('difficulty') || properties.includes('difficulty')
      ? [wrapped(`There is no search volume: ${searchVolumePage} of the server says why, and what to use.`)]
      : []),
    `Needs a key with the scope ${scope}.`,
    wrapped(connectionHelp),
  ].join('\n')
}

function beside(properties: readonly string[], list: string): string {
  const others = properties.filter((name) => name !== list)
  return others.length === 0 ? '' : `; beside them ${others.join(', ')}`
}
