import { z } from 'zod'
import type { Command, OperatorContext } from './operator-context.ts'

/** How one field of an input is given at a terminal. */
export interface Words {
  /** What stands for its value, such as `<cc>`, with dots where several may follow; null for a flag. */
  value: `<${string}>` | null
  about: string
  /** What it usually is, for completion, where the field is not a choice of these alone. */
  usually?: readonly string[]
  /** Several values stand in words of their own alone: commas are part of them. */
  whole?: true
}

interface Row<Shape extends z.core.$ZodLooseShape> {
  /** It only looks at a store, or changes what is in it: where there is none, a path was mistyped. */
  needsStore: boolean
  /** It works on much, and lets whoever reads go first. */
  givesWay: boolean
  /** It really asks sources, as the configuration says: nothing to do in the store of the demo. */
  asksSources: boolean
  /** Whether a running server may be asked instead, by the key of an account. */
  atDistance: boolean
  input: z.ZodObject<Shape>
  /** The words of every field of the input. */
  words: { [Field in keyof Shape]: Words }
  /** Fields given by their place, in this order; all others are options. */
  places: readonly (keyof Shape & string)[]
  /** Command lines shown with the help; none where the options say it all. */
  examples: readonly string[]
  /** Loaded when it is run: all together take longer than most of them. */
  perform: () => Promise<Command<z.output<z.ZodObject<Shape>>>>
}

/** A command of the operator, as help, validation, completion, docs and the doing take it from its row. */
export interface OperatorCommand<Given = unknown>
  extends Pick<
    Row<z.core.$ZodLooseShape>,
    'needsStore' | 'givesWay' | 'asksSources' | 'atDistance' | 'examples'
  > {
  fields: Readonly<Record<string, z.core.SomeType>>
  words: Readonly<Record<string, Words>>
  places: readonly string[]
  /** @returns the exit code; throws ZodError, naming the field, where the input is not what the row takes */
  run(context: OperatorContext, given: Given): Promise<0 | 1>
}

/** Nothing has a usual value: who adds a row says each of them. */
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
