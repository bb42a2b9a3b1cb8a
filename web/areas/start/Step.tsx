import { type ReactNode, useId } from 'react'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { Check } from '../../ui/icons.ts'
import { Badge } from '../../ui/parts.tsx'
import styles from './start.module.css'

export interface OfApp {
  tracked: TrackedAppSummary
  apps: readonly TrackedAppSummary[]
}

type StepState = 'todo' | 'running' | 'done' | 'failed'

const stateInWords = { todo: 'To do', running: 'In progress', done: 'Done', failed: 'Failed' } as const
const tones = { todo: 'plain', running: 'accent', done: 'good', failed: 'bad' } as const

export function Step({
  title,
  state,
  note,
  children,
}: {
  title: string
  /** Left out of a step without one, and undefined until it is known. */
  state?: StepState | undefined
  note?: ReactNode
  children?: ReactNode
}) {
  const id = useId()
  return (
    <li aria-labelledby={id} className={`${styles.step} stack gap-3 rounded`}>
      <div className="row baseline">
        <h2 id={id}>{title}</h2>
        {state && (
          <Badge tone={tones[state]}>
            {state === 'done' && <Check size={12} aria-hidden="true" />} {stateInWords[state]}
          </Badge>
        )}
        {note && <span className="quiet small">{note}</span>}
      </div>
      {children}
    </li>
  )
}
