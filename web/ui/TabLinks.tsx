import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import styles from './parts.module.css'

/** A tab: its name, where it leads (made with `linkOptions`), and what stands beside its name. */
export interface TabLink {
  name: string
  link: LinkProps
  note?: ReactNode
}

/** The parts of a page as links, each with an address of its own. Scrolls sideways where it does not fit. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const bar = useRef<HTMLElement>(null)
  const path = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the current one after the address has changed
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]')
    if (current && bar.current)
      bar.current.scrollLeft = current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2
  }, [path])
  return (
    <nav
      ref={bar}
      className={`${styles.tabs} row nowrap stretch gap-1 shrinks rule-below`}
      aria-label={label}
      data-screen-only
    >
      {tabs.map(({ name, link, note }) => (
        <Link
          key={name}
          activeOptions={{ exact: true, includeSearch: false }}
          {...link}
          className={`${styles.tab} line fixed quiet medium nobreak`}
          activeProps={{ 'aria-current': 'page' }}
        >
          {name}
          {note}
        </Link>
      ))}
    </nav>
  )
}
