import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

/** Long enough for what rests on a reply to have asked as well. */
const restMs = 30

/** So long after the last reply those that are still under way are no longer waited for: one that hangs hides no others. */
const stalledMs = 3_000

/** Whether what a page asked for at first is there. Reads that failed, and those that hang, are not waited for. */
export function useReadingIsOver(): boolean {
  const [isOver, setOver] = useState(false)
  const queries = useQueryClient()
  const underWay = useIsFetching({ predicate: isFirstRead })
  useEffect(() => {
    if (isOver) return
    const timer =
      underWay > 0
        ? setTimeout(() => setOver(true), stalledMs)
        : // On a busy machine what has begun meanwhile is not told yet.
          setTimeout(() => setOver(queries.isFetching({ predicate: isFirstRead }) === 0), restMs)
    return () => clearTimeout(timer)
  }, [queries, underWay, isOver])
  return isOver
}

const isFirstRead = ({
  queryKey: [first],
  state: { data },
}: {
  queryKey: readonly unknown[]
  state: { data: unknown }
}): boolean => first !== 'changes' && data === undefined

/** Parts that would push one another about while they come: shown when all that they read at first is there. */
export function ShownTogether({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const isOver = useReadingIsOver()
  return (
    <>
      {!isOver && (
        <div aria-busy="true">
          <span className="hidden">Loading</span>
          {skeleton}
        </div>
      )}
      <div className="stack gap-4" style={isOver ? undefined : { display: 'none' }}>
        {children}
      </div>
    </>
  )
}
