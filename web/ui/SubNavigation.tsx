import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import styles from './SubNavigation.module.css'

/** The pages of one area beside each other, as links. */
export const SubNavigation = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={styles.pages} aria-label={label}>
    {children}
  </nav>
)

/** One of them; the router says which one is open. */
export const SubLink = createLink((props: ComponentProps<'a'>) => <a {...props} className={styles.page} />)
