import type { Argument, Command, Option } from 'commander'
import { withoutWord } from '../operator/operator-commands.ts'
import { FieldOption } from '../operator/shape-command.ts'

/**
 * Possible values. `list`: several, separated by commas. `json`: a file after `@`. `none`: a value that cannot be
 * completed. `flag`: no value. `optional`: true or false may follow.
 */
export type CompletionValue =
  | { kind: 'words' | 'list'; words: readonly string[] }
  | { kind: 'files' | 'json' | 'profiles' | 'none' | 'flag' | 'optional' }

interface Completed {
  name: string
  description: string
  value: CompletionValue
}

/** A command with everything that can be typed after it. */
export interface CompletionTree {
  /** The words of the command after `rivalscope`; empty for the program itself. */
  path: string
  commands: { name: string; description: string }[]
  options: Completed[]
  /**
   * The possible values of each positional argument, in order; the last one also applies to all further arguments where it
   * repeats.
   */
  places: CompletionValue[]
  repeats: boolean
}

/** The program and all its commands, each before those inside it. Operations must have their options already. */
export function completionTrees(command: Command, path = ''): CompletionTree[] {
  const inside = command.commands.filter((one) => one.name() !== 'help' && one.name() !== withoutWord)
  // What a group does without a second word is typed right after its name.
  const usual = command.commands.find((one) => one.name() === withoutWord) ?? command
  const own: CompletionTree = {
    path,
    commands: inside.map((one) => ({
      name: one.name(),
      description: brief(one.summary() || one.description()),
    })),
    options: [...usual.options.filter(({ hidden }) => !hidden).flatMap(optionOf), help],
    places: usual.registeredArguments.map((argument) => valueOfArgument(path, argument)),
    repeats: usual.registeredArguments.at(-1)?.variadic ?? false,
  }
  return [own, ...inside.flatMap((one) => completionTrees(one, `${path} ${one.name()}`.trim()))]
}

const help: Completed = { name: '--help', description: 'what it takes', value: { kind: 'flag' } }

function optionOf(option: Option): Completed[] {
  if (!option.long) return []
  return [{ name: option.long, description: brief(option.description), value: valueAfter(option) }]
}

function valueAfter(option: Option): CompletionValue {
  const { long, flags, argChoices, required, optional } = option
  if (optional) return { kind: 'optional' }
  if (!required) return { kind: 'flag' }
  const words = argChoices ?? (option instanceof FieldOption ? option.usually : undefined)
  if (words) return { kind: flags.includes('<list>') ? 'list' : 'words', words }
  return long === '--profile' ? { kind: 'profiles' } : named(flags)
}

function valueOfArgument(path: string, argument: Argument): CompletionValue {
  if (argument.argChoices) return { kind: 'words', words: argument.argChoices }
  if (path === 'profile use' || path === 'profile remove') return { kind: 'profiles' }
  return named(`<${argument.name()}>`)
}

/** The kind of a value, from its placeholder in the help. */
function named(placeholder: string): CompletionValue {
  if (/<(file|files|path|directory)>/.test(placeholder)) return { kind: 'files' }
  return { kind: placeholder.includes('<json>') ? 'json' : 'none' }
}

/** The first sentence of a description, shortened for the list of completions. */
function brief(text: string): string {
  const [sentence = ''] = text.replaceAll(/\s+/g, ' ').split(/(?<=[a-z)])[.;:] /)
  return sentence.length <= 70 ? sentence.replace(/\.$/, '') : `${sentence.slice(0, 67).trimEnd()}...`
}
