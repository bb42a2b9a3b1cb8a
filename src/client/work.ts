import { WorkNotDone, type WorkState } from './failures.ts'
import type { Tool } from './operation-types.ts'
import type { Arguments } from './request.ts'
import { routes } from './routes.ts'

/** Options for waiting for work. */
export interface WaitOptions<Work = WorkState> {
  /** Aborts the waiting, not the work. */
  signal?: AbortSignal
  /** Called with every state, including the first and the last. */
  onProgress?: (work: Work) => void
  /** Pause before the first poll; each further one is half as long again. Default 0.5. */
  firstPauseSeconds?: number
  /** Default 10. */
  longestPauseSeconds?: number
}

type Send = (tool: Tool, given: Arguments, signal: AbortSignal | undefined) => Promise<unknown>

/**
 * Polls accepted work, by the operation that its contract row names, until it has ended.
 * @returns its last state, `succeeded` or `partial`, in the shape in which it was accepted
 * @throws WorkNotDone, and any error of a call
 */
export async function waitUntilEnded(
  send: Send,
  tool: Tool,
  given: Arguments,
  accepted: WorkState,
  options: WaitOptions,
): Promise<WorkState> {
  const { signal, onProgress, firstPauseSeconds = 0.5, longestPauseSeconds = 10 } = options
  const look = lookAt(send, tool, given, accepted, signal)
  let work = accepted
  for (let seconds = firstPauseSeconds; ; seconds = Math.min(seconds * 1.5, longestPauseSeconds)) {
    onProgress?.(work)
    if (work.status === 'failed') throw new WorkNotDone(tool, 'failed', work)
    if (work.status !== 'queued' && work.status !== 'running') return work
    await pause(Math.min(seconds, longestPauseSeconds) * 1_000, signal)
    const shown = await look()
    // A subject can have several pieces of work, one after another; `createdAt` identifies each.
    if (shown?.createdAt !== accepted.createdAt) throw new WorkNotDone(tool, 'out-of-sight', work)
    work = shown
  }
}

function lookAt(
  send: Send,
  tool: Tool,
  given: Arguments,
  accepted: WorkState,
  signal: AbortSignal | undefined,
): () => Promise<WorkState | null | undefined> {
  const { shownBy } = routes[tool]
  if (!shownBy) throw new TypeError(`${tool} starts no work that could be waited for.`)
  const { params, query, body } = routes[shownBy.tool]
  const said = { ...given, ...accepted } as Arguments
  const asked =
    shownBy.tool === tool
      ? given
      : Object.fromEntries(
          [...params, ...query, ...(body ?? [])].map((name) => [name, said[name] ?? given[name]]),
        )
  return async () => {
    const reply = await send(shownBy.tool, asked, signal)
    return (shownBy.at === undefined ? reply : (reply as Record<string, unknown>)[shownBy.at]) as WorkState
  }
}

/** @throws the signal's reason */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
