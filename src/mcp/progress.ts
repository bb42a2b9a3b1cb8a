import { setTimeout as pause } from 'node:timers/promises'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Operation } from '../contract/operation.ts'
import type { WorkStatusCall } from '../contract/work-status-call.ts'
import { type CallContext, type CallTool, summaryOf } from './calls.ts'

/** Tells the client how far a call is. */
export type TellProgress = (progress: number, total: number | undefined, message: string) => Promise<void>

/** Whether a call takes time: it asks sources outside, or starts work that another call shows. */
export const takesTime = ({ outside, shownBy, method }: Operation): boolean =>
  shownBy !== undefined || (outside === true && method !== 'GET')

/** Longest time that an answer waits for work it started, and how often the work is looked at. */
const longestMs = 15_000
const everyMs = 1_000

/**
 * Makes a call that takes time for a client that wants to be told. Work that was started is followed until it ends, for 15
 * seconds at most; the result then has its newest state, in words too.
 * @param asked `reads` are calls of operations that only read: work that another kind of call shows is not followed
 */
export async function callWithProgress(
  { reads, operation, call }: { reads: ReadonlyMap<string, CallTool>; operation: Operation; call: CallTool },
  given: Readonly<Record<string, unknown>>,
  context: CallContext,
  tell: TellProgress,
  signal: AbortSignal,
): Promise<CallToolResult> {
  await tell(0, undefined, 'asked')
  const result = await call(given, context)
  const started = result.structuredContent as Started | undefined
  const show = started?.shownBy && reads.get(started.shownBy.tool)
  if (result.isError || !started?.shownBy || !show) return result
  const { at, arguments: toShow } = started.shownBy
  let newest: Work = started
  let told = 0
  for (let waited = 0; isUnderWay(newest) && !signal.aborted; waited += everyMs) {
    const { done = 0, total } = newest.progress ?? {}
    // Each notice of a call has to be further than the one before.
    told = Math.max(told + 0.001, done)
    await tell(told, total ?? undefined, String(newest.status))
    if (waited >= longestMs) break
    await pause(everyMs, undefined, { signal }).catch(() => {})
    const shown = await show(at ? { ...toShow, fields: [at] } : toShow, context)
    const reply = shown.structuredContent as Record<string, unknown> | undefined
    const work = (at ? reply?.[at] : reply) as Work | undefined
    if (shown.isError || !work?.status) break
    newest = work
  }
  if (newest === started) return result
  const states = Object.entries(newest).filter(([name]) => stateNames.has(name) && name in started)
  const reply = { ...started, ...Object.fromEntries(states) }
  const text = summaryOf(operation, 'accepted', reply, started.shownBy, given)
  return { ...result, content: [{ type: 'text', text }], structuredContent: reply }
}

interface Work {
  status?: unknown
  progress?: { done?: number; total?: number | null } | null
}

interface Started extends Work {
  shownBy?: WorkStatusCall
}

const isUnderWay = ({ status }: Work) => status === 'queued' || status === 'running'

/** The parts of a reply that change while work goes on. */
const stateNames = new Set(['status', 'progress', 'attempts', 'lastError', 'startedAt', 'finishedAt'])
