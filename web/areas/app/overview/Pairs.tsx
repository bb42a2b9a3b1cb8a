import type { ReactNode } from 'react'

/** Names with their values, a line each. */
export const Pairs = ({ children }: { children: ReactNode }) => (
  <dl className="pairs stack gap-2 small">{children}</dl>
)

/** One line of `Pairs`. */
export const Pair = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
