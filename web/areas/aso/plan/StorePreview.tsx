import { compactNumber, decimal } from '../../../evidence/format.ts'
import type { TrackedAppSummary } from '../../../evidence/shapes.ts'
import { AppIcon } from '../../../ui/AppLink.tsx'

/** What the result of a search shows of an app beside its texts. */
interface StoreFigures {
  rating: number | undefined
  ratingCount: number | undefined
}

/** The width of an iPhone, and the sizes of its search results. */
const phone = { gap: 12, width: 393, padding: '16px 20px' }
const subtitle = { fontSize: 13 }

/** The texts as a result of a search on an iPhone, in light and in dark. Longer ones are cut as there, at the width of their letters. */
export const StorePreview = ({
  app,
  texts,
  figures,
}: {
  app: TrackedAppSummary['app']
  /** A subtitle that is null is not known. */
  texts: { name: string; subtitle: string | null }
  figures: StoreFigures
}) => (
  <div className="row stretch gap-4">
    {(['light', 'dark'] as const).map((theme) => (
      <figure key={theme} className="fits">
        <figcaption className="quiet small" style={{ paddingBottom: 'var(--space-1)' }}>
          {theme === 'light' ? 'Light' : 'Dark'}
        </figcaption>
        <div className="row nowrap box fits ink" style={{ ...phone, colorScheme: theme }}>
          <AppIcon url={app.iconUrl} name={app.name} size={62} />
          <div className="stack gap-0 fills" style={{ lineHeight: 'var(--line-tight)' }}>
            <bdi className="cut medium" style={{ fontSize: 17 }}>
              {texts.name || 'No name'}
            </bdi>
            <bdi className="cut quiet" style={subtitle}>
              {texts.subtitle === null ? 'Subtitle unknown' : texts.subtitle || 'No subtitle'}
            </bdi>
            <Stars {...figures} />
          </div>
          <span className="bold sunken accent" style={{ padding: '5px 20px', borderRadius: 16 }}>
            Get
          </span>
        </div>
      </figure>
    ))}
  </div>
)

function Stars({ rating, ratingCount }: StoreFigures) {
  if (rating === undefined)
    return (
      <span className="cut quiet" style={subtitle}>
        Rating not available
      </span>
    )
  const full = Math.round(rating)
  return (
    <span className="row nowrap stretch gap-1 quiet" style={subtitle}>
      <span aria-hidden="true">
        {'★'.repeat(full)}
        {'☆'.repeat(5 - full)}
      </span>
      <span className="hidden">{decimal(rating)} of 5</span>
      {ratingCount !== undefined && <span>{compactNumber(ratingCount)}</span>}
    </span>
  )
}
