import { Fragment, useMemo } from 'react'
import styles from './app.module.css'
import { diffWords } from './diff-words.ts'

/** Two texts as one: what went is struck through, what came is underlined, each with its sign. */
export function TextDiff({ from, to }: { from: string; to: string }) {
  const parts = useMemo(() => diffWords(from, to), [from, to])
  return (
    <div className="anywhere" style={{ maxWidth: '100ch', whiteSpace: 'pre-line' }} dir="auto">
      {parts.map(({ kind, text }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place
        if (kind === 'same') return <Fragment key={index}>{text}</Fragment>
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other name than its place
        return kind === 'removed' ? <Removed key={index}>{text}</Removed> : <Added key={index}>{text}</Added>
      })}
    </div>
  )
}

export const Removed = ({ children }: { children: string }) => (
  <del className={`${styles.removed} bad bad-fill`}>
    <span aria-hidden="true">−</span>
    <span className="hidden">removed: </span>
    {children}
  </del>
)

export const Added = ({ children }: { children: string }) => (
  <ins className={`${styles.added} good`}>
    <span aria-hidden="true">+</span>
    <span className="hidden">added: </span>
    {children}
  </ins>
)
