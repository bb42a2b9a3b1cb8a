import type { Network } from '../src/vocabulary/networks.ts'
import { type Dice, dice } from './dice.ts'
import { sampleHost } from './document.ts'

/** The networks of the demo. */
export type SampleNetwork = Extract<Network, 'tiktok' | 'instagram' | 'youtube' | 'reddit' | 'x'>

export type PostMedia = {
  readonly kind: 'image' | 'video'
  readonly url: string
  readonly durationSeconds?: number
  readonly width: number
  readonly height: number
}

export type PostMetrics = {
  readonly views?: number
  readonly likes?: number
  readonly comments?: number
  readonly shares?: number
}

/** An id in the network's format. Those of TikTok and X exceed the range of a JavaScript number. */
export function nativeId(network: SampleNetwork, fortune: Dice): string {
  const letters = (alphabet: string, length: number) =>
    Array.from({ length }, () => fortune.pick([...alphabet])).join('')
  const digits = '0123456789'
  const base36 = `${digits}abcdefghijklmnopqrstuvwxyz`
  switch (network) {
    case 'tiktok':
      return `7${letters(digits, 18)}`
    case 'x':
      return `19${letters(digits, 17)}`
    case 'reddit':
      return `1${letters(base36, 6)}`
    case 'instagram':
    case 'youtube':
      return letters(`${base36}ABCDEFGHIJKLMNOPQRSTUVWXYZ`, 11)
  }
}

export function mediaOf(network: SampleNetwork, id: string, fortune: Dice): PostMedia[] {
  const address = `${sampleHost}/media/${network}/${id}`
  const video = (width: number, height: number, shortest: number, longest: number): PostMedia => ({
    kind: 'video',
    url: `${address}.mp4`,
    durationSeconds: fortune.between(shortest, longest),
    width,
    height,
  })
  const images = (howMany: number): PostMedia[] =>
    Array.from({ length: howMany }, (_, at) => ({
      kind: 'image',
      url: `${address}-${at + 1}.jpg`,
      width: 1080,
      height: 1350,
    }))
  switch (network) {
    case 'tiktok':
      return fortune.chance(0.92) ? [video(1080, 1920, 9, 90)] : images(fortune.between(3, 8))
    case 'youtube':
      return fortune.chance(0.4) ? [video(1080, 1920, 15, 60)] : [video(1920, 1080, 180, 1400)]
    case 'instagram':
      return fortune.chance(0.55) ? [video(1080, 1920, 8, 75)] : images(fortune.between(1, 6))
    case 'reddit':
      return fortune.chance(0.3) ? images(1) : []
    case 'x':
      return fortune.chance(0.35) ? images(fortune.between(1, 4)) : []
  }
}

/** The metrics that each network shows. Reddit shows neither views nor shares; Instagram shows views of videos only. */
const shown: Readonly<Record<SampleNetwork, readonly (keyof PostMetrics)[]>> = {
  tiktok: ['views', 'likes', 'comments', 'shares'],
  instagram: ['views', 'likes', 'comments'],
  youtube: ['views', 'likes', 'comments'],
  reddit: ['likes', 'comments'],
  x: ['views', 'likes', 'comments', 'shares'],
}

/** Metrics grow with the views and never fall: the rates of likes, comments and shares are fixed for each post. */
export function metricsOf(
  network: SampleNetwork,
  media: readonly PostMedia[],
  views: number,
  hidesLikes: boolean,
  postId: string,
): PostMetrics {
  const fortune = dice('engagement', postId)
  const all = {
    views,
    likes: Math.floor(views * (0.02 + 0.1 * fortune.roll())),
    comments: Math.floor(views * (0.001 + 0.008 * fortune.roll())),
    shares: Math.floor(views * (0.001 + 0.012 * fortune.roll())),
  }
  const isVideo = media.some(({ kind }) => kind === 'video')
  const hidden = (metric: keyof PostMetrics) =>
    (metric === 'likes' && hidesLikes) || (metric === 'views' && network === 'instagram' && !isVideo)
  return Object.fromEntries(
    shown[network].filter((metric) => !hidden(metric)).map((metric) => [metric, all[metric]]),
  )
}
