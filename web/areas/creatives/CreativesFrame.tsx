import { linkOptions, useMatchRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { X } from '../../ui/icons.ts'
import { Page } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import { mostChosen, useChosen } from './chosen.ts'
import styles from './creatives.module.css'

/** Media at the side, and what is said of them beside it. */
export const beside = customProperties({ '--columns': 'minmax(260px, 340px) minmax(0, 1fr)' })

/** An open ad or post belongs to the tab it was found in. */
const activeOptions = { includeSearch: false }
const tabs = [
  { name: 'Ads', link: linkOptions({ to: '/creatives/ads', activeOptions }) },
  { name: 'Posts', link: linkOptions({ to: '/creatives/posts', activeOptions }) },
  { name: 'Saved', link: linkOptions({ to: '/creatives/saved', activeOptions }) },
  { name: 'Timeline', link: linkOptions({ to: '/creatives/timeline', activeOptions }) },
]

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
      <TabLinks label="Creatives" tabs={tabs} />
      {children}
      {!isComparing && <ChosenBar />}
    </Page>
  )
}

function ChosenBar() {
  const { chosen, clear } = useChosen()
  if (chosen.length === 0) return null
  return (
    <section
      className={`${styles.chosenBar} pad-2-3 fits row nowrap gap-3`}
      aria-label="Selected for comparison"
      data-screen-only
    >
      <span>
        {chosen.length} of {mostChosen} selected
      </span>
      <LinkButton look="primary" to="/creatives/compare">
        Compare
      </LinkButton>
      <IconButton label="Clear selection" icon={<X size={15} aria-hidden="true" />} onPress={clear} />
    </section>
  )
}
