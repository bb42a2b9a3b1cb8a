import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type ArgumentsOf, invalidateReads, type ReplyOf, read, useWrite } from '../../api/operations.ts'
import { isUnderWay } from '../../evidence/work.ts'

type AdImportRun = ReplyOf<'admin_get_paid_ad_import'>

const everyMs = 1_500

/** Imports of ads that a page starts with one press, and follows until they have ended; then ads are read anew. */
export function useAdImport(): {
  /** The last run that was started here. */
  run: AdImportRun | undefined
  ask: (given: ArgumentsOf<'admin_import_paid_ads'>) => void
  isPending: boolean
} {
  const queries = useQueryClient()
  const [runId, setRunId] = useState<string>()
  const start = useWrite('admin_import_paid_ads', { changes: ['admin_get_paid_ad_import'] })
  const { data: run } = useQuery({
    ...read('admin_get_paid_ad_import', { runId: runId ?? '' }),
    enabled: runId !== undefined,
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? everyMs : false),
  })
  const ended = run && !isUnderWay(run) ? `${run.runId} ${run.finishedAt}` : undefined
  useEffect(() => {
    if (ended) void invalidateReads(queries, ['search_paid_ads', 'get_paid_ad'])
  }, [queries, ended])
  return {
    run,
    ask: (given) => start.mutate(given, { onSuccess: (started) => setRunId(started.runId) }),
    isPending: start.isPending,
  }
}
