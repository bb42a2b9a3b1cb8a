import type { CallToolResult } from '@modelcontextprotocol/server'
import { type InputError, Problem } from '../api/problem.ts'
import { flatPointer } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'
import { problems } from '../contract/problems.ts'
import { fieldsArgument, takesFields } from './reply-form.ts'

/**
 * A failure as a tool result: its code, what happened, which argument is wrong, what to do. An internal error shows only
 * the id of the request.
 */
export function problemResult(error: unknown, operation: Operation, requestId: string): CallToolResult {
  const { code, message, extras } = error instanceof Problem ? error : faultOfOurs
  const { title, explanation } = problems[code]
  const { errors, ...others } = extras
  const flat = errors?.map((one) => ({ ...one, pointer: flatPointer(one.pointer) }))
  const detail = flat
    ? flat.map(({ pointer, message }) => `${pointer || 'arguments'}: ${message}`).join('; ')
    : message
  const next = flat ? nextOfInput(flat, operation) : explanation
  return {
    isError: true,
    content: [{ type: 'text', text: `${title} (${code}). ${detail}\n${next}\nRequest ${requestId}.` }],
    structuredContent: { code, title, detail, next, requestId, ...(flat ? { errors: flat } : {}), ...others },
  }
}

const faultOfOurs = new Problem('internal', 'The service failed.')

function nextOfInput(errors: readonly InputError[], operation: Operation): string {
  const { params, query, body } = operation
  const fields = takesFields(operation) ? [fieldsArgument] : []
  const known = [...Object.keys({ ...params?.shape, ...query?.shape, ...body?.shape }), ...fields]
  const stranger = errors.some(({ pointer }) => !known.includes(pointer.split('/')[1] ?? ''))
  return stranger
    ? `Nothing was stored. The arguments are ${known.join(', ') || 'none'}.`
    : 'Nothing was stored. Mend what is named and call again.'
}
