import { compact, decimal } from '../../../evidence/format.ts'
import type { TrackedAppSummary } from '../../../evidence/shapes.ts'
import { AppIcon } from '../../../ui/AppLink.tsx'
import styles from '../aso.module.css'
import type { ListingTexts } from './listing-text.ts'

/** What the result of a search shows of an app beside its texts. */
export interface StoreFigures {
  rating: number | undefined
  ratingCount: number | undefined
}

/** The texts as a result of a search on an iPhone, in light and in dark. Longer ones are cut as there, at the width of their letters. */
export const StorePreview = ({
  app,
  texts,
  figures,
}: {
  app: TrackedAppSummary['app']
  texts: ListingTexts
  figures: StoreFigures
}) => (
  <div className="row stretch gap-4">
    {(['light', 'dark'] as const).map((theme) => (
      <figure key={theme} className="fits">
        <figcaption className="quiet small" style={{ paddingBottom: 'var(--space-1)' }}>
          {theme === 'light' ? 'Light' : 'Dark'}
        </figcaption>
        <div className={`${styles.phone} row nowrap box fits ink`} style={{ colorScheme: theme }}>
          <AppIcon url={app.iconUrl} name={app.name} size={62} />
          <div className="stack gap-0 fills" style={{ lineHeight: 'var(--line-tight)' }}>
            <bdi className={`${styles.name} cut medium`}>{texts.name || 'No name'}</bdi>
            <bdi className={`${styles.subtitle} cut quiet`}>{texts.subtitle || 'No subtitle'}</bdi>
            <Stars {...figures} />
          </div>
          <span className={`${styles.get} bold sunken accent`}>Get</span>
        </div>
      </figure>
    ))}
  </div>
)

function Stars({ rating, ratingCount }: StoreFigures) {
  if (rating === undefined) return <span className={`${styles.subtitle} cut quiet`}>Rating not measured</span>
  const full = Math.round(rating)
  return (
    <span className={`${styles.subtitle} row nowrap stretch gap-1 quiet`}>
      <span aria-hidden="true">
        {'★'.repeat(full)}
        {'☆'.repeat(5 - full)}
      </span>
      <span className="hidden">{decimal(rating)} of 5</span>
      {ratingCount !== undefined && <span>{compact(ratingCount)}</span>}
    </span>
  )
}
