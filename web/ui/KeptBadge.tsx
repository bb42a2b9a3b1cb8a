import { bytes, momentText } from '../evidence/format.ts'
import { Line, useProvenance } from '../evidence/provenance.tsx'
import type { KeptCopy, PaidAd } from '../evidence/shapes.ts'
import { Archive, CircleDashed, Clock, CloudOff, type IconComponent, TriangleAlert, Type } from './icons.ts'

type MediaStatus = PaidAd['creatives'][number]['mediaStatus']
type Status = MediaStatus['status']

const icons: Record<Status, IconComponent> = {
  stored: Archive,
  pending: Clock,
  'removed-upstream': CloudOff,
  'text-only': Type,
  failed: TriangleAlert,
  'not-kept': CircleDashed,
}

const statusInWords: Record<Status, string> = {
  stored: 'Copy kept',
  pending: 'Copying',
  'removed-upstream': 'Could not be copied',
  'text-only': 'Text only',
  failed: 'Copy failed',
  'not-kept': 'No copy',
}

const tones: Record<Status, string> = {
  stored: 'good',
  pending: 'warn',
  'removed-upstream': 'warn',
  'text-only': 'quiet',
  failed: 'bad',
  'not-kept': 'quiet',
}

/** The meaning of a status of archived media, where the reply gives no reason. */
export const keptMeaning: Record<Status, string> = {
  stored: 'A copy of all its media is kept on this installation.',
  pending: 'Copying is queued or in progress.',
  'removed-upstream':
    'Its picture or video was no longer available at the source. The ad or post itself may still be there.',
  'text-only': 'The source shows no media for it.',
  failed: 'The copy was refused or interrupted.',
  'not-kept': 'No copy was requested, or the source gives no address to copy from.',
}

/**
 * Whether this installation holds a copy of its own, by icon and word: of one medium, or of all media of a creative. The copy's
 * facts, or the reason why there is none, show on hover and focus.
 */
export function KeptBadge({ kept }: { kept: KeptCopy | MediaStatus }) {
  const Icon = icons[kept.status]
  const provenance = useProvenance(() =>
    'storedAt' in kept ? (
      <dl>
        <Line name="Copied">{momentText(kept.storedAt)}</Line>
        <Line name="Size">{bytes(kept.sizeBytes)}</Line>
        <Line name="Type">{kept.contentType}</Line>
      </dl>
    ) : (
      <>
        <strong>{statusInWords[kept.status]}</strong>
        <p>{'checkedAt' in kept ? whyNotKept(kept) : (kept.reason ?? keptMeaning[kept.status])}</p>
      </>
    ),
  )
  return (
    <span className={`pill ${tones[kept.status]}`} {...provenance}>
      <Icon size={12} aria-hidden="true" />
      {statusInWords[kept.status]}
    </span>
  )
}

/** Why there is no copy, as a sentence. */
export function whyNotKept(kept: Exclude<KeptCopy, { status: 'stored' }>): string {
  const reason = kept.reason ?? keptMeaning[kept.status]
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1)
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  return kept.checkedAt ? `${ended} Last tried ${momentText(kept.checkedAt)}.` : ended
}
