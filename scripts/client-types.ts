import openapiTS, { astToString } from 'openapi-typescript'
import { contract, type Tool } from '../src/contract/contract.ts'
import { splitIntoRequestParts } from '../src/contract/flat-arguments.ts'
import type { Operation } from '../src/contract/operation.ts'
import { renderShapes, type Schema, type Shapes } from '../src/http/openapi-shapes.ts'

/**
 * The types that src/client/operation-types.ts derives from the contract, expanded, with their descriptions: users of the
 * package need neither the contract nor zod to compile. A test ensures that both are equal.
 */
export async function clientTypes(): Promise<string> {
  const contractShapes = renderShapes()
  const operations = Object.entries<Operation>(contract).map(
    ([tool, row]) => [tool, typesOf(tool as Tool, row, contractShapes)] as const,
  )
  const schemas = { ...contractShapes.named, Operations: object(Object.fromEntries(operations)) }
  const document = { openapi: '3.1.1', info: { title: '', version: '' }, paths: {}, components: { schemas } }
  const written = astToString(await openapiTS(JSON.stringify(document), { defaultNonNullable: false }))
  const shapes = written.slice(
    written.indexOf('export interface components'),
    written.indexOf('    responses: never;'),
  )
  const shown = shapes
    .replaceAll(/"~(\w+)"/g, '$1')
    .replaceAll('@description ', '')
    .replaceAll(/^ *\/\*\* @constant \*\/\n/gm, '')
  return `// Written from the contract by scripts/build-client.ts.

${shown}}

/** Arguments and answers of every operation. */
export type Operations = components['schemas']['Operations'];
/** Names of the operations, as the contract has them. */
export type Tool = keyof Operations;
/** The kinds of failure, for programs to decide by. */
export type ProblemCode = components['schemas']['Problem']['code'];
`
}

function typesOf(tool: Tool, row: Operation, { of, named }: Shapes): Schema {
  const parts = [of(tool, 'params'), of(tool, 'query'), of(tool, 'body')].filter((part) => part !== undefined)
  const fixed = Object.keys(splitIntoRequestParts(row, {}).params)
  const reply = of(tool, 'reply') ?? keyword('undefined')
  const types = {
    arguments: object(
      Object.assign({}, ...parts.map(({ properties }) => properties)),
      parts.flatMap(({ required }) => required ?? []).filter((name) => !fixed.includes(name)),
    ),
    reply,
    item: row.list ? itemOf(reply, row.list.at, named) : keyword('never'),
    accepts: { const: row.ending === 'accept' },
  }
  return { ...object(types), description: row.summary }
}

function itemOf(reply: Schema, at: string, named: Shapes['named']): Schema {
  const { properties } = reply.$ref ? (named[reply.$ref.split('/').at(-1) ?? ''] ?? {}) : reply
  const { items } = properties?.[at] ?? {}
  if (!items) throw new Error(`The reply has no list "${at}".`)
  return items
}

const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

/** A TypeScript keyword without a JSON Schema counterpart, marked for later replacement. */
const keyword = (word: string): Schema => ({ const: `~${word}` })
