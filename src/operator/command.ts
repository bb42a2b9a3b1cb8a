import { z } from 'zod'
import { type FieldHelp, fieldHelpOf, type Input, type InputFields } from './field-help.ts'
import { config, location } from './location.ts'
import type { OperatorContext, RemoteContext, StandaloneContext, Terminal } from './operator-context.ts'

/** Why a command refuses its input, in a sentence for the operator. */
export class Refusal extends Error {
  /** 1 failed, 2 called wrongly. */
  readonly code: 1 | 2

  /** @param options the error that it tells of, where there is one */
  constructor(message: string, code: 1 | 2 = 1, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

interface Row<Fields extends InputFields> {
  /** It may change the store, and is recorded in the audit log. */
  writes?: true
  /** It creates a store where there is none. For other commands a missing store means a mistyped path. */
  makesStore?: true
  /** It is long-running, and runs at low priority. */
  lowPriority?: true
  /** It calls sources, as configured: not available for the demo's store. */
  asksSources?: true
  /** It reads more of the configuration than sources: it takes --config. */
  readsConfiguration?: true
  /** Its name in the audit log, where the command had another name before. */
  recordedAs?: string
  /** The fields, each made with `given` or `flag`. */
  input: Fields
  /** Positional fields, in this order; all others are options. */
  places?: readonly (keyof Fields & string)[]
  /** Command lines shown with the help. */
  examples?: readonly string[]
  /** @returns the exit code: 0 done, 1 failed; throws Refusal */
  perform: (context: OperatorContext, input: Input<Fields>) => Promise<0 | 1>
  /** Runs the command on a running server; left out where it needs the store itself. */
  remotely?: {
    perform: (context: RemoteContext, input: Input<Fields>) => Promise<0 | 1>
    /** Fields that are only possible on the store, with the reason. */
    onlyInStore?: { fields: readonly (keyof Fields & string)[]; because: string }
  }
}

/** A command that opens its store itself, several of them, or none. */
interface StandaloneRow<Fields extends InputFields> {
  /** All that it takes, also where a store is. */
  input: Fields
  /** Its options alone count: variables of an installation are not read. */
  ignoresVariables?: true
  places?: readonly (keyof Fields & string)[]
  examples?: readonly string[]
  /** @returns the exit code; throws Refusal, UsageError */
  perform: (context: StandaloneContext, input: Input<Fields>) => Promise<number>
}

/** The fields of a command, with their help. */
interface Taken {
  fields: InputFields
  words: Readonly<Record<string, FieldHelp>>
}

interface Shown
  extends Taken,
    Pick<Row<InputFields>, 'recordedAs' | 'writes' | 'makesStore' | 'lowPriority' | 'asksSources'> {
  places: readonly string[]
  examples: readonly string[]
  ignoresVariables?: true
  /** Where the store is and its configuration, where its handler does not read them as fields. */
  around: Taken
}

/** A command of the operator: help, validation, completion, docs and execution are derived from it. */
export type OperatorCommand<Given = unknown> = StoreCommand<Given> | StandaloneCommand<Given>

/** One that is performed in the store of its command line, which is opened for it. */
export interface StoreCommand<Given = unknown> extends Shown {
  /** @returns the exit code; throws ZodError, naming the field, where the input does not match the schema */
  run(context: OperatorContext, given: Given): Promise<0 | 1 | 2>
  /** Like `run`, without a word to the terminal when it is refused. @throws Refusal */
  perform(context: OperatorContext, given: Given): Promise<0 | 1>
  remotely: RemoteCommand<Given> | undefined
}

/** One that opens its store itself, several of them, or none. */
export interface StandaloneCommand<Given = unknown> extends Shown {
  runAlone(context: StandaloneContext, given: Given): Promise<number>
  remotely?: undefined
}

export interface RemoteCommand<Given = unknown> {
  run(context: RemoteContext, given: Given): Promise<0 | 1 | 2>
  onlyInStore: { fields: readonly string[]; because: string } | undefined
}

/** A row that is performed in a store. @throws where a field was not made with `given` or `flag` */
export function command<Fields extends InputFields>({
  input,
  perform,
  remotely,
  readsConfiguration,
  ...row
}: Row<Fields>): StoreCommand<z.input<z.ZodObject<Fields>>> {
  const performChecked = checked(input, perform)
  return {
    places: [],
    examples: [],
    ...row,
    ...takenOf(input),
    around: takenOf({ ...location, ...(row.asksSources || readsConfiguration ? { config } : {}) }),
    run: refusable(performChecked),
    perform: performChecked,
    remotely: remotely && {
      run: refusable(checked(input, remotely.perform)),
      onlyInStore: remotely.onlyInStore,
    },
  }
}

/** A row that opens what it needs. @throws where a field was not made with `given` or `flag` */
export function standalone<Fields extends InputFields>({
  input,
  perform,
  ...row
}: StandaloneRow<Fields>): StandaloneCommand<z.input<z.ZodObject<Fields>>> {
  return {
    places: [],
    examples: [],
    ...row,
    ...takenOf(input),
    around: takenOf({}),
    runAlone: refusable(checked(input, perform)),
  }
}

function takenOf(fields: InputFields): Taken {
  const words = Object.entries(fields).map(([name, field]) => {
    const said = fieldHelpOf(field)
    if (!said) throw new Error(`nobody has said how ${name} is given`)
    return [name, said] as const
  })
  return { fields, words: Object.fromEntries(words) }
}

/** Performs a row with what fits its fields. */
function checked<Fields extends InputFields, Context, Code>(
  input: Fields,
  perform: (context: Context, input: Input<Fields>) => Promise<Code>,
) {
  const schema = z.strictObject(input)
  return async (context: Context, given: unknown) => perform(context, schema.parse(given) as Input<Fields>)
}

/** What it refuses is printed, and ends with the code of the refusal. */
const refusable =
  <Context extends { terminal: Terminal }, Code>(
    perform: (context: Context, given: unknown) => Promise<Code>,
  ) =>
  async (context: Context, given: unknown): Promise<Code | 1 | 2> => {
    try {
      return await perform(context, given)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      context.terminal.note(error.message)
      return error.code
    }
  }

/** Prints a list: as JSON if requested, otherwise a line per item, or a message when it is empty. */
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
