import { useEffect } from 'react'
import { momentText } from '../../evidence/format.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ChevronLeft, ChevronRight } from '../../ui/icons.ts'
import { KeptBadge } from '../../ui/KeptBadge.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import type { MediaItem } from './choices.ts'
import { MediaPicture } from './MediaPicture.tsx'
import { itemName } from './media-sets.ts'
import { webAddress } from './words.ts'

/** One picture or preview large. The arrow keys go to those before and after it. */
export function Lightbox({
  items,
  shown,
  onShow,
}: {
  items: readonly MediaItem[]
  /** The address of the one that is shown. */
  shown: string
  /** Undefined closes it. */
  onShow: (url: string | undefined) => void
}) {
  const index = items.findIndex(({ url }) => url === shown)
  const item = items[index]
  const [before, after] = [items[index - 1], items[index + 1]]
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if ((event.target as Element).closest('video')) return
      const next = event.key === 'ArrowLeft' ? before : event.key === 'ArrowRight' ? after : undefined
      if (next) onShow(next.url)
    }
    document.addEventListener('keydown', move)
    return () => document.removeEventListener('keydown', move)
  }, [before, after, onShow])
  if (!item) return null
  const source = webAddress(item.url)
  return (
    <Dialog title={itemName(item)} wide open onOpenChange={(isOpen) => !isOpen && onShow(undefined)}>
      <div className="row nowrap fixed">
        <IconButton
          label="Previous"
          icon={<ChevronLeft size={20} aria-hidden="true" />}
          isDisabled={!before}
          onPress={() => before && onShow(before.url)}
        />
        <div
          className="fills"
          style={{
            display: 'grid',
            gridTemplate: 'minmax(0, 1fr) / minmax(0, 1fr)',
            placeItems: 'center',
            height: 'min(54vh, 640px)',
          }}
        >
          <MediaPicture key={item.url} item={item} width={1024} plays />
        </div>
        <IconButton
          label="Next"
          icon={<ChevronRight size={20} aria-hidden="true" />}
          isDisabled={!after}
          onPress={() => after && onShow(after.url)}
        />
      </div>
      <dl className="row stretch gap-5 rows-2 small">
        <div>
          <dt>Status</dt>
          <dd className="medium">{item.current ? 'On the listing' : 'Removed'}</dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd className="medium">{momentText(item.firstSeenAt)}</dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd className="medium">{momentText(item.lastSeenAt)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd className="medium">
            {item.width !== null && item.height !== null ? `${item.width} × ${item.height}` : 'unknown'}
          </dd>
        </div>
        <div>
          <dt>Copy</dt>
          <dd className="medium">
            <KeptBadge kept={item.kept} />
          </dd>
        </div>
        <div>
          <dt>Position</dt>
          <dd aria-live="polite">
            {index + 1} of {items.length}
          </dd>
        </div>
        {source && (
          <div>
            <dt>Source</dt>
            <dd className="medium">
              <a href={source} target="_blank" rel="noreferrer noopener">
                Open original
              </a>
            </dd>
          </div>
        )}
      </dl>
    </Dialog>
  )
}
