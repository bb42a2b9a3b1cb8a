import { ProgressBar } from 'react-aria-components'
import { count, momentText } from '../evidence/format.ts'
import type { WorkState } from '../evidence/shapes.ts'
import { workStatusInWords } from '../evidence/words.ts'
import { isUnderWay } from '../evidence/work.ts'
import styles from './parts.module.css'
import { Badge } from './parts.tsx'

/** How far work is that goes on in the background. */
export function WorkProgress({ work, name }: { work: WorkState; name: string }) {
  const { status, progress, lastError, waitingForWorker } = work
  const goesOn = isUnderWay(work)
  return (
    <div className="stack gap-2">
      <div className="row">
        <strong>{name}</strong>
        <Badge tone={status === 'failed' ? 'bad' : status === 'partial' ? 'warn' : goesOn ? 'accent' : 'good'}>
          {workStatusInWords[status]}
        </Badge>
        {progress && (
          <span className="quiet">
            {count(progress.done)}
            {progress.total === null ? '' : ` of ${count(progress.total)}`} {progress.unit}
          </span>
        )}
      </div>
      {goesOn && <Bar name={name} done={progress?.done ?? 0} total={progress?.total ?? null} />}
      {waitingForWorker && (
        <p className="small warn">
          No worker has run since {momentText(waitingForWorker.since)}: start <code>rivalscope work</code>, or{' '}
          <code>serve</code> with <code>--work on</code>.
        </p>
      )}
      {lastError && !goesOn && <p className="small warn">{lastError.message}</p>}
    </div>
  )
}

/** How far something is; without a total it only shows that it goes on. */
export function Bar({ name, done, total }: { name: string; done: number; total: number | null }) {
  const known = total ? { maxValue: total, value: done } : undefined
  return (
    <ProgressBar aria-label={name} isIndeterminate={!known} {...known} className={styles.progress ?? ''}>
      {({ percentage }) => <div className={styles.done} style={{ width: `${percentage ?? 30}%` }} />}
    </ProgressBar>
  )
}
