import { keptCopyAddress, pictureAddress } from '../../ui/pictures.ts'
import type { CreativeLink, Medium } from './shapes.ts'

/** The media that a card shows. */
export interface Lead {
  /** A kept video, which can be played. */
  video: string | undefined
  /** A still picture: a kept one, or one through the proxy of our own origin. */
  picture: string | undefined
}

/** The first video that is kept, and the first picture that can be shown. */
export function leadOf(media: readonly Medium[], width: number): Lead {
  const video = media.find((medium) => medium.kind === 'video' && medium.kept.status === 'stored')
  const pictures = media.filter(({ kind }) => kind !== 'video')
  const kept = pictures.find(({ kept: { status } }) => status === 'stored')
  return {
    video: video && keptCopyAddress(video.kept),
    picture: kept ? keptCopyAddress(kept.kept) : video ? undefined : proxied(pictures[0], width),
  }
}

/** Whether a card has a picture or a video to show, or its text as a poster. `broken` is a picture that could not be had. */
export function shownOf(media: readonly Medium[], broken?: string): 'picture' | 'text' {
  const { video, picture } = leadOf(media, 512)
  return video || (picture && picture !== broken) ? 'picture' : 'text'
}

/** A medium through the proxy of our own origin; undefined where its source is known to have lost it. */
export function proxied(medium: Medium | undefined, width: number): string | undefined {
  if (!medium?.sourceUrl || medium.kept.status === 'removed-upstream' || medium.kept.status === 'failed')
    return undefined
  return pictureAddress(medium.sourceUrl, width)
}

/** Width over height, 4:5 where the source states none. */
export function ratioOf(medium: Medium | undefined): number {
  const { width, height } = medium ?? {}
  return width?.state === 'measured' && height?.state === 'measured' && height.value > 0
    ? width.value / height.value
    : 0.8
}

/** Seconds of the first video whose length is known. */
export const durationOf = (media: readonly Medium[]): number | undefined =>
  media
    .map(({ durationSeconds }) => (durationSeconds.state === 'measured' ? durationSeconds.value : undefined))
    .find((seconds) => seconds !== undefined)

export const linkedNames = (links: readonly CreativeLink[]): string =>
  links.map(({ app }) => app.name ?? `App ${app.storeId}`).join(', ')
