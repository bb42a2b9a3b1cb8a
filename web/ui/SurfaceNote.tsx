import { searchSurfaceRow, searchSurfaces } from '../../src/vocabulary/search-surfaces.ts'
import { count, dayText, timeAgo } from '../evidence/format.ts'
import type { NotListed, RankSurface, SearchSurface } from '../evidence/shapes.ts'
import { Select } from './fields.tsx'

/** Which surface the ranks of a page rest on, what it cannot show, and the choice of another one. */
export function SurfaceNote({
  surface,
  notListed,
  onChoose,
}: {
  surface: RankSurface
  notListed?: NotListed | null
  /** Left out where no other surface has anything. */
  onChoose?: ((surface: SearchSurface) => void) | undefined
}) {
  return (
    <section className="stack gap-2 small" aria-label="Source of the ranks">
      <div className="row gap-4">
        {onChoose && (
          <div style={{ inlineSize: 220 }}>
            <Select
              label="Ranks from"
              value={surface.name}
              options={searchSurfaces.map((name) => ({ id: name, name: searchSurfaceRow(name).label }))}
              onChange={(name) => onChoose(name as SearchSurface)}
            />
          </div>
        )}
        <p className="quiet" style={{ flex: '1 1 320px' }}>
          {surface.label}: {surface.shows}
        </p>
      </div>
      {notListed && (
        <p>
          This search does not list the app: not in the top {count(notListed.depth)} for its own name on{' '}
          {dayText(notListed.observedAt.slice(0, 10))}, although it is in the store (checked{' '}
          {timeAgo(notListed.knownAt)}).
        </p>
      )}
    </section>
  )
}
