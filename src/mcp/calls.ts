import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../api/caller.ts'
import type { Door, Outcome } from '../api/door.ts'
import { Problem } from '../api/problem.ts'
import { formOf } from '../api/reply-json.ts'
import { intoParts } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'
import { showingCall } from '../contract/showing-call.ts'
import { meantArguments } from './meant-arguments.ts'
import { problemResult } from './problem-result.ts'
import { fieldsArgument, replyForm, takesFields } from './reply-form.ts'
import { summaryOf } from './summary.ts'

/** The caller, and the log for internal errors. */
export interface CallContext {
  caller: Caller
  /** Identifies the request in the log. */
  requestId: string
  /** Whether the client wants no text besides the summary line. */
  lineOnly: boolean
  failed: (error: unknown) => void
}

/** Calls one of the tools. Every failure is returned as a result, so that the agent can act on it. Results are not changed. */
export type CallTool = (
  given: Readonly<Record<string, unknown>>,
  context: CallContext,
) => Promise<CallToolResult>

/** A call for each tool of the contract. */
export function toolCalls(door: Door): ReadonlyMap<string, CallTool> {
  return new Map(Object.keys(door.contract).map((tool) => [tool, callOf(door, tool)]))
}

/** Invokes a tool. Where its arguments are refused, invokes it once more with the arguments as they are meant. */
async function invokeAsMeant(
  door: Door,
  tool: string,
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<Outcome> {
  try {
    return await door.invoke(tool, intoParts(operation, given), caller)
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'invalid-request'
    const meant = isRefused ? meantArguments(operation, given) : undefined
    if (!meant) throw error
    return door.invoke(tool, intoParts(operation, meant), caller)
  }
}

function callOf(door: Door, tool: string): CallTool {
  const operation = door.contract[tool]
  if (!operation) throw new TypeError(`The contract has no ${tool}.`)
  const form = replyForm(operation)
  const asksFields = takesFields(operation)
  return async (given, { caller, requestId, failed }) => {
    try {
      const { [fieldsArgument]: wanted, ...others } = given
      const fields = asksFields ? form?.fieldsOf(wanted ?? undefined) : undefined
      const { ending, body } = await invokeAsMeant(door, tool, operation, asksFields ? others : given, caller)
      if (!form) return { content: [{ type: 'text', text: summaryOf(operation, ending, {}, undefined) }] }
      const reply = body as Record<string, unknown>
      return formOf(reply, JSON.stringify(given), () => {
        const shown = form.show(reply, fields, 'limit' in given)
        const shownBy = showingCall(door.contract, operation, reply, given)
        return {
          content: [{ type: 'text' as const, text: summaryOf(operation, ending, shown, shownBy) }],
          structuredContent: shownBy ? { ...shown, shownBy } : shown,
        }
      })
    } catch (error) {
      if (!(error instanceof Problem)) failed(error)
      return problemResult(error, operation, requestId)
    }
  }
}
