import type { Tool } from '@modelcontextprotocol/server'
import { hintsOf } from '../contract/hints.ts'
import type { Contract, Operation } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import { argumentSchema } from './argument-schema.ts'

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

function toolOf(name: string, operation: Operation): Tool {
  const { readOnly, destructive, idempotent, openWorld } = hintsOf(operation)
  return {
    name,
    description: operation.summary,
    inputSchema: argumentSchema(operation) as unknown as Tool['inputSchema'],
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  }
}
