import { useEffect, useRef } from 'react'
import { playTime } from '../../evidence/format.ts'
import { Images, Play } from '../../ui/icons.ts'
import { KeptBadge } from '../../ui/KeptBadge.tsx'
import { Picture } from '../../ui/Picture.tsx'
import styles from './creatives.module.css'
import { durationOf, leadOf } from './lead-medium.ts'
import type { MediaStatus, Medium } from './shapes.ts'
import { TextPoster } from './TextPoster.tsx'

const stillness = matchMedia('(prefers-reduced-motion: reduce)')

/**
 * The picture of a card. While `playing`, the kept video plays without sound, or the pictures of a carousel follow each
 * other; who prefers no motion sees the first of them.
 */
export function CardMedia({
  media,
  status,
  playing,
  shown,
  onBroken,
  poster,
}: {
  media: readonly Medium[]
  status: MediaStatus
  playing: boolean
  shown: 'picture' | 'text'
  /** Called with the picture that cannot be had. */
  onBroken: (picture: string) => void
  poster: { title: string | undefined; body: string | undefined; button: string | undefined; by: string }
}) {
  const { video, picture } = leadOf(media, 512)
  const player = useRef<HTMLVideoElement>(null)
  const plays = playing && !stillness.matches
  useEffect(() => {
    const element = player.current
    if (!element) return
    // A card that the pointer has left before the video began refuses to play, which is as it should be.
    if (plays) element.play().catch(() => undefined)
    else {
      element.pause()
      element.currentTime = 0
    }
  }, [plays])
  const pictures = media.filter(({ kind }) => kind === 'image').length
  const seconds = durationOf(media)
  const hasVideo = media.some(({ kind }) => kind === 'video')
  return (
    <div className={`${styles.media} sunken anchor`}>
      {video && (
        <video
          ref={player}
          src={`${video}#t=0.1`}
          poster={picture}
          muted
          loop
          playsInline
          preload={picture ? 'none' : 'metadata'}
          tabIndex={-1}
          aria-hidden="true"
        />
      )}
      {shown === 'picture' && !video && picture && (
        <Picture src={picture} alt="" loading="lazy" decoding="async" onMissing={() => onBroken(picture)} />
      )}
      {shown === 'text' && <TextPoster {...poster} />}
      <span className={`${styles.mediaFoot} row nowrap between`}>
        <KeptBadge kept={status} />
        {hasVideo && (
          <span className="pill quiet">
            <Play size={11} aria-hidden="true" />
            <span className="hidden">Video</span>
            {seconds === undefined ? '' : playTime(seconds)}
          </span>
        )}
        {!hasVideo && pictures > 1 && (
          <span className="pill quiet">
            <Images size={11} aria-hidden="true" />
            {pictures} <span className="hidden">images</span>
          </span>
        )}
      </span>
    </div>
  )
}
