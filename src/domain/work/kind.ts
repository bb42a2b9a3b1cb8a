import type { z } from 'zod'
import type { Work } from './work.ts'

/** A kind of work that is reported to people. */
export interface WorkKind<Input = unknown> {
  name: string
  /** What it is asked with; read where it is asked for, and wherever the work is taken out of the store. */
  input: z.ZodType<Input>
  /** What its progress counts, in the plural. */
  unit: string
}

/** The input in the store is not what this version reads: another attempt would find the same. */
export class UnreadableInput extends Error {
  /** @param kind of the work or job it was meant for */
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

/** As `inputOf`, for who tells of work: undefined where this version does not read it. */
export function knownInputOf<Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input | undefined {
  const { success, data } = kind.input.safeParse(work.input)
  return success ? data : undefined
}

/** What a work was asked with. @throws UnreadableInput */
export const inputOf = <Input>(kind: WorkKind<Input>, work: Pick<Work, 'input'>): Input =>
  readInput(kind, work.input)
