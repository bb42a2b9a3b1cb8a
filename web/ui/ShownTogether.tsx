import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'

/** Long enough for what rests on a reply to have asked as well. */
const restMs = 30

/** Whether what a page asked for at first is there. A read that failed and is tried again is not waited for. */
export function useReadingIsOver(): boolean {
  const [isOver, setOver] = useState(false)
  const queries = useQueryClient()
  const isReading = useIsFetching({ predicate: isFirstRead }) > 0
  useEffect(() => {
    if (isReading || isOver) return
    // On a busy machine what has begun meanwhile is not told yet.
    const timer = setTimeout(() => setOver(queries.isFetching({ predicate: isFirstRead }) === 0), restMs)
    return () => clearTimeout(timer)
  }, [queries, isReading, isOver])
  return isOver
}

const isFirstRead = ({
  queryKey: [first],
  state: { data, fetchFailureCount },
}: {
  queryKey: readonly unknown[]
  state: { data: unknown; fetchFailureCount: number }
}): boolean => first !== 'changes' && data === undefined && fetchFailureCount === 0

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
