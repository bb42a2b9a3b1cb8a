import type { z } from 'zod'
import type { contract } from '../contract/contract.ts'
import type { problems } from '../contract/problems.ts'

/** Types derived from the contract: types only, so that nothing of it is loaded at run time. */
type Rows = typeof contract

/** Names of the operations, as the contract has them. */
export type Tool = keyof Rows

/** The kinds of failure, for programs to branch on. */
export type ProblemCode = keyof typeof problems

/** Arguments and answers of every operation. */
export type Operations = {
  [T in Tool]: {
    /** Parameters, query and body in one object. */
    arguments: Flat<Sent<Rows[T], 'params'> & Sent<Rows[T], 'query'> & Sent<Rows[T], 'body'>>
    reply: Answered<Rows[T]>
    /** The item type of an iteration; never where the reply is no list. */
    item: ItemOf<Rows[T]>
    /** Whether the call starts work that continues after the reply. */
    accepts: Rows[T]['ending'] extends 'accept' ? true : false
  }
}

type Sent<Row, Part extends string> = Row extends { [P in Part]: infer Shape extends z.ZodObject }
  ? FillIn<z.input<Shape>>
  : unknown

type Answered<Row> = Row extends { reply: infer Shape extends z.ZodObject } ? z.output<Shape> : undefined

type ItemOf<Row> = Row extends { list: { at: infer At extends string } }
  ? Answered<Row> extends { [P in At]: readonly (infer Item)[] }
    ? Item
    : never
  : never

/** Fields with one possible value become optional. */
type FillIn<Fields> = Omit<Fields, Fixed<Fields>> & { [Name in Fixed<Fields>]?: Fields[Name] }

type Fixed<Fields> = {
  [Name in keyof Fields]-?: Fields[Name] extends string
    ? string extends Fields[Name]
      ? never
      : IsUnion<Fields[Name]> extends true
        ? never
        : Name
    : never
}[keyof Fields]

type IsUnion<Type, Each = Type> = Each extends unknown ? ([Type] extends [Each] ? false : true) : never

/** Flattens an intersection, for readable types in an editor. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] }
