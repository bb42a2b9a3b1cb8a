import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Arguments of a call as a request carries them. `body` is undefined where the operation takes none. */
export interface RequestParts {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | undefined
}

/**
 * All arguments of an operation in one strict shape, parameters first, then query, then body: no name is in two of them,
 * which is a law of the contract. An argument with a single possible value may be left out.
 */
export function flatArgumentsShape({ params, query, body }: Operation): z.ZodObject {
  const fields = Object.entries({ ...params?.shape, ...query?.shape, ...body?.shape })
  return z.strictObject(
    Object.fromEntries(
      fields.map(([name, field]) => {
        const only = onlyValue(field)
        return [name, only === undefined ? field : (field as z.ZodType).default(only)]
      }),
    ),
  )
}

/**
 * Sorts flat arguments into the parts of a request, and fills in arguments with a single possible value. Unknown names
 * are not dropped: they go where they will be refused by name.
 */
export function splitIntoRequestParts(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): RequestParts {
  const parts = { params: {}, query: {}, body: operation.body ? {} : undefined } as RequestParts
  for (const [name, field] of Object.entries(operation.params?.shape ?? {})) {
    const only = onlyValue(field)
    if (only !== undefined) parts.params[name] = only
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (has(operation.params, name)) parts.params[name] = value
    else if (has(operation.query, name)) parts.query[name] = value
    else Object.defineProperty(parts.body ?? parts.query, name, { value, ...plain })
  }
  return parts
}

/** A JSON pointer into a request, such as `/query/country`, as one into flat arguments: `/country`. */
export const toFlatPointer = (pointer: string): string => pointer.replace(/^\/(?:path|query|body)(?=\/|$)/, '')

/** A property called `__proto__` stays a property, so that it can be refused. */
const plain = { enumerable: true, writable: true, configurable: true }

const has = (part: z.ZodObject | undefined, name: string) =>
  part !== undefined && Object.hasOwn(part.shape, name)

function onlyValue(field: z.core.$ZodType): string | undefined {
  if (!(field instanceof z.ZodEnum)) return undefined
  const [first, ...others] = field.options
  return others.length === 0 ? String(first) : undefined
}
