import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Caller } from '../api/caller.ts'
import type { Door, OperationOutcome } from '../api/door.ts'
import { type InputError, Problem } from '../api/problem.ts'
import { replyFormOf } from '../api/reply-json.ts'
import { splitIntoRequestParts, toFlatPointer } from '../contract/flat-arguments.ts'
import type { Operation } from '../contract/operation.ts'
import { problems } from '../contract/problems.ts'
import { type WorkStatusCall, workStatusCall } from '../contract/work-status-call.ts'
import { argumentsNear, isProse, meantArguments, namesIn } from './meant-arguments.ts'
import { fieldsArgument, replyForm, takesFields } from './reply-form.ts'
import { bytesOf, mostBytes } from './reply-size.ts'

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
      const fields = asksFields ? form?.fieldsOf(namesIn(wanted)) : undefined
      const { ending, body } = await invokeAsMeant(door, tool, operation, asksFields ? others : given, caller)
      if (!form)
        return { content: [{ type: 'text', text: summaryOf(operation, ending, {}, undefined, given) }] }
      const reply = body as Record<string, unknown>
      return replyFormOf(reply, JSON.stringify(given), () => {
        const shown = form.show(reply, fields, others)
        const shownBy = workStatusCall(door.contract, operation, reply, given)
        return {
          content: [
            { type: 'text' as const, text: summaryOf(operation, ending, shown, shownBy, given, reply) },
          ],
          structuredContent: shownBy ? { ...shown, shownBy } : shown,
        }
      })
    } catch (error) {
      if (!(error instanceof Problem)) failed(error)
      return problemResult(error, operation, requestId)
    }
  }
}

/**
 * A failure as a tool result: its code, what happened, which argument is wrong, what to do. An internal error shows only
 * the id of the request.
 */
function problemResult(error: unknown, operation: Operation, requestId: string): CallToolResult {
  const { code, message, extras } = error instanceof Problem ? error : faultOfOurs
  const { title, explanation } = problems[code]
  const { errors, ...others } = extras
  const flat = errors && withNearNames(errors, operation)
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

/** The errors by names of arguments; an unknown argument is told those that it may stand for. */
function withNearNames(errors: readonly InputError[], operation: Operation): InputError[] {
  const known = argumentsOf(operation)
  return errors.map(({ pointer, message }) => {
    const flat = toFlatPointer(pointer)
    const [, name = '', ...inside] = flat.split('/')
    const near = known.includes(name) || inside.length > 0 ? [] : argumentsNear(name, known)
    const meant = near.length > 0 ? `; did you mean ${near.map((one) => `"${one}"`).join(' or ')}?` : ''
    return { pointer: flat, message: `${message}${meant}` }
  })
}

function argumentsOf(operation: Operation): string[] {
  const { params, query, body } = operation
  const fields = takesFields(operation) ? [fieldsArgument] : []
  return [...Object.keys({ ...params?.shape, ...query?.shape, ...body?.shape }), ...fields]
}

function nextOfInput(errors: readonly InputError[], operation: Operation): string {
  const known = argumentsOf(operation)
  const stranger = errors.some(({ pointer }) => !known.includes(pointer.split('/')[1] ?? ''))
  return stranger
    ? `Nothing was stored. The arguments are ${known.join(', ') || 'none'}.`
    : 'Nothing was stored. Mend what is named and call again.'
}

type Reply = Readonly<Record<string, unknown>>

const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0

/** A few lines for users: what was found, how much of it, what comes next. */
export function summaryOf(
  operation: Operation,
  ending: OperationOutcome['ending'],
  reply: Reply,
  next: WorkStatusCall | undefined,
  given: Readonly<Record<string, unknown>>,
  whole: Reply = {},
): string {
  const isContinued = (given.cursor ?? '') !== ''
  const found = operation.list ? listLine(reply, operation.list.at, isContinued) : nameLine(reply)
  const lines = [endLine(ending, reply), found]
  if (typeof reply.nextCursor === 'string') lines.push('More: call again with `cursor` set to `nextCursor`.')
  if ('leftOut' in reply && takesFields(operation))
    lines.push(`\`leftOut\` names what is not shown; ask for it with \`fields\`${orEverything(whole)}.`)
  if (next) lines.push(nextLine(next))
  for (const { text } of sourceIssuesIn(reply)) lines.push(`Trouble: ${text}`)
  if (operation.list && isEmpty(reply[operation.list.at]) && isProse(given.q))
    lines.push('`q` is for words that occur, not for a question: fewer words find more.')
  return lines.filter((line) => line !== '').join('\n')
}

/** Offers everything only where a reply can hold it. */
function orEverything(whole: Reply): string {
  const bytes = bytesOf(whole)
  if (bytes <= mostBytes) return ', or ["*"]'
  return `: everything is ${Math.ceil(bytes / 1_000)} kB, and a reply at most ${mostBytes / 1_000}`
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
  return acceptedLines.get(status ?? 'queued') ?? `The work has ended: ${status}.`
}

const acceptedLines: ReadonlyMap<unknown, string> = new Map([
  ['queued', 'Accepted: the work waits for its turn.'],
  ['running', 'Accepted: the work is running.'],
])

function listLine(reply: Reply, at: string, isContinued: boolean): string {
  const items = reply[at] as readonly unknown[]
  if (items.length === 0) return isContinued ? `No more ${at}.` : `No ${at} stored that match.`
  const empty = (items as { entries?: unknown }[]).filter(({ entries }) => typeof entries === 'number')
  const without = empty.reduce((sum, { entries }) => sum + Number(entries), 0)
  const withValue = items.length - empty.length
  if (withValue === 0) return `${without} ${at}, none with a value.`
  const { total } = reply as { total?: { value: number; relation: string } }
  const least = total?.relation === 'exact' ? '' : 'at least '
  const others = without > 0 ? `, and ${without} without a value` : ''
  return `${withValue} ${isContinued ? 'more ' : ''}${at}${total ? ` of ${least}${total.value}` : ''}${others}.`
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
