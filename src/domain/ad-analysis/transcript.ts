/** What made a transcript or an analysis. */
export interface Provider {
  /** `local`, `source-captions`, or the name the operator gave an endpoint. */
  name: string
  /** Version of the analyser or name of the model. */
  version: string
}

/** A span of speech, timed from the start of the video. */
export interface Segment {
  startSeconds: number
  endSeconds: number
  text: string
  /** The provider's own, 0 to 1; null when it gives none. */
  confidence: number | null
}

/** Why no transcript can be made; as the contract's TranscriptUnavailable says. */
export type NoTranscript =
  | 'no-video'
  | 'no-sound'
  | 'media-not-kept'
  | 'media-removed-upstream'
  | 'media-failed'
  | 'not-configured'
  | 'decoder-missing'

/** How the making of a transcript ended: what `ad_transcripts.result` holds. */
export type Transcript =
  | {
      outcome: 'available'
      provider: Provider
      /** The video that was heard. */
      mediaId: string
      /** BCP 47; null when the provider does not say. */
      language: string | null
      /** All segments joined by spaces. */
      text: string
      /** In the order spoken, at least one. */
      segments: Segment[]
    }
  | { outcome: 'no-speech'; provider: Provider; mediaId: string }
  | { outcome: 'unavailable'; reason: NoTranscript }
