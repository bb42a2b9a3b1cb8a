import type { CallToolResult } from '@modelcontextprotocol/server'
import { Problem } from '../api/problem.ts'
import { flatPointer } from '../contract/flat-arguments.ts'
import { problems } from '../contract/problems.ts'

/**
 * A failure as an agent meets it: its code, what happened, which argument is wrong, what to do. Of faults of ours it
 * hears the id of the request and nothing else.
 */
export function problemResult(error: unknown, requestId: string): CallToolResult {
  const { code, message, extras } = error instanceof Problem ? error : internal(requestId)
  const { errors, ...others } = extras
  const flat = errors?.map(({ pointer, message }) => ({ pointer: flatPointer(pointer), message }))
  const detail = flat
    ? flat.map(({ pointer, message }) => `${pointer || 'arguments'}: ${message}`).join('\n')
    : message
  const { title, explanation } = problems[code]
  const next = flat ? 'Nothing was stored. Mend the arguments named and call again.' : explanation
  return {
    isError: true,
    content: [{ type: 'text', text: `${title} (${code}).\n${detail}\n${next}` }],
    structuredContent: { code, title, detail, next, requestId, ...(flat ? { errors: flat } : {}), ...others },
  }
}

const internal = (requestId: string) =>
  new Problem('internal', `The service failed. The operator finds the cause under the request id ${requestId}.`)
