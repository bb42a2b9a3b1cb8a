import { z } from 'zod'
import type { EvidenceArea } from '../vocabulary/evidence-areas.ts'
import type { ProblemCode } from './problems.ts'
import type { Scope } from './scopes.ts'
import { AsOf } from './shapes/as-of.ts'

/**
 * The successful end of an operation. `read`: 200. `record`: 201 the first time, 200 with the same resource when repeated.
 * `accept`: 202, work is under way and a GET shows its state; 200 where that work had ended before. `remove`: 204, also when
 * there was nothing left to remove.
 */
export type OperationEnding = 'read' | 'record' | 'accept' | 'remove'

/** The list in a reply. Doors with little room show the summary columns named in `summaryColumns`, and more on request. */
export interface ListOfReply {
  /** The property of the reply with the list. */
  at: string
  /** The summary columns of each item as dotted paths, in their order. */
  summaryColumns: readonly string[]
  /** Other parts of the reply that they leave out, as dotted paths. */
  leavesOut?: readonly string[]
  /** How many items they show where the caller does not say, if fewer than of other lists. */
  atAGlance?: number
}

/**
 * A list in a reply that some arguments are about: where one of them is given, doors with little room show that one.
 */
export interface FocusOfReply extends ListOfReply {
  givenBy: readonly string[]
}

/** The operation that shows the work an `accept` operation started: its `WorkStatus` is at `at`, or is the reply itself. */
interface WorkShown {
  /** Its arguments are taken from the reply of the accepting call, else from the arguments of that call. */
  tool: string
  at?: string
}

/** One row of the contract. It has no behaviour: a reader can print it. */
export type Operation = Row & (Read | Write)

interface Read {
  method: 'GET'
  /** The areas of shared evidence that the reply rests on: pages read it anew when some of it was stored. */
  restsOn: readonly EvidenceArea[]
}

interface Write {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** The areas of evidence that the reply shows some of; none when left out. */
  restsOn?: readonly EvidenceArea[]
}

interface Row {
  /** Path with parameters in braces, as in OpenAPI. */
  path: `/v1/${string}`
  scope: Scope
  ending: OperationEnding
  /** Whether the call, or the work it starts, may ask sources outside the installation. */
  outside?: true
  /** Whether it can replace or undo stored data, though it removes nothing. */
  overwrites?: true
  /** What a person is told who is asked to confirm it, where a door can ask: what cannot be brought back. */
  asksFirst?: string
  /** A list in its body whose texts are answered one by one, including those with forbidden characters. */
  answersEach?: string
  /** One sentence: what the reply contains, in which order. */
  summary: string
  /** Details beyond the summary: what is matched, what emptiness means, side effects, limits. */
  description: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Absent for `remove`, which has no reply. */
  reply?: z.ZodObject
  /** In addition to `commonProblems`, which any operation can return. */
  problems: readonly ProblemCode[]
  list?: ListOfReply
  focus?: FocusOfReply
  /** Parts of a reply without `list` that doors with little room leave out, as dotted paths. */
  leavesOut?: readonly string[]
  /** For every `accept` operation. */
  shownBy?: WorkShown
  /** A few words, as clients show a tool to people. */
  title: string
  /** When to call it, and what before or after: tool listings show it behind the summary. */
  use?: string
  /** A call and its reply, checked against the shapes by a test. */
  example: Example
}

export interface Example {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: Record<string, unknown>
  reply?: Record<string, unknown>
}

export type Contract = Record<string, Operation>

/**
 * Rows of the contract. Their sentences are of the type `string`, so that an edited one changes no type that others follow from. The type
 * is written out here, since one that had a name would carry the sentences along.
 */
export const operations = <Rows extends Contract>(
  rows: Rows,
): {
  [Tool in keyof Rows]: {
    [Part in keyof Rows[Tool]]: Part extends 'summary' | 'description' | 'title' | 'use'
      ? string
      : Part extends 'reply'
        ? WithAsOf<Rows[Tool]>
        : Rows[Tool][Part]
  }
} =>
  Object.fromEntries(
    Object.entries(rows).map(([tool, row]) => [tool, row.reply ? { ...row, reply: withAsOf(row.reply) } : row]),
  ) as never

/** By the shape without it: what several operations answer is one shape. */
const shapesWithAsOf = new WeakMap<z.ZodObject, z.ZodObject>()

/** The door adds `asOf` to every reply. */
function withAsOf(reply: z.ZodObject): z.ZodObject {
  const known = shapesWithAsOf.get(reply)
  if (known) return known
  const meta = reply.meta()
  const whole = z.object({ asOf: AsOf, ...reply.shape })
  const shape = meta ? whole.meta(meta) : whole
  shapesWithAsOf.set(reply, shape)
  return shape
}

/**
 * A shape as the reply of a write, under a name of its own: with `asOf` it is another than the one that stands in other replies.
 * @param added fields that the reply has beside it
 */
export function asReply<Shape extends z.ZodRawShape, Added extends z.ZodRawShape>(
  id: string,
  shape: z.ZodObject<Shape>,
  added: Added,
) {
  const description = shape.meta()?.description
  return z.object({ ...shape.shape, ...added }).meta({ id, ...(description ? { description } : {}) })
}

type WithAsOf<Row> = Row extends { reply: z.ZodObject<infer Shape> }
  ? z.ZodObject<{ asOf: typeof AsOf } & Shape>
  : never

type Shape<S> = S extends z.ZodObject ? z.output<S> : unknown

/** The input of a handler: parameters, query and body, parsed and with defaults filled in, in one flat object. */
export type Input<O extends Operation> = Shape<O['params']> & Shape<O['query']> & Shape<O['body']>

/** `asOf` is no matter of handlers: the door adds it. */
type Answer<O extends Operation> = O['reply'] extends z.ZodObject
  ? Omit<z.output<O['reply']>, 'asOf'>
  : undefined

/** The result of a handler. `record` operations also say whether the resource is new, or was withdrawn. */
export type Reply<O extends Operation> = O['ending'] extends 'record'
  ? { created: boolean; withdrawn?: boolean; resource: Answer<O> }
  : Answer<O>
