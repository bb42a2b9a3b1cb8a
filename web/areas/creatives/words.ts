import type { PaidAd } from '../../evidence/shapes.ts'
import { valuesInOrder } from '../../evidence/words.ts'
import type { Transcript } from './reading.ts'

type Unavailable = Extract<NonNullable<Transcript['result']>, { outcome: 'unavailable' }>
type Attribution = PaidAd['links'][number]['grounds'][number]

export const attributionInWords: Record<Attribution['kind'], string> = {
  manual: 'Linked manually',
  'advertiser-link': 'Advertiser linked manually',
  'declared-handle': 'Declared as the app’s account',
  'named-app': 'Named by the ad library',
  'landing-url': 'Landing page in the App Store',
  'store-url': 'Mentions its App Store link',
  'known-handle': 'The app’s known account',
}

/** Whether an ad is being delivered, in the words of the ad libraries. */
export const activeText = (active: boolean): string => (active ? 'Active' : 'Inactive')

/** `Install now` of `install-now`. */
export function callToActionText(code: string): string {
  const words = code.replaceAll('-', ' ')
  return words.charAt(0).toLocaleUpperCase() + words.slice(1)
}

/** Why no transcript can be made. */
export const unavailableInWords: Record<Unavailable['reason'], string> = {
  'no-video': 'The ad has no video.',
  'no-sound': 'The video has no audio.',
  'media-not-kept': 'The video is not stored here and cannot be downloaded.',
  'media-removed-upstream': 'The source removed the video before it was downloaded.',
  'media-failed': 'The video could not be downloaded after several attempts.',
  'not-configured': 'Speech-to-text is not set up on this installation.',
  'decoder-missing': 'ffmpeg is not installed on the server.',
}

/** Who made a transcript or an analysis: `gpt-5 2026-01-01`; what this installation does itself has no name of its own. */
export const providerInWords = ({ name, version }: { name: string; version: string }): string =>
  name === 'local'
    ? `built-in rules, version ${version}`
    : name === 'source-captions'
      ? 'source captions'
      : `${name} ${version}`

export const metricInWords = {
  views: 'Views',
  likes: 'Likes',
  comments: 'Comments',
  shares: 'Shares',
  saves: 'Saves',
} as const
export const metricNames = valuesInOrder(metricInWords)
