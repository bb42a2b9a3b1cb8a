import { type RefObject, useEffect, useState } from 'react'
import { bytes, playTime } from '../../evidence/format.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ChevronLeft, ChevronRight } from '../../ui/icons.ts'
import { KeptBadge, keptMeaning } from '../../ui/KeptBadge.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { keptCopyAddress } from '../../ui/pictures.ts'
import styles from './ad.module.css'
import { proxied, ratioOf } from './lead-medium.ts'
import type { Transcript } from './reading.ts'
import type { MediaStatus, Medium } from './shapes.ts'
import { TextPoster } from './TextPoster.tsx'
import { OutLink } from './Texts.tsx'

type Segments = Extract<NonNullable<Transcript['result']>, { outcome: 'available' }>

/** The media of a creative, one at a time, videos with their transcript as captions. */
export function MediaStage({
  media,
  status,
  poster,
  player,
  heard,
}: {
  media: readonly Medium[]
  status: MediaStatus
  poster: { title: string | undefined; body: string | undefined; button: string | undefined; by: string }
  player?: RefObject<HTMLVideoElement | null>
  /** The transcript, for captions of the video that was heard. */
  heard?: Segments | undefined
}) {
  const [place, setPlace] = useState(0)
  // The still of a video is shown by the video itself.
  const shown = media.filter(
    ({ kind }, _, all) => kind !== 'thumbnail' || !all.some((one) => one.kind === 'video'),
  )
  const index = Math.min(place, Math.max(0, shown.length - 1))
  const medium = shown[index]
  const still = media.find(({ kind }) => kind === 'thumbnail')
  return (
    <figure className="stack gap-2">
      <div
        className={`${styles.frame} box sunken full anchor`}
        style={{ aspectRatio: Math.min(1.9, Math.max(0.5625, ratioOf(medium))) }}
      >
        {medium ? (
          <Shown
            key={medium.mediaId}
            medium={medium}
            still={still}
            poster={poster}
            player={player}
            heard={heard?.mediaId === medium.mediaId ? heard : undefined}
          />
        ) : (
          <TextPoster {...poster} />
        )}
      </div>
      <figcaption className="quiet small">
        {shown.length > 1 && (
          <div className="row">
            <IconButton
              label="Previous"
              isDisabled={index === 0}
              icon={<ChevronLeft size={18} aria-hidden="true" />}
              onPress={() => setPlace(index - 1)}
            />
            <span aria-live="polite">
              {shown.every(({ kind }) => kind === 'video') ? 'Video' : 'Image'} {index + 1} of {shown.length}
            </span>
            <IconButton
              label="Next"
              isDisabled={index === shown.length - 1}
              icon={<ChevronRight size={18} aria-hidden="true" />}
              onPress={() => setPlace(index + 1)}
            />
          </div>
        )}
        <span className="row">
          <KeptBadge kept={medium ? { status: medium.kept.status, reason: reasonOf(medium) } : status} />
          {medium && <span>{sizeOf(medium)}</span>}
        </span>
        {medium && medium.kept.status !== 'stored' && (
          <p>
            {reasonOf(medium) ?? keptMeaning[medium.kept.status]}{' '}
            {medium.sourceUrl && <OutLink url={medium.sourceUrl}>Open original</OutLink>}
          </p>
        )}
      </figcaption>
    </figure>
  )
}

function Shown({
  medium,
  still,
  poster,
  player,
  heard,
}: {
  medium: Medium
  still: Medium | undefined
  poster: Parameters<typeof TextPoster>[0]
  player: RefObject<HTMLVideoElement | null> | undefined
  heard: Segments | undefined
}) {
  const [broken, setBroken] = useState(false)
  useCaptions(player, heard)
  const address = keptCopyAddress(medium.kept)
  if (medium.kind === 'video' && address) {
    const picture = still && (keptCopyAddress(still.kept) ?? proxied(still, 1024))
    return (
      // biome-ignore lint/a11y/useMediaCaption: its captions are added from the transcript once there is one
      <video
        ref={player}
        src={address}
        poster={picture}
        controls
        playsInline
        preload="metadata"
        aria-label="Video of the creative"
      />
    )
  }
  const picture = medium.kind === 'video' ? proxied(still, 1024) : (address ?? proxied(medium, 1024))
  if (picture && !broken)
    return (
      <Picture
        src={picture}
        alt={`Card ${medium.position} of the creative`}
        onMissing={() => setBroken(true)}
      />
    )
  return <TextPoster {...poster} />
}

/** The transcript as captions, which the player offers in its menu. */
function useCaptions(
  player: RefObject<HTMLVideoElement | null> | undefined,
  heard: Segments | undefined,
): void {
  useEffect(() => {
    const video = player?.current
    if (!video || !heard) return
    const track = video.addTextTrack('captions', 'Transcript', heard.language ?? '')
    track.mode = 'hidden'
    const cues = heard.segments.map(
      ({ startSeconds, endSeconds, text }) =>
        new VTTCue(startSeconds, Math.max(endSeconds, startSeconds), text),
    )
    for (const cue of cues) track.addCue(cue)
    return () => {
      for (const cue of cues) track.removeCue(cue)
      track.mode = 'disabled'
    }
  }, [player, heard])
}

const reasonOf = ({ kept }: Medium): string | null => (kept.status === 'stored' ? null : kept.reason)

/** `Video, 1080 × 1920, 0:34, 3.2 MB`, of what is known. */
function sizeOf({ kind, width, height, durationSeconds, kept }: Medium): string {
  return [
    kind === 'video' ? 'Video' : kind === 'thumbnail' ? 'Thumbnail' : 'Image',
    width.state === 'measured' && height.state === 'measured' ? `${width.value} × ${height.value}` : undefined,
    durationSeconds.state === 'measured' ? playTime(durationSeconds.value) : undefined,
    kept.status === 'stored' ? bytes(kept.sizeBytes) : undefined,
  ]
    .filter(Boolean)
    .join(', ')
}
