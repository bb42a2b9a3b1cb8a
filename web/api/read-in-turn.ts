import { queryOptions } from '@tanstack/react-query'
import pLimit from 'p-limit'
import { type ArgumentsOf, call, type ReplyOf, type Tool } from './operations.ts'

/** Reads at once: browsers open six connections to a server, and two stay free for what the user does meanwhile. */
const inTurn = pLimit(4)

/**
 * The same read as `read`, for pages that need dozens of them: a few run at once, the others wait their turn. Failed reads
 * are cached, too, until requested again: a day without a snapshot remains one.
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
