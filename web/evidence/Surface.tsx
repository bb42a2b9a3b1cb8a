import { searchSurfaceRow } from '../../src/vocabulary/search-surfaces.ts'
import { RankValue } from './Fact.tsx'
import { count, momentText } from './format.ts'
import type { OtherSurfaceRank, Rank } from './shapes.ts'

/** Where an app stands on other surfaces, each with how it differs from the rank here; the whole comparison on hover. */
export function OtherSurfaces({ here, ranks }: { here: Rank; ranks: readonly OtherSurfaceRank[] }) {
  return ranks.map((there) => {
    const { surface, rank, observedAt, outcome } = there
    const { label } = searchSurfaceRow(surface)
    return (
      <span key={surface} className="line" style={{ gap: 'var(--space-2)', whiteSpace: 'nowrap' }}>
        <RankValue rank={rank} observedAt={observedAt} surface={label} />
        <span
          className={outcome === 'differs' ? 'small' : 'quiet small'}
          title={outcome === 'not-compared' ? `${label}, ${momentText(observedAt)}: not compared` : there.text}
        >
          {differenceOf(here, there)}
        </span>
      </span>
    )
  })
}

function differenceOf(here: Rank, { rank, outcome, places }: OtherSurfaceRank): string {
  if (outcome === 'same') return 'same'
  if (outcome === 'not-compared') return 'not compared'
  if (here.state === 'measured' && rank.state === 'measured' && places !== null)
    return `${count(places)} ${rank.value < here.value ? 'better' : 'worse'}`
  return rank.state === 'measured' ? 'only there' : 'only here'
}
