import { Archive, CircleDashed, Clock, CloudOff, type LucideIcon, TriangleAlert, Type } from 'lucide-react'
import { useProvenance } from '../../evidence/provenance.tsx'
import styles from './creatives.module.css'
import type { MediaStatus } from './shapes.ts'
import { keptInWords, keptMeaning } from './words.ts'

const icons: Record<MediaStatus['status'], LucideIcon> = {
  stored: Archive,
  pending: Clock,
  'removed-upstream': CloudOff,
  'text-only': Type,
  failed: TriangleAlert,
  'not-kept': CircleDashed,
}

/** Whether this installation holds its own copy of the media, by icon and word, with the reason on hover and focus. */
export function KeptBadge({ status: { status, reason } }: { status: MediaStatus }) {
  const Icon = icons[status]
  const provenance = useProvenance(() => (
    <>
      <strong>{keptInWords[status]}</strong>
      <p>{reason ?? keptMeaning[status]}</p>
    </>
  ))
  return (
    <span className={`${styles.kept} ${styles[status]}`} {...provenance}>
      <Icon size={12} aria-hidden="true" />
      {keptInWords[status]}
    </span>
  )
}
