import assert from 'node:assert/strict'
import { z } from 'zod'
import { contract, type Tool } from '../../src/contract/contract.ts'
import { splitIntoRequestParts } from '../../src/contract/flat-arguments.ts'
import type { Operation } from '../../src/contract/operation.ts'

export type Call = Readonly<Record<string, unknown>>

/** The operations that read, in the order of the contract: a test that asks all of them asks a new one too. */
export const reads = (Object.entries(contract) as [Tool, Operation][]).filter(
  ([, { method }]) => method === 'GET',
)

/** What reads are asked about, by the argument that says which one: `{ archiveId: [{ platform: 'meta', archiveId: '1' }] }`. */
export type Subjects = Readonly<Record<string, readonly Call[]>>

/**
 * The calls of a read about subjects: one for each, each with each where it takes two kinds, and one without arguments
 * where it requires none. Fails where it requires an argument that no subject has.
 */
export function callsAbout(tool: Tool, subjects: Subjects): Call[] {
  const fixed = splitIntoRequestParts(contract[tool], {}).params
  const required = argumentsOf(tool).required.filter((name) => !(name in fixed))
  let calls: Call[] = [fixed]
  for (const name of required) {
    const about = subjects[name]
    if (about) calls = calls.flatMap((call) => about.map((subject) => ({ ...call, ...subject })))
    else
      assert.ok(
        required.some((other) => subjects[other]?.every((subject) => name in subject)),
        `say among the subjects of this test which ${name} ${tool} is asked about`,
      )
  }
  return calls
}

/** Names and possible values of the arguments of a read. */
export function argumentsOf(tool: Tool) {
  const { params, query } = contract[tool] as Operation
  const shape = z.strictObject({ ...params?.shape, ...query?.shape })
  const { properties = {}, required = [], $defs = {} } = z.toJSONSchema(shape, { io: 'input' })
  /** Shapes with a name stand apart. */
  const schemaOf = (name: string): { enum?: unknown[]; maximum?: number; $ref?: string } => {
    const schema = Object(properties[name] ?? {})
    return schema.$ref ? Object($defs[schema.$ref.replace('#/$defs/', '')]) : schema
  }
  return {
    required,
    takes: (name: string) => name in properties,
    /** The words an argument may be, none where it is free or is not taken. */
    words: (name: string) => schemaOf(name).enum ?? [],
    largest: (name: string) => schemaOf(name).maximum,
  }
}

/** Each of the calls with each of the variations; as they are where there are none. */
export const varied = (calls: readonly Call[], variations: readonly Call[]): Call[] =>
  variations.length === 0
    ? [...calls]
    : calls.flatMap((call) => variations.map((variation) => ({ ...call, ...variation })))
