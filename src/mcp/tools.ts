import type { Tool, ToolAnnotations } from '@modelcontextprotocol/server'
import { hintsOf } from '../contract/hints.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import { argumentSchema } from './argument-schema.ts'
import { fieldsArgument, takesFields } from './reply-form.ts'

/**
 * The tools of a contract, in its order: names and arguments as the contract has them, only those a caller with these
 * scopes may call. Made once for each set of scopes.
 */
export function toolListing(contract: Contract): (scopes: ReadonlySet<Scope>) => Tool[] {
  const all = Object.entries(contract).map(([name, operation]) => ({
    scope: operation.scope,
    tool: toolOf(name, operation),
  }))
  const listings = new Map<string, Tool[]>()
  return (scopes) => {
    const key = [...scopes].sort().join(' ')
    const listing = listings.get(key) ?? all.filter(({ scope }) => scopes.has(scope)).map(({ tool }) => tool)
    listings.set(key, listing)
    return listing
  }
}

/** Said in full by the instructions. */
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

/** Whether a call destroys, and whether it may be repeated, is asked only of those that write. */
function annotationsOf(operation: Operation): ToolAnnotations {
  const { readOnly, destructive, idempotent, openWorld } = hintsOf(operation)
  return {
    readOnlyHint: readOnly,
    ...(readOnly ? {} : { destructiveHint: destructive, idempotentHint: idempotent }),
    openWorldHint: openWorld,
  }
}
