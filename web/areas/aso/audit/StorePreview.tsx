import { compact, decimal } from '../../../evidence/format.ts'
import type { TrackedAppSummary } from '../../../evidence/shapes.ts'
import { AppIcon } from '../../../ui/AppLink.tsx'
import styles from './audit.module.css'
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
  <div className={styles.previews}>
    {(['light', 'dark'] as const).map((theme) => (
      <figure key={theme}>
        <figcaption>{theme === 'light' ? 'Light' : 'Dark'}</figcaption>
        <div className={`${styles.phone} ${styles[theme]}`}>
          <AppIcon url={app.iconUrl} name={app.name} size={62} />
          <div className={styles.texts}>
            <bdi className={styles.name}>{texts.name || 'No name'}</bdi>
            <bdi className={styles.subtitle}>{texts.subtitle || 'No subtitle'}</bdi>
            <Stars {...figures} />
          </div>
          <span className={styles.get}>Get</span>
        </div>
      </figure>
    ))}
  </div>
)

function Stars({ rating, ratingCount }: StoreFigures) {
  if (rating === undefined) return <span className={styles.subtitle}>Rating not measured</span>
  const full = Math.round(rating)
  return (
    <span className={styles.stars}>
      <span aria-hidden="true">
        {'★'.repeat(full)}
        {'☆'.repeat(5 - full)}
      </span>
      <span className="hidden">{decimal(rating)} of 5</span>
      {ratingCount !== undefined && <span>{compact(ratingCount)}</span>}
    </span>
  )
}
