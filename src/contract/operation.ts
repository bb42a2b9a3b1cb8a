import type { z } from 'zod'
import type { ProblemCode } from './problems.ts'
import type { Scope } from './scopes.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * How an operation ends when it goes well.
 * `read`: 200. `record`: 201 the first time, 200 with the same resource when repeated. `accept`: 202, work is under way
 * and a GET shows its state; 200 where that work had ended before. `remove`: 204, also when there was nothing left to remove.
 */
export type Ending = 'read' | 'record' | 'accept' | 'remove'

/** The list a reply is about. Doors that have little room show what `glance` names, and more when asked. */
export interface ListOfReply {
  /** The property of the reply that holds it. */
  at: string
  /** What of each item is worth showing at a glance, as dotted paths, in the order of columns. */
  glance: readonly string[]
}

/** Where the work that an `accept` operation started is shown: its `WorkStatus` is at `at`, or is the reply itself. */
interface WorkShown {
  /** Takes what its arguments name from the reply of the accepting call, else from the arguments of that call. */
  tool: string
  at?: string
}

/** One row of the contract. It has no behaviour: a reader can print it. */
export interface Operation {
  method: Method
  /** Path with parameters in braces, as in OpenAPI. */
  path: `/v1/${string}`
  scope: Scope
  ending: Ending
  /** Whether the call, or the work it starts, may ask sources outside the installation. */
  outside?: true
  /** Whether it can replace or undo what was stored before, though it removes nothing. */
  overwrites?: true
  /** A list of its body of which each text gets an answer of its own, also one that holds what no text may. */
  answersEach?: string
  /** One sentence: what the caller gets, in which order. Tool listings show only this. */
  summary: string
  /** What the summary leaves out: what is matched, what emptiness means, side effects, limits. */
  description: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject
  /** Absent for `remove`, which answers nothing. */
  reply?: z.ZodObject
  /** Beyond those any operation can answer, see `commonProblems`. */
  problems: readonly ProblemCode[]
  list?: ListOfReply
  /** For every `accept` operation. */
  shownBy?: WorkShown
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

type Shape<S> = S extends z.ZodObject ? z.output<S> : unknown

/** What a handler is given: parameters, query and body, parsed and with defaults filled in, in one flat object. */
export type Input<O extends Operation> = Shape<O['params']> & Shape<O['query']> & Shape<O['body']>

type Answer<O extends Operation> = O['reply'] extends z.ZodObject ? z.output<O['reply']> : undefined

/** What a handler answers. `record` operations also say whether the resource is new. */
export type Reply<O extends Operation> = O['ending'] extends 'record'
  ? { created: boolean; resource: Answer<O> }
  : Answer<O>
