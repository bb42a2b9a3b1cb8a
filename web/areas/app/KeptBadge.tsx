import { bytes, momentText } from '../../evidence/format.ts'
import { Line, useProvenance } from '../../evidence/provenance.tsx'
import type { KeptCopy } from '../../evidence/shapes.ts'
import { Badge } from '../../ui/parts.tsx'

const statusInWords = {
  stored: 'Kept',
  pending: 'Copy pending',
  'removed-upstream': 'Removed upstream',
  failed: 'Copy failed',
  'not-kept': 'Not kept',
} as const satisfies Record<KeptCopy['status'], string>

/** Whether this installation holds a copy of its own, with the reason where it does not. */
export function KeptBadge({ kept }: { kept: KeptCopy }) {
  const provenance = useProvenance(() =>
    kept.status === 'stored' ? (
      <dl>
        <Line name="Stored">{momentText(kept.storedAt)}</Line>
        <Line name="Size">{bytes(kept.sizeBytes)}</Line>
        <Line name="Type">{kept.contentType}</Line>
      </dl>
    ) : (
      <p>{whyNotKept(kept)}</p>
    ),
  )
  const tone = kept.status === 'stored' ? 'good' : kept.status === 'failed' ? 'bad' : 'plain'
  return (
    <span {...provenance}>
      <Badge tone={tone}>{statusInWords[kept.status]}</Badge>
    </span>
  )
}

/** Why there is no copy, as a sentence. */
export function whyNotKept(kept: Exclude<KeptCopy, { status: 'stored' }>): string {
  const reason =
    kept.reason ?? (kept.status === 'pending' ? 'The copy is under way' : statusInWords[kept.status])
  const sentence = reason.charAt(0).toUpperCase() + reason.slice(1)
  const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
  return kept.checkedAt ? `${ended} Tried last ${momentText(kept.checkedAt)}.` : ended
}
