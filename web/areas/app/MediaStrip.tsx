import { Link } from '@tanstack/react-router'
import { dayText, spanText } from '../../evidence/format.ts'
import { KeptBadge } from '../../ui/KeptBadge.tsx'
import styles from './app.module.css'
import { useAppOfPage } from './app-of-page.ts'
import type { MediaItem } from './choices.ts'
import { MediaPicture } from './MediaPicture.tsx'
import { itemName } from './media-sets.ts'

/** Pictures of one set beside each other, each opening large. Scrolls sideways where there are many. */
export function MediaStrip({ items, small = false }: { items: readonly MediaItem[]; small?: boolean }) {
  const { storeId } = useAppOfPage()
  return (
    <ul className={`${styles.strip} row nowrap stretch gap-3 ${small ? styles.small : ''}`}>
      {items.map((item) => (
        <li key={item.url} className={item.kind === 'icon' ? styles.iconItem : ''}>
          <Link
            from="/apps/$storeId/media"
            to="/apps/$storeId/media"
            params={{ storeId }}
            search={(search) => ({ ...search, shown: item.url })}
            resetScroll={false}
            className={styles.open}
            aria-label={`Enlarge ${itemName(item)}`}
          >
            <MediaPicture key={item.url} item={item} width={small ? 128 : 256} />
          </Link>
          <p className="quiet tiny" style={{ paddingTop: 'var(--space-1)' }}>
            {item.current ? `since ${dayText(item.firstSeenAt)}` : spanText(item.firstSeenAt, item.lastSeenAt)}
          </p>
          {item.kept.status !== 'not-kept' && <KeptBadge kept={item.kept} />}
        </li>
      ))}
    </ul>
  )
}
