import type { z } from 'zod'
import type { Work } from './work.ts'

/** A kind of work that is reported to users. */
export interface WorkKind<Input = unknown> {
  name: string
  /** Schema of its input; parsed when the work is requested and whenever it is loaded from the store. */
  input: z.ZodType<Input>
  /** The unit of its progress, in the plural. */
  unit: string
}

/** The stored input does not match the schema of this version: a retry would fail in the same way. */
export class UnreadableInput extends Error {
  /** @param kind of the work or job */
  constructor(kind: string, { issues: [issue] }: z.core.$ZodError) {
    const place = issue?.path.join('.') || 'it'
    super(`The input of ${kind} is not what this version reads: ${place}: ${issue?.message ?? ''}.`)
    this.name = 'UnreadableInput'
  }
}

/** @throws UnreadableInput */
export function readInput<Input>(kind: Pick<WorkKind<Input>, 'name' | 'input'>, input: unknown): Input {
  const parsed = kind.input.safeParse(input)
  if (parsed.success) return parsed.data
  throw new UnreadableInput(kind.name, parsed.error)
}

/** As `inputOf`, for display: undefined where this version cannot parse it. */
export function knownInputOf<Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input | undefined {
  const { success, data } = kind.input.safeParse(work.input)
  return success ? data : undefined
}

/** The input of a work. @throws UnreadableInput */
export const inputOf = <Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input =>
  readInput(kind, work.input)
