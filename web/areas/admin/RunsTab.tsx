import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { count, timeAgo } from '../../evidence/format.ts'
import { workStatusInWords } from '../../evidence/words.ts'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { adImports, subjectOf } from './ad-imports.ts'
import styles from './admin.module.css'

/** The newest imports of the account, wherever they were started; an older one is opened by its id. */
export function RunsTab() {
  const query = useQuery(adImports)
  return (
    <>
      <Panel title="Ad imports" note="Newest imports of this account" flush>
        <Loaded query={query} skeleton={<Skeleton height={240} />}>
          {(runs) =>
            runs.length === 0 ? (
              <Empty title="No imports yet" action={<LinkButton to="/admin/import">Import ads</LinkButton>}>
                Imports from ad libraries and of pasted records are listed here.
              </Empty>
            ) : (
              <ul className={`${styles.rows} ruled`}>
                {runs.map((run) => (
                  <li key={run.runId} className="row between gap-4 rows-1">
                    <Link to="/admin/imports/$runId" params={{ runId: run.runId }}>
                      <bdi>{subjectOf(run)}</bdi>
                    </Link>
                    <span className="line wrap gap-3">
                      <span className="quiet">
                        {count(run.stored)} new, {count(run.rejected)} rejected
                      </span>
                      <Badge
                        tone={run.status === 'failed' ? 'bad' : run.status === 'succeeded' ? 'good' : 'accent'}
                      >
                        {workStatusInWords[run.status]}
                      </Badge>
                      <time dateTime={run.createdAt} className="quiet">
                        {timeAgo(run.createdAt)}
                      </time>
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
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
      <TextField label="ID of an older import" value={runId} onChange={setRunId} />
      <Button type="submit" isDisabled={runId.trim() === ''}>
        Open
      </Button>
    </form>
  )
}
