import type { CallToolResult } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Caller } from '../api/caller.ts'
import type { Door, OperationOutcome } from '../api/door.ts'
import { type InputError, Problem } from '../api/problem.ts'
import { replyFormOf } from '../api/reply-json.ts'
import { flatArgumentsShape, splitIntoRequestParts, toFlatPointer } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'
import { problems } from '../contract/problems.ts'
import { type WorkStatusCall, workStatusCall } from '../contract/work-status-call.ts'
import { fieldsArgument, replyForm, takesFields } from './reply-form.ts'

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
): Promise<OperationOutcome> {
  try {
    return await door.invoke(tool, splitIntoRequestParts(operation, given), caller)
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'invalid-request'
    const meant = isRefused ? meantArguments(operation, given) : undefined
    if (!meant) throw error
    return door.invoke(tool, splitIntoRequestParts(operation, meant), caller)
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
      const fields = asksFields ? form?.fieldsOf(namesIn(wanted) ?? undefined) : undefined
      const { ending, body } = await invokeAsMeant(door, tool, operation, asksFields ? others : given, caller)
      if (!form) return { content: [{ type: 'text', text: summaryOf(operation, ending, {}, undefined) }] }
      const reply = body as Record<string, unknown>
      return replyFormOf(reply, JSON.stringify(given), () => {
        const shown = form.show(reply, fields, others)
        const shownBy = workStatusCall(door.contract, operation, reply, given)
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

/** Names with commas as a list, and a list written as JSON; anything else as it is. */
function namesIn(given: unknown): unknown {
  if (typeof given !== 'string') return given
  const names = given.slice(0, mostLetters).split(/[\s,[\]"']+/)
  return names.filter((name) => name !== '')
}

/** Most characters of `fields` given as text. */
const mostLetters = 20_000

/**
 * Corrects common mistakes of models and simple clients in arguments: `null` for an omitted one, a number for a text of digits
 * and the reverse, one value for a list. Each is replaced only where it is refused as given and accepted when replaced.
 * @returns undefined where nothing could be replaced
 */
function meantArguments(
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined {
  const shape = flatArgumentsShape(operation).shape as Record<string, z.ZodType>
  let replaced = false
  const meant = Object.entries(given).flatMap(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    const found = field && !takes(field, value) ? meaningsOf(value).find((one) => takes(field, one)) : undefined
    const isLeftOut = found === undefined && value === null && field !== undefined && takes(field, undefined)
    if (found === undefined && !isLeftOut) return [[name, value] as const]
    replaced = true
    return isLeftOut ? [] : [[name, found] as const]
  })
  return replaced ? Object.fromEntries(meant) : undefined
}

const takes = (field: z.ZodType, value: unknown) => field.safeParse(value).success

/** The values that a value may stand for, the likeliest first. */
function meaningsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [value.map(asText)]
  if (value === null || typeof value === 'object') return []
  const number = typeof value === 'string' && /^-?\d{1,15}(?:\.\d+)?$/.test(value) ? [Number(value)] : []
  return [asText(value), ...number, [value], [asText(value)]]
}

/** Safe integers become text; any other value stays as it is. */
const asText = (value: unknown) => (Number.isSafeInteger(value) ? String(value) : value)

/**
 * A failure as a tool result: its code, what happened, which argument is wrong, what to do. An internal error shows only
 * the id of the request.
 */
function problemResult(error: unknown, operation: Operation, requestId: string): CallToolResult {
  const { code, message, extras } = error instanceof Problem ? error : faultOfOurs
  const { title, explanation } = problems[code]
  const { errors, ...others } = extras
  const flat = errors?.map((one) => ({ ...one, pointer: toFlatPointer(one.pointer) }))
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

type Reply = Readonly<Record<string, unknown>>

/** A few lines for users: what was found, how much of it, what comes next. */
function summaryOf(
  operation: Operation,
  ending: OperationOutcome['ending'],
  reply: Reply,
  next: WorkStatusCall | undefined,
): string {
  const lines = [endLine(ending, reply), operation.list ? listLine(reply, operation.list.at) : nameLine(reply)]
  if (typeof reply.nextCursor === 'string') lines.push('More: call again with `cursor` set to `nextCursor`.')
  if ('leftOut' in reply && takesFields(operation))
    lines.push('`leftOut` names what is not shown; ask for it with `fields`, or ["*"].')
  if (next) lines.push(nextLine(next))
  for (const { text } of sourceIssuesIn(reply)) lines.push(`Trouble: ${text}`)
  return lines.filter((line) => line !== '').join('\n')
}

const endLines: Record<Exclude<OperationOutcome['ending'], 'accepted' | 'done'>, string> = {
  read: '',
  created: 'Recorded.',
  known: 'It was recorded already.',
  withdrawn: 'Withdrawn: it no longer counts.',
  removed: 'Removed, or there was nothing left to remove.',
}

/** What became of the call; of work, what its status says. */
function endLine(ending: OperationOutcome['ending'], { status, withdrawnAt }: Reply): string {
  if (ending !== 'accepted' && ending !== 'done') return endLines[ending]
  if (withdrawnAt) return 'Withdrawn: what its records brought does not count.'
  if (ending === 'done') return `The work had ended before: ${status}.`
  return `Accepted: the work ${status === 'running' ? 'is running' : 'waits for its turn'}.`
}

function listLine(reply: Reply, at: string): string {
  const items = reply[at] as readonly unknown[]
  if (items.length === 0) return `No ${at} stored that match.`
  const { total } = reply as { total?: { value: number; relation: string } }
  if (!total) return `${items.length} ${at}.`
  return `${items.length} ${at} of ${total.relation === 'exact' ? '' : 'at least '}${total.value}.`
}

/** The subject of a reply: its first few scalar values. */
function nameLine(reply: Reply): string {
  const label = reply.app as { name?: unknown } | undefined
  const plain = Object.entries(reply).filter(
    ([, value]) => typeof value === 'number' || (typeof value === 'string' && value.length <= 80),
  )
  const named = typeof label?.name === 'string' ? [['app', label.name] as const, ...plain] : plain
  return named
    .slice(0, 5)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

function nextLine({ tool, arguments: given, at }: WorkStatusCall): string {
  return `Its state: ${tool} ${JSON.stringify(given)}${at ? `, at \`${at}\`` : ''}.`
}

function sourceIssuesIn({ trouble }: Reply): { text: string }[] {
  return Array.isArray(trouble) ? trouble : []
}
