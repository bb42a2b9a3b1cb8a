import type { PaidAd } from '../../evidence/shapes.ts'
import { valuesInOrder } from '../../evidence/words.ts'
import type { Transcript } from './reading.ts'

type Unavailable = Extract<NonNullable<Transcript['result']>, { outcome: 'unavailable' }>
type Attribution = PaidAd['links'][number]['grounds'][number]

export const attributionInWords: Record<Attribution['kind'], string> = {
  manual: 'Linked by hand',
  'advertiser-link': 'Its advertiser was linked by hand',
  'declared-handle': 'Account declared to be the app’s',
  'named-app': 'Named by the ad library',
  'landing-url': 'Leads to its App Store page',
  'store-url': 'Names its App Store address',
  'known-handle': 'Account known to be the app’s',
}

/** `Install now` of `install-now`. */
export function callToActionText(code: string): string {
  const words = code.replaceAll('-', ' ')
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

/** Why no transcript can be made. */
export const unavailableInWords: Record<Unavailable['reason'], string> = {
  'no-video': 'The ad has no video.',
  'no-sound': 'Its video has no sound track.',
  'media-not-kept': 'No copy of the video is held, and none can be made.',
  'media-removed-upstream': 'The video was gone at the source before it was copied.',
  'media-failed': 'The video was to be copied, and the source failed again and again.',
  'not-configured': 'No speech to text is configured on this installation.',
  'decoder-missing': 'This installation lacks ffmpeg.',
}

/** Who made a transcript or an analysis: `gpt-5 2026-01-01`; what this installation does itself has no name of its own. */
export const providerInWords = ({ name, version }: { name: string; version: string }): string =>
  name === 'local'
    ? `built-in rules, version ${version}`
    : name === 'source-captions'
      ? 'captions of the source'
      : `${name} ${version}`

export const metricInWords = {
  views: 'Views',
  likes: 'Likes',
  comments: 'Comments',
  shares: 'Shares',
  saves: 'Saves',
} as const
export const metricNames = valuesInOrder(metricInWords)
