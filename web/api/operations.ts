import {
  hashKey,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import {
  type Operations,
  Rivalscope,
  RivalscopeProblem,
  ServerUnreachable,
  type Tool,
} from '../../src/client/client.ts'
import { notify } from './notices.ts'
import { notifyOtherTabs } from './other-tabs.ts'
import { problemInWords } from './problems.ts'
import { signedIn, signInAgain } from './session.ts'

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
 * notice; where it is not known whether the write arrived, the notice offers to repeat it. Asked for again there or by its
 * button, it has the same idempotency key, so that nothing is done twice. `mutate` does nothing while the same write is under
 * way: a double click is one write.
 */
export function useWrite<T extends Tool>(
  tool: T,
  options: {
    changes?: readonly Tool[]
    done?: (reply: ReplyOf<T>, given: ArgumentsOf<T>) => string | undefined
  } = {},
): UseMutationResult<ReplyOf<T>, Error, ArgumentsOf<T>> {
  const queries = useQueryClient()
  const write: UseMutationResult<ReplyOf<T>, Error, ArgumentsOf<T>> = useMutation({
    mutationKey: [tool],
    mutationFn: (given: ArgumentsOf<T>) => callOnce(tool, given),
    onSuccess: async (reply, given) => {
      const text = options.done?.(reply, given)
      if (text) notify({ kind: 'done', text })
      await invalidateReads(queries, options.changes ?? [])
    },
    onError: (error, given) => {
      const repeat = error instanceof ServerUnreachable ? () => write.mutate(given) : undefined
      notify({ kind: 'failed', ...problemInWords(error), repeat })
    },
  })
  const send = write.mutate
  const mutate = useCallback<typeof send>(
    (...asked) => {
      if (!isUnderWay(queries, tool, asked[0])) send(...asked)
    },
    [queries, tool, send],
  )
  return { ...write, mutate }
}

const isUnderWay = (queries: QueryClient, tool: Tool, given: unknown) =>
  queries.isMutating({
    mutationKey: [tool],
    predicate: ({ state }) => hashKey([state.variables]) === hashKey([given]),
  }) > 0

/** The idempotency keys of writes without an answer, by what they ask for. */
const unanswered = new Map<string, string>()

async function callOnce<T extends Tool>(tool: T, given: ArgumentsOf<T>): Promise<ReplyOf<T>> {
  const asked = hashKey([tool, given])
  const key = unanswered.get(asked) ?? freshKey()
  unanswered.set(asked, key)
  try {
    const reply = await call(tool, given, undefined, key)
    // A completed write changes the effect of others, so earlier idempotency keys no longer apply.
    unanswered.clear()
    return reply
  } catch (error) {
    if (!(error instanceof ServerUnreachable)) unanswered.delete(asked)
    throw error
  }
}

/** Browsers have no `randomUUID` outside secure contexts. */
const freshKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Refetches the shown replies of these operations, here and in other tabs, and drops cached ones that are not shown. */
export async function invalidateReads(queries: QueryClient, tools: readonly string[]): Promise<void> {
  if (tools.length > 0) notifyOtherTabs({ kind: 'changed', tools })
  await Promise.all(tools.map((tool) => queries.invalidateQueries({ queryKey: [tool] })))
}

/**
 * One call. A session that has ended is renewed by the person, and the call is made again under the same key: nothing typed is
 * lost, and nothing is done twice.
 */
export async function call<T extends Tool>(
  tool: T,
  given: ArgumentsOf<T>,
  signal?: AbortSignal,
  idempotencyKey = freshKey(),
): Promise<ReplyOf<T>> {
  for (;;) {
    await signedIn()
    try {
      return (await client.call(tool, given, { idempotencyKey, ...(signal ? { signal } : {}) })) as ReplyOf<T>
    } catch (error) {
      if (!(error instanceof RivalscopeProblem && error.code === 'unauthenticated')) throw error
      await signInAgain()
    }
  }
}

/** The typed client of the installation that served this page, on the session of whoever is signed in. */
const client = new Rivalscope({ server: `${location.origin}/`, session: true, retries: 2 })
