import { z } from 'zod'
import type { Command, OperatorContext } from './operator-context.ts'

/** How one field of an input is given on the command line. */
export interface Words {
  /** Placeholder of its value, such as `<cc>`, with dots where several may follow; null for a flag. */
  value: `<${string}>` | null
  about: string
  /** Common values for completion, where the field also takes others. */
  usually?: readonly string[]
  /** Several values are separate arguments only: commas are part of a value. */
  whole?: true
}

interface Row<Shape extends z.core.$ZodLooseShape> {
  /** It reads or changes an existing store: a missing one means a mistyped path. */
  needsStore: boolean
  /** It is long-running, and yields to readers. */
  givesWay: boolean
  /** It calls sources, as configured: not available for the demo's store. */
  asksSources: boolean
  /** It reads more of the configuration than sources: it takes --config. */
  readsConfiguration: boolean
  /** Whether it can be sent to a running server instead, with an account's key. */
  atDistance: boolean
  input: z.ZodObject<Shape>
  /** The words for every field of the input. */
  words: { [Field in keyof Shape]: Words }
  /** Positional fields, in this order; all others are options. */
  places: readonly (keyof Shape & string)[]
  /** Command lines shown with the help; empty where the options are clear enough. */
  examples: readonly string[]
  /** Loaded on demand: loading all of them takes longer than most commands run. */
  perform: () => Promise<Command<z.output<z.ZodObject<Shape>>>>
}

/** A command of the operator: help, validation, completion, docs and execution are derived from its row. */
export interface OperatorCommand<Given = unknown>
  extends Pick<
    Row<z.core.$ZodLooseShape>,
    'needsStore' | 'givesWay' | 'asksSources' | 'readsConfiguration' | 'atDistance' | 'examples'
  > {
  fields: Readonly<Record<string, z.core.SomeType>>
  words: Readonly<Record<string, Words>>
  places: readonly string[]
  /** @returns the exit code; throws ZodError, naming the field, where the input does not match the schema */
  run(context: OperatorContext, given: Given): Promise<0 | 1>
}

/** Has no defaults: each row states every property. */
export function commandRow<Shape extends z.core.$ZodLooseShape>({
  input,
  perform,
  ...row
}: Row<Shape>): OperatorCommand<z.input<z.ZodObject<Shape>>> {
  return {
    ...row,
    fields: input.shape,
    run: async (context, given) => {
      const parsed = z.strictObject(input.shape).parse(given)
      return (await perform())(context, parsed as z.output<z.ZodObject<Shape>>)
    },
  }
}
