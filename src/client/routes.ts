import type { Tool } from './operation-types.ts'
import table from './routes.json' with { type: 'json' }

/** The data needed to call an operation. */
export interface Route {
  summary: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  scope: string
  ending: 'read' | 'record' | 'accept' | 'remove'
  params: readonly string[]
  /** Parameters with one possible value, which callers may omit. */
  fixed: Readonly<Record<string, unknown>>
  query: readonly string[]
  /** Null where the operation has no body. */
  body: readonly string[] | null
  /** The property of the reply with its list. */
  list: string | null
  paged: boolean
  /** The operation that shows the work started by the call. */
  shownBy: { tool: Tool; at?: string } | null
  /** The areas of shared evidence that the reply of a read rests on. */
  restsOn: readonly string[]
}

/** Every operation, generated from the contract (npm run record -- reference). */
export const routes = table as Record<Tool, Route>

/** All names of operations, in the order of the contract. */
export const tools = Object.keys(routes) as Tool[]

/** `get_apple_charts` as `getAppleCharts`. */
export function methodName(tool: Tool): string {
  return tool.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
