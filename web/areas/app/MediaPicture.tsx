import { useState } from 'react'
import { Film, ImageOff } from '../../ui/icons.ts'
import { whyNotKept } from '../../ui/KeptBadge.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { keptCopyAddress, pictureAddress } from '../../ui/pictures.ts'
import styles from './app.module.css'
import type { MediaItem } from './choices.ts'
import { itemName } from './media-sets.ts'

/** A picture of a listing from our own origin, or what stands for it where there is none. */
export function MediaPicture({
  item,
  width,
  plays = false,
}: {
  item: MediaItem
  /** How wide it is shown, in pixels. */
  width: number
  /** Lets a preview be played. */
  plays?: boolean
}) {
  const [isMissing, setIsMissing] = useState(false)
  const kept = keptCopyAddress(item.kept)
  const ratio = {
    aspectRatio: `${item.width ?? (item.kind === 'icon' ? 1 : 9)} / ${item.height ?? (item.kind === 'icon' ? 1 : 16)}`,
  }
  if (item.kind === 'preview' || isFilm(item.url)) {
    if (kept && plays)
      return (
        // biome-ignore lint/a11y/useMediaCaption: previews of the App Store come without captions
        <video
          className={`${styles.picture} rounded sunken`}
          style={ratio}
          src={kept}
          controls
          preload="metadata"
        />
      )
    return (
      <span
        className={`${styles.standIn} stack center middle gap-2 pad-2 rounded sunken clipped fits quiet small`}
        style={ratio}
      >
        <Film size={20} aria-hidden="true" />
        {plays && <span>{item.kept.status === 'stored' ? 'Preview' : notPlayable(item)}</span>}
      </span>
    )
  }
  if (isMissing)
    return (
      <span
        className={`${styles.standIn} stack center middle gap-2 pad-2 rounded sunken clipped fits quiet small`}
        style={ratio}
      >
        <ImageOff size={20} aria-hidden="true" />
        {plays && <span>The image could not be loaded.</span>}
      </span>
    )
  return (
    <Picture
      className={`${styles.picture} rounded sunken`}
      style={item.kind === 'icon' ? { ...ratio, borderRadius: 'var(--radius-app)' } : ratio}
      src={kept ?? pictureAddress(item.url, width)}
      alt={itemName(item)}
      loading="lazy"
      decoding="async"
      onMissing={() => setIsMissing(true)}
    />
  )
}

/** Headers and media of search are pictures or videos. */
const isFilm = (url: string) => /\.(?:m3u8|mp4|m4v|mov)(?:\?|$)/i.test(url)

const notPlayable = ({ kept }: MediaItem): string =>
  `A video plays only where a copy is kept. ${kept.status === 'stored' ? '' : whyNotKept(kept)}`
