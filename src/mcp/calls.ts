import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../api/caller.ts'
import type { Door } from '../api/door.ts'
import { Problem } from '../api/problem.ts'
import { intoParts } from '../contract/flat-arguments.ts'
import { problemResult } from './problem-result.ts'

/** Who calls, and where a failure of ours is told. */
export interface CallContext {
  caller: Caller
  /** Names the request in the log. */
  requestId: string
  /** Tells the log of a fault of ours. */
  failed: (error: unknown) => void
}

/** Calls a tool that exists. Every failure is told as the result, so that the agent can act on it. */
export async function callTool(
  door: Door,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  { caller, requestId, failed }: CallContext,
): Promise<CallToolResult> {
  const operation = door.contract[tool]
  if (!operation) throw new TypeError(`There is no tool ${tool}.`)
  try {
    const { body } = await door.invoke(tool, intoParts(operation, given), caller)
    return {
      content: [{ type: 'text', text: 'ok' }],
      structuredContent: (body ?? { removed: true }) as Record<string, unknown>,
    }
  } catch (error) {
    if (!(error instanceof Problem)) failed(error)
    return problemResult(error, requestId)
  }
}
