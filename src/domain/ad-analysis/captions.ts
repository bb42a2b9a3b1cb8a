import type { AdMedium } from './ad-to-analyse.ts'
import type { Segment, Transcript } from './transcript.ts'

/** Version of the conversion from a source's captions. */
const version = '1'

const languageTag = /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** The transcript from the captions of the first video that has any; undefined when none has. */
export function captionTranscript(media: readonly AdMedium[]): Transcript | undefined {
  for (const { kind, mediaId, captions } of media) {
    if (kind !== 'video' || !captions) continue
    const segments = captions.segments
      .map(
        ({ startSeconds, endSeconds, text }): Segment => ({
          startSeconds: Math.max(0, startSeconds),
          endSeconds: Math.max(0, startSeconds, endSeconds),
          text: text.replaceAll(/\s+/g, ' ').trim(),
          confidence: null,
        }),
      )
      .filter(({ text }) => text !== '')
      .sort((one, other) => one.startSeconds - other.startSeconds)
    if (segments.length === 0) continue
    const { language } = captions
    return {
      outcome: 'available',
      provider: { name: 'source-captions', version },
      mediaId,
      language: language !== null && languageTag.test(language) ? language : null,
      text: joined(segments),
      segments,
    }
  }
  return undefined
}

/** The text of all segments. */
export const joined = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')
