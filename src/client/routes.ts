import type { Tool } from './operation-types.ts'
import table from './routes.json' with { type: 'json' }

/** What has to be known of an operation to call it. */
export interface Route {
  summary: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  scope: string
  ending: 'read' | 'record' | 'accept' | 'remove'
  params: readonly string[]
  /** Parameters with one possible value, which callers may leave out. */
  fixed: Readonly<Record<string, unknown>>
  query: readonly string[]
  /** Null where the operation takes no body. */
  body: readonly string[] | null
  /** The property of the reply that holds the list it is about. */
  list: string | null
  paged: boolean
  /** Where the work that the call starts is shown. */
  shownBy: { tool: Tool; at?: string } | null
}

/** Every operation, written from the contract (scripts/write-reference.ts). */
export const routes = table as Record<Tool, Route>

/** All names of operations, in the order of the contract. */
export const tools = Object.keys(routes) as Tool[]

/** `get_apple_charts` as `getAppleCharts`. */
export function methodName(tool: Tool): string {
  return tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
