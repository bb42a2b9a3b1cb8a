import { useProvenance } from '../../evidence/provenance.tsx'
import type { Suggestion } from './shapes.ts'

/** Why a keyword is named: the strongest reason in view, all of them on hover and focus. */
export function Reasons({ reasons }: { reasons: Suggestion['reasons'] }) {
  const provenance = useProvenance(() => (
    <ul>
      {reasons.map(({ kind, text }) => (
        <li key={kind + text}>{text}</li>
      ))}
    </ul>
  ))
  const [first, ...others] = reasons
  return (
    <span {...provenance}>
      <bdi>{first?.text}</bdi>
      {others.length > 0 && <span className="quiet"> +{others.length} more</span>}
    </span>
  )
}
