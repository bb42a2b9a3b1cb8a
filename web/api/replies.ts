import { type UseQueryOptions, type UseQueryResult, useQueries } from '@tanstack/react-query'
import type { ArgumentsOf, ReplyOf, Tool } from './operations.ts'
import { readTogether } from './read-together.ts'

/** The state of the reads behind a section. A failed one is reported, and the others are shown. */
export interface Reading {
  done: number
  total: number
  error: unknown
}

interface Replies<Reply> {
  replies: readonly (Reply | undefined)[]
  reading: Reading
}

/** The same read for many apps, asked for together: replies as they arrive, in the order of what was asked. */
export function useReplies<T extends Tool>(tool: T, asked: readonly ArgumentsOf<T>[]): Replies<ReplyOf<T>> {
  const queries = asked.map((given) => readTogether(tool, given)) as unknown as UseQueryOptions[]
  return useQueries({ queries, combine: combined }) as Replies<ReplyOf<T>>
}

/** Outside the hook: the same function each time, so that it runs only when a reply arrived. */
const combined = (results: readonly UseQueryResult[]): Replies<unknown> => ({
  replies: results.map(({ data }) => data),
  reading: {
    done: results.filter(({ isPending }) => !isPending).length,
    total: results.length,
    error: results.find(({ error }) => error !== null)?.error ?? null,
  },
})
