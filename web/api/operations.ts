import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { type Operations, RivalscopeProblem, type Tool } from '../../src/client/client.ts'
import { notify } from '../ui/notices.ts'
import { client } from './client.ts'
import { problemInWords } from './problems.ts'
import { signInAgain } from './session.ts'

export type { Operations, Tool } from '../../src/client/client.ts'
export type ArgumentsOf<T extends Tool> = Operations[T]['arguments']
export type ReplyOf<T extends Tool> = Operations[T]['reply']

/** Operations whose reply has a `nextCursor`. */
type PagedTool = { [T in Tool]: ReplyOf<T> extends { nextCursor: string | null } ? T : never }[Tool]

/**
 * A read of the contract as a query: `useQuery(read('get_competitor', { storeId, country }))`. Its key is the operation and
 * its arguments, so that equal reads on a page are one request.
 */
export function read<T extends Tool>(tool: T, given: ArgumentsOf<T>) {
  return queryOptions({
    queryKey: [tool, given] as const,
    queryFn: ({ signal }): Promise<ReplyOf<T>> => call(tool, given, signal),
  })
}

/** A read of a list, page after page: `useInfiniteQuery(readPages('search_paid_ads', { q }))`. */
export function readPages<T extends PagedTool>(tool: T, given: ArgumentsOf<T>) {
  return infiniteQueryOptions({
    queryKey: [tool, given, 'pages'] as const,
    queryFn: ({ signal, pageParam }): Promise<ReplyOf<T>> =>
      call(tool, { ...given, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page: ReplyOf<T>) => (page as { nextCursor: string | null }).nextCursor,
  })
}

/**
 * A write of the contract. What it changes is named by the operations whose replies are read anew. A failure is told in a
 * notice unless the caller of `mutate` handles it.
 */
export function useWrite<T extends Tool>(
  tool: T,
  options: {
    changes?: readonly Tool[]
    done?: (reply: ReplyOf<T>, given: ArgumentsOf<T>) => string | undefined
  } = {},
): UseMutationResult<ReplyOf<T>, Error, ArgumentsOf<T>> {
  const queries = useQueryClient()
  return useMutation({
    mutationKey: [tool],
    mutationFn: (given: ArgumentsOf<T>) => call(tool, given),
    onSuccess: async (reply, given) => {
      const text = options.done?.(reply, given)
      if (text) notify({ kind: 'done', text })
      await readAnew(queries, options.changes ?? [])
    },
    onError: (error) => notify({ kind: 'failed', ...problemInWords(error) }),
  })
}

/** Reads anew what replies of these operations are on the screen, and forgets the others. */
export async function readAnew(queries: QueryClient, tools: readonly Tool[]): Promise<void> {
  await Promise.all(tools.map((tool) => queries.invalidateQueries({ queryKey: [tool] })))
}

/** One call. A session that has ended is renewed by the person, and the call is made again: nothing typed is lost. */
export async function call<T extends Tool>(
  tool: T,
  given: ArgumentsOf<T>,
  signal?: AbortSignal,
): Promise<ReplyOf<T>> {
  for (;;) {
    try {
      return (await client.call(tool, given, signal ? { signal } : {})) as ReplyOf<T>
    } catch (error) {
      if (!(error instanceof RivalscopeProblem && error.code === 'unauthenticated')) throw error
      await signInAgain()
    }
  }
}
