import { queryOptions } from '@tanstack/react-query'
import { type ArgumentsOf, call, type ReplyOf, type Tool } from './operations.ts'

/** A browser has six connections to a server: two stay free for what a person asks for meanwhile. */
const atOnce = 4
let running = 0
const waiting: (() => void)[] = []

/**
 * The same read as `read`, for pages that need dozens of them: a few run at once, the others wait their turn. An answer that
 * failed is kept too, until it is asked for again: a day without a snapshot stays one.
 */
export function readInTurn<T extends Tool>(tool: T, given: ArgumentsOf<T>) {
  return queryOptions({
    queryKey: [tool, given] as const,
    queryFn: ({ signal }): Promise<ReplyOf<T>> => inTurn(() => call(tool, given, signal), signal),
    retryOnMount: false,
  })
}

async function inTurn<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
