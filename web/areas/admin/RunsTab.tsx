import { useQueries } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { isNotFound } from '../../api/problems.ts'
import { readInTurn } from '../../api/read-in-turn.ts'
import { useSession } from '../../api/session.ts'
import { count, timeAgo } from '../../evidence/format.ts'
import { workStatusInWords } from '../../evidence/words.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import styles from './admin.module.css'
import { recentRuns } from './recent-runs.ts'

/** Imports that this browser remembers; one from elsewhere is opened by its id. */
export function RunsTab() {
  const { session } = useSession()
  const runs = session.signedIn ? recentRuns(session.account) : []
  const states = useQueries({
    queries: runs.map(({ runId }) => readInTurn('admin_get_paid_ad_import', { runId })),
  })
  return (
    <>
      <Panel
        title="Imports"
        note="Those started in this browser: the service keeps every run but lists none."
        flush
      >
        {runs.length === 0 ? (
          <Empty title="No import yet" action={<LinkButton to="/admin/import">Import ads</LinkButton>}>
            Imports started here are remembered in this browser.
          </Empty>
        ) : (
          <ul className={`${styles.rows} ruled`}>
            {runs.map(({ runId, what, startedAt }, index) => {
              const run = states[index]?.data
              return (
                <li key={runId} className="row between gap-4 rows-1">
                  <Link to="/admin/imports/$runId" params={{ runId }}>
                    <bdi>{what}</bdi>
                  </Link>
                  <span className="line wrap gap-3">
                    {run && (
                      <>
                        <span className="quiet">
                          {count(run.counts.stored)} stored, {count(run.counts.rejected)} rejected
                        </span>
                        <Badge
                          tone={
                            run.status === 'failed' ? 'bad' : run.status === 'succeeded' ? 'good' : 'accent'
                          }
                        >
                          {workStatusInWords[run.status]}
                        </Badge>
                      </>
                    )}
                    {states[index]?.error && (
                      <Badge>{isNotFound(states[index].error) ? 'not found' : 'could not be read'}</Badge>
                    )}
                    <time dateTime={startedAt} className="quiet">
                      {timeAgo(startedAt)}
                    </time>
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </Panel>
      <OpenRun />
    </>
  )
}

function OpenRun() {
  const [runId, setRunId] = useState('')
  const navigate = useNavigate()
  return (
    <form
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault()
        if (runId.trim()) void navigate({ to: '/admin/imports/$runId', params: { runId: runId.trim() } })
      }}
    >
      <TextField label="Id of an import started elsewhere" value={runId} onChange={setRunId} />
      <Button type="submit" isDisabled={runId.trim() === ''}>
        Open
      </Button>
    </form>
  )
}
