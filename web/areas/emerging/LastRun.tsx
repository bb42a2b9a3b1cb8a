import { useWrite } from '../../api/operations.ts'
import { useAllowed } from '../../api/session.ts'
import { ago, count, counted, momentText } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { RefreshCw } from '../../ui/icons.ts'
import { Panel } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import { Backtest } from './Backtest.tsx'
import type { DiscoveryRun, EmergingSearch } from './emerging-search.ts'

/** Days a run looks at unless an address says otherwise. */
const usualWindow = 14

/** Starts a run with what the filters say. Asked while one is under way, it is that one. */
export function LookAgain({
  search,
  country,
  isFirst = false,
  goesOn = false,
}: {
  search: EmergingSearch
  country: Country
  isFirst?: boolean
  goesOn?: boolean
}) {
  const mayWrite = useAllowed('content:write')
  const look = useWrite('discover_emerging_ios_competitors', { changes: ['list_emerging_ios_competitors'] })
  if (!mayWrite) return null
  return (
    <Button
      look={isFirst ? 'primary' : 'plain'}
      icon={<RefreshCw size={14} aria-hidden="true" />}
      isPending={look.isPending || goesOn}
      onPress={() =>
        look.mutate({
          country,
          windowDays: search.window ? Number(search.window) : usualWindow,
          ...(search.category && { categoryId: search.category }),
        })
      }
    >
      {isFirst ? 'Look for emerging apps' : 'Look again'}
    </Button>
  )
}

/** The newest run: how far it is or how it ended, and what became of apps that had moved up before. */
export function LastRun({
  run,
  search,
  country,
}: {
  run: DiscoveryRun | null
  search: EmergingSearch
  country: Country
}) {
  if (!run) return null
  const goesOn = isUnderWay(run)
  const at = run.finishedAt ?? run.startedAt ?? run.createdAt
  return (
    <Panel
      title="Last run"
      note={`${momentText(at)} (${ago(at)}), over ${counted(run.windowDays, 'day')} of charts and ratings`}
      actions={<LookAgain search={search} country={country} goesOn={goesOn} />}
    >
      <div className="stack">
        {(goesOn || run.status === 'failed' || run.status === 'partial') && (
          <WorkProgress work={run} name="Looking for emerging apps" />
        )}
        {!goesOn && (
          <p>
            {counted(run.examined, 'app')} examined, {counted(run.found, 'candidate')} kept,{' '}
            {count(run.takenIn)} of them being taken in.
          </p>
        )}
        {run.backtest && <Backtest backtest={run.backtest} />}
      </div>
    </Panel>
  )
}
