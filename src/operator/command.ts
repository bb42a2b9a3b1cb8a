import { z } from 'zod'
import type { OperatorContext, RemoteContext } from './operator-context.ts'
import type { Terminal } from './terminal.ts'

/** Why a command does not do what it is asked, in words for the operator. */
export class Refusal extends Error {
  /** 1 failed, 2 called wrongly. */
  readonly code: 1 | 2

  constructor(message: string, code: 1 | 2 = 1) {
    super(message)
    this.code = code
  }
}

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

const wordsOfFields = z.registry<Words>()

/** A field of an input, with how it is given on the command line. */
export function given<Schema extends z.ZodType>(
  value: Words['value'],
  about: string,
  field: Schema,
  more: Pick<Words, 'usually' | 'whole'> = {},
): Schema {
  const own = field.clone()
  wordsOfFields.add(own as z.ZodType, { value, about, ...more })
  return own
}

/** A field that is true where its option is given. */
export const flag = (about: string) => given(null, about, z.boolean().exactOptional())

type Shape = Readonly<Record<string, z.ZodType>>

/** What a handler gets, of the fields of its row. */
export type Input<Fields extends Shape> = z.output<z.ZodObject<Fields>>

interface Row<Fields extends Shape> {
  /** It may change what is stored, and leaves its events in the audit log. */
  writes?: true
  /** It makes a store where there is none. For all others, a missing one means a mistyped path. */
  makesStore?: true
  /** It is long-running, and yields to readers. */
  givesWay?: true
  /** It calls sources, as configured: not available for the demo's store. */
  asksSources?: true
  /** It reads more of the configuration than sources: it takes --config. */
  readsConfiguration?: true
  /** Each made by `given` or `flag`. */
  input: Fields
  /** Positional fields, in this order; all others are options. */
  places?: readonly (keyof Fields & string)[]
  /** Command lines shown with the help. */
  examples?: readonly string[]
  /** @returns the exit code: 0 done, 1 failed; throws Refusal */
  perform: (context: OperatorContext, input: Input<Fields>) => Promise<0 | 1>
  /** How a running server performs it instead of a store; left out where only a store will do. */
  remotely?: {
    perform: (context: RemoteContext, input: Input<Fields>) => Promise<0 | 1>
    /** Fields that only a store takes, and why a server does not. */
    onlyInStore?: { fields: readonly (keyof Fields & string)[]; because: string }
  }
}

/** A command of the operator: help, validation, completion, docs and execution are derived from it. */
export interface OperatorCommand<Given = unknown>
  extends Pick<Row<Shape>, 'writes' | 'makesStore' | 'givesWay' | 'asksSources' | 'readsConfiguration'> {
  fields: Readonly<Record<string, z.ZodType>>
  words: Readonly<Record<string, Words>>
  places: readonly string[]
  examples: readonly string[]
  /** @returns the exit code; throws ZodError, naming the field, where the input does not match the schema */
  run(context: OperatorContext, given: Given): Promise<0 | 1 | 2>
  remotely: RemoteCommand<Given> | undefined
}

export interface RemoteCommand<Given = unknown> {
  run(context: RemoteContext, given: Given): Promise<0 | 1 | 2>
  onlyInStore: { fields: readonly string[]; because: string } | undefined
}

/** @throws where nobody has said how a field is given */
export function command<Fields extends Shape>({
  input,
  perform,
  remotely,
  ...row
}: Row<Fields>): OperatorCommand<z.input<z.ZodObject<Fields>>> {
  const schema = z.strictObject(input)
  const words = Object.entries(schema.shape).map(([name, field]) => {
    const said = wordsOfFields.get(field)
    if (!said) throw new Error(`nobody has said how ${name} is given`)
    return [name, said] as const
  })
  const refusable =
    <Context extends { terminal: Terminal }>(run: (context: Context, input: Input<Fields>) => Promise<0 | 1>) =>
    async (context: Context, given: unknown) => {
      const parsed = schema.parse(given) as Input<Fields>
      try {
        return await run(context, parsed)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        context.terminal.note(error.message)
        return error.code
      }
    }
  return {
    places: [],
    examples: [],
    ...row,
    fields: schema.shape,
    words: Object.fromEntries(words),
    run: refusable(perform),
    remotely: remotely && { run: refusable(remotely.perform), onlyInStore: remotely.onlyInStore },
  }
}

/** Prints what a command lists: as JSON where that is asked for, else a line for each, or what to say of none. */
export function printList<Item>(
  { terminal }: Pick<OperatorContext, 'terminal'>,
  items: readonly Item[],
  { json, none, line }: { json: boolean | undefined; none: string; line: (item: Item) => string },
): 0 {
  if (json) terminal.out(JSON.stringify(items))
  else if (items.length === 0) terminal.out(none)
  else for (const item of items) terminal.out(line(item))
  return 0
}
