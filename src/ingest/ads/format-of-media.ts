import type { AdFormat, SeenCreative } from '../../domain/paid-ads/ad.ts'
import { type Unreadable, unreadable } from '../unreadable.ts'

/** The format of an ad, from the media it shows; undefined where its source does not show them, or only stills. */
export function formatOfMedia(creatives: readonly SeenCreative[]): AdFormat | Unreadable | undefined {
  if (creatives.some((creative) => creative.unreadable?.includes('media'))) return unreadable
  const shown = creatives.flatMap(({ media }) => (media ? [media] : []))
  if (shown.length === 0) return undefined
  if (shown.flat().some(({ kind }) => kind === 'video')) return 'video'
  if (shown.every((media) => media.length > 0 && media.every(({ kind }) => kind === 'thumbnail')))
    return undefined
  const pictures = Math.max(...shown.map((media) => media.filter(({ kind }) => kind === 'image').length))
  return pictures > 1 ? 'carousel' : pictures === 1 ? 'image' : 'text'
}
