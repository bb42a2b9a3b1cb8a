import { searchSurfaceRow } from '../../src/vocabulary/search-surfaces.ts'
import { RankValue } from './Fact.tsx'
import type { OtherSurfaceRank } from './shapes.ts'

/** Where an app stands on other surfaces, each with how it differs from the rank beside it. */
export function OtherSurfaces({ ranks }: { ranks: readonly OtherSurfaceRank[] }) {
  return ranks.map(({ surface, rank, observedAt, text, outcome }) => (
    <span key={surface} className="line" style={{ gap: 'var(--space-2)' }}>
      <RankValue rank={rank} observedAt={observedAt} surface={searchSurfaceRow(surface).label} />
      <span className={outcome === 'differs' ? 'small' : 'quiet small'}>{text}</span>
    </span>
  ))
}
