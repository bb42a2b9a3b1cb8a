import type * as vocabulary from '../../vocabulary/facts.ts'
import type { NamedReading } from '../evidence/reading.ts'

/** The reason why a value is unknown. */
type Unknown =
  | 'never-collected'
  | 'not-carried'
  | 'outside-valid-range'
  | 'too-little-evidence'
  | 'language-not-validated'
  | 'not-configured'
  | 'source-failed'

export type NotMeasured = vocabulary.NotMeasured<Unknown>

export type Fact<V> = vocabulary.Fact<V, Unknown>

/** Measurements of the media and the text of an ad; units and orders as in the contract's AnalysisFacts. */
export interface AnalysisFacts {
  format: Fact<string>
  durationSeconds: Fact<number>
  width: Fact<number>
  height: Fact<number>
  aspectRatio: Fact<string>
  colours: Fact<string[]>
  sceneCount: Fact<number>
  textWords: Fact<number>
  spokenWords: Fact<number>
  readingGrade: Fact<number>
  language: Fact<string>
  questionCount: Fact<number>
  emoji: Fact<string[]>
}

export type TextPart = 'title' | 'body' | 'description' | 'call-to-action' | 'transcript'

/** Words verified to be in the ad. */
export interface Quote {
  text: string
  foundIn: TextPart
  /** When it is spoken; null outside the transcript. */
  startSeconds: number | null
}

export interface ReadStatement {
  statement: string
  /** The kinds from the tables of phrases, as listed in the contract; left out where there is none. */
  kinds?: string[]
  /** In the order of the ad, at least one. */
  quotes: Quote[]
}

export type Statement = ({ state: 'read' } & ReadStatement) | { state: 'absent' } | NotMeasured

export type Statements = { state: 'read'; items: ReadStatement[] } | { state: 'absent' } | NotMeasured

/** The statements in an ad. */
export interface AnalysisReading {
  hook: Statement
  angle: Statement
  offer: Statement
  callToAction: Statement
  urgency: Statement
  audience: Statement
  claims: Statements
}

/** A source of an analysis; facts refer to its index in the list. */
export interface AnalysisBasis extends NamedReading {
  of: 'analysis' | 'transcript' | 'ad'
  /** RFC 3339. */
  observedAt: string
}

/** A finished analysis: what `ad_analyses.result` holds. */
export interface Analysis {
  factsBy: Provider
  facts: AnalysisFacts
  readingBy: Provider
  reading: AnalysisReading
  /** Newest first, including the analysis itself. */
  evidence: AnalysisBasis[]
}

/** The tool that made a transcript or an analysis. */
export interface Provider {
  /** `local`, `source-captions`, or the name the operator gave an endpoint. */
  name: string
  /** Version of the analyser or name of the model. */
  version: string
}

/** The analyser without network. Any change of its measurements or readings raises the version. */
export const localAnalyser: Provider = { name: 'local', version: '3' }

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
