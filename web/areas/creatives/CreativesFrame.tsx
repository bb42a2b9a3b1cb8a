import { Link, useMatchRoute } from '@tanstack/react-router'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { Page } from '../../ui/parts.tsx'
import { mostChosen, useChosen } from './chosen.ts'
import styles from './creatives.module.css'

/** What the pages of the creative library have in common: its parts, and what was chosen to be compared. */
export function CreativesFrame({
  title,
  subtitle,
  actions,
  children,
}: {
  title: string
  subtitle?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  const isComparing = useMatchRoute()({ to: '/creatives/compare' }) !== false
  return (
    <Page title={title} subtitle={subtitle} actions={actions}>
      <nav className={styles.parts} aria-label="Creatives">
        <Link to="/creatives/ads">Ads</Link>
        <Link to="/creatives/posts">Posts</Link>
        <Link to="/creatives/saved">Saved</Link>
        <Link to="/creatives/timeline">Timeline</Link>
      </nav>
      {children}
      {!isComparing && <ChosenBar />}
    </Page>
  )
}

function ChosenBar() {
  const { chosen, clear } = useChosen()
  if (chosen.length === 0) return null
  return (
    <section className={styles.chosenBar} aria-label="Chosen to compare" data-screen-only>
      <span>
        {chosen.length} of {mostChosen} chosen
      </span>
      <LinkButton look="primary" to="/creatives/compare">
        Compare
      </LinkButton>
      <IconButton label="Choose none" icon={<X size={15} aria-hidden="true" />} onPress={clear} />
    </section>
  )
}
