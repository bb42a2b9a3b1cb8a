import { queryOptions } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { type ArgumentsOf, call, type ReplyOf, type Tool } from './operations.ts'

/** A browser has six connections to a server: two stay free for what a person asks for meanwhile. */
const inTurn = pLimit(4)

/**
 * The same read as `read`, for pages that need dozens of them: a few run at once, the others wait their turn. An answer that
 * failed is kept too, until it is asked for again: a day without a snapshot stays one.
 */
export function readInTurn<T extends Tool>(tool: T, given: ArgumentsOf<T>) {
  return queryOptions({
    queryKey: [tool, given] as const,
    queryFn: ({ signal }): Promise<ReplyOf<T>> =>
      inTurn(() => {
        signal.throwIfAborted()
        return call(tool, given, signal)
      }),
    retryOnMount: false,
  })
}
