import type { ReactNode } from 'react'
import styles from './Pairs.module.css'

/** Names with their values, a line each. */
export const Pairs = ({ children }: { children: ReactNode }) => <dl className={styles.pairs}>{children}</dl>

/** One line of `Pairs`. */
export const Pair = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
