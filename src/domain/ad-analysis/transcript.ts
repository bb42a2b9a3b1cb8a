/** The tool that made a transcript or an analysis. */
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

/** Why no transcript can be made; as in the contract's TranscriptUnavailable. */
export type NoTranscript =
  | 'no-video'
  | 'no-sound'
  | 'media-not-kept'
  | 'media-removed-upstream'
  | 'media-failed'
  | 'not-configured'
  | 'decoder-missing'

/** The outcome of a transcription: the content of `ad_transcripts.result`. */
export type Transcript =
  | {
      outcome: 'available'
      provider: Provider
      /** The transcribed video. */
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
