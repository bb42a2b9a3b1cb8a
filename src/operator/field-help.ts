import { z } from 'zod'

/** How one field of an input is given on the command line. */
export interface FieldHelp {
  /** Placeholder of its value, such as `<cc>`, with dots where several may follow; null for a flag. */
  value: `<${string}>` | null
  about: string
  /** Common values for completion, where the field also takes others. */
  usually?: readonly string[]
  /** Several values are separate arguments only: commas are part of a value. */
  whole?: true
  /** The variable that gives it where the option is left out. */
  env?: `RIVALSCOPE_${string}`
}

const wordsOfFields = z.registry<FieldHelp>()

/** A field of an input, with its placeholder and help text. */
export function given<Schema extends z.ZodType>(
  value: FieldHelp['value'],
  about: string,
  field: Schema,
  more: Omit<FieldHelp, 'value' | 'about'> = {},
): Schema {
  const own = field.clone()
  wordsOfFields.add(own as z.ZodType, { value, about, ...more })
  return own
}

/** A field that is true where its option is given. */
export const flag = (about: string) => given(null, about, z.boolean().exactOptional())

export function wholeNumber(least: number, most: number) {
  const range = `must be a whole number from ${least} to ${most}`
  return z.int(range).min(least, range).max(most, range)
}

/** The placeholder and help of a field; undefined where none were set. */
export const fieldHelpOf = (field: z.ZodType): FieldHelp | undefined => wordsOfFields.get(field)

export type InputFields = Readonly<Record<string, z.ZodType>>

/** The parsed input of a handler. */
export type Input<Fields extends InputFields> = z.output<z.ZodObject<Fields>>
