import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { hintsOf } from '../contract/hints.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import { argumentSchema } from './argument-schema.ts'
import { fieldsArgument, takesFields } from './reply-form.ts'

/**
 * The tools of a contract, in its order, with its names and arguments; only those that a caller with these scopes may call.
 * Cached for each set of scopes. Schemas are made at the first request, so that they do not slow the start of a service.
 */
export function toolListing(contract: Contract): (scopes: ReadonlySet<Scope>) => Tool[] {
  let all: { scope: Scope; tool: Tool }[] | undefined
  const listings = new Map<string, Tool[]>()
  return (scopes) => {
    all ??= Object.entries(contract).map(([name, operation]) => ({
      scope: operation.scope,
      tool: toolOf(name, operation),
    }))
    const key = [...scopes].sort().join(' ')
    const listing = listings.get(key) ?? all.filter(({ scope }) => scopes.has(scope)).map(({ tool }) => tool)
    listings.set(key, listing)
    return listing
  }
}

/** Explained in full by the instructions. */
const fieldsSchema = { type: 'array', items: { type: 'string' } }

function toolOf(name: string, operation: Operation): Tool {
  const { properties, ...schema } = argumentSchema(operation)
  const fields = takesFields(operation) ? { [fieldsArgument]: fieldsSchema } : {}
  return {
    name,
    description: operation.summary,
    inputSchema: { ...schema, properties: { ...properties, ...fields } } as Tool['inputSchema'],
    annotations: annotationsOf(operation),
  }
}

/** `destructiveHint` and `idempotentHint` only apply to operations that write. */
function annotationsOf(operation: Operation): ToolAnnotations {
  const { readOnly, destructive, idempotent, openWorld } = hintsOf(operation)
  return {
    readOnlyHint: readOnly,
    ...(readOnly ? {} : { destructiveHint: destructive, idempotentHint: idempotent }),
    openWorldHint: openWorld,
  }
}
