import { z } from 'zod'
import { LanguageTagFact } from './creatives.ts'
import { EvidenceList } from './evidence.ts'
import { CountFact, NotMeasured, NumberFact, TextFact, TextListFact } from './facts.ts'
import { Language, NamedUuid, Timestamp } from './primitives.ts'
import { WorkStatus } from './work.ts'

/** The content of an ad, on request: its transcript and its analysis. */

const Provider = z
  .object({
    name: z.string().describe('`local`, `source-captions`, or the name the operator gave the endpoint.'),
    version: z.string().describe('Version of the analyser or name of the model.'),
  })
  .meta({ id: 'Provider', description: 'What made a transcript or an analysis.' })

const TranscriptSegment = z
  .object({
    startSeconds: z.number().min(0),
    endSeconds: z.number().min(0),
    text: z.string(),
    confidence: z.number().min(0).max(1).nullable().describe("The provider's own; null when it gives none."),
  })
  .meta({ id: 'TranscriptSegment', description: 'A stretch of speech, timed from the start of the video.' })

const spoken = {
  provider: Provider,
  mediaId: NamedUuid.describe('The video that was heard.'),
  madeAt: Timestamp,
}

const TranscriptResult = z
  .discriminatedUnion('outcome', [
    z
      .object({
        outcome: z.literal('available'),
        ...spoken,
        language: Language.nullable().describe(
          'Language spoken, never translated; null when the provider does not say.',
        ),
        text: z.string().describe('All segments joined by spaces.'),
        segments: z.array(TranscriptSegment).min(1).describe('In the order spoken.'),
      })
      .meta({ id: 'TranscriptAvailable', description: 'Speech was found and written down.' }),
    z
      .object({ outcome: z.literal('no-speech'), ...spoken })
      .meta({ id: 'TranscriptNoSpeech', description: 'The video was heard and nobody speaks.' }),
    z
      .object({
        outcome: z.literal('unavailable'),
        reason: z
          .enum([
            'no-video',
            'no-sound',
            'media-not-kept',
            'media-removed-upstream',
            'media-failed',
            'not-configured',
            'decoder-missing',
          ])
          .describe(
            '`no-video`: the ad has none. `no-sound`: its video has no sound track. `media-not-kept`: no copy is held and none can be made. `media-removed-upstream`: gone before it was copied. `media-failed`: it was to be copied, and the source failed again and again. `not-configured`: no speech to text is configured. `decoder-missing`: the installation lacks ffmpeg.',
          ),
        madeAt: Timestamp,
      })
      .meta({
        id: 'TranscriptUnavailable',
        description: 'No transcript can be made, and why. This is an end, not an error.',
      }),
  ])
  .meta({ id: 'TranscriptResult', description: 'How the making of a transcript ended.' })

export const AdTranscript = z
  .object({
    ...WorkStatus.shape,
    languageHint: Language.nullable().describe('Language the caller named; null when none was.'),
    result: TranscriptResult.nullable().describe(
      'Null until the first work ends. While a forced repetition is under way, the earlier result.',
    ),
  })
  .meta({ id: 'AdTranscript', description: 'The transcript of an ad and the state of its making.' })

const AnalysisFacts = z
  .object({
    format: TextFact.describe('`video`, `image`, `carousel`, `dynamic` or `text`, from the media themselves.'),
    durationSeconds: NumberFact,
    width: CountFact.describe('Pixels.'),
    height: CountFact.describe('Pixels.'),
    aspectRatio: TextFact.describe('Nearest usual ratio of width to height, such as `9:16`.'),
    colours: TextListFact.describe('Main colours as `#rrggbb`, largest area first, at most 6.'),
    sceneCount: CountFact.describe('Scenes of the video, told apart by their cuts.'),
    textWords: CountFact.describe('Words of title, body and description.'),
    spokenWords: CountFact.describe('Words of the transcript.'),
    readingGrade: NumberFact.describe('School years needed to read the text; measured for English only.'),
    language: LanguageTagFact.describe('Language of the text.'),
    questionCount: CountFact.describe('Questions in the text.'),
    emoji: TextListFact.describe('Emoji in the text, most frequent first.'),
  })
  .meta({
    id: 'AnalysisFacts',
    description: "What was measured in the ad's media and text; facts point into the analysis' evidence.",
  })

const AnalysisQuote = z
  .object({
    text: z.string().describe('Word for word as it stands in the ad.'),
    foundIn: z.enum(['title', 'body', 'description', 'call-to-action', 'transcript']),
    startSeconds: z.number().min(0).nullable().describe('When it is spoken; null outside the transcript.'),
  })
  .meta({
    id: 'AnalysisQuote',
    description: 'Words of the ad that a statement rests on. They were checked to be in it.',
  })

const readStatement = {
  statement: z.string(),
  quotes: z.array(AnalysisQuote).min(1).describe('In the order of the ad.'),
}

/** The kinds of statements in the phrase tables of the local analyser; a language model uses its own words. */
const StatementKinds = z
  .array(z.string())
  .min(1)
  .optional()
  .describe(
    'Of the local reading, for counting and comparing; left out by a language model and where the tables have no word for it. Hook: `question`, `offer`, `urgency`, `claim`, `request`, `statement`. Offer: `trial`, `discount`, `price`, `money-back` (also at no risk), `delivery`, `free`. Call to action: `install`, `download`, `try`, `start`, `play`, `sign-up`, `subscribe`, `buy`, `claim`, `learn`, `watch`, `book`, `contact`, `follow`, `comment`, `share`, `tap`. Urgency: `today`, `deadline`, `limited-time`, `last-chance`, `few-left`, `hurry`.',
  )

const AdStatement = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('read'), ...readStatement, kinds: StatementKinds })
      .meta({ id: 'StatementRead', description: 'Read in the ad.' }),
    z
      .object({ state: z.literal('absent') })
      .meta({ id: 'StatementAbsent', description: 'Looked for; the ad says nothing of the kind.' }),
    NotMeasured,
  ])
  .meta({ id: 'AdStatement', description: 'A statement about the ad with its quotes, or why there is none.' })

const AdStatements = z
  .discriminatedUnion('state', [
    z
      .object({ state: z.literal('read'), items: z.array(z.object(readStatement)).min(1) })
      .meta({ id: 'StatementsRead', description: 'Read in the ad, in its order.' }),
    z
      .object({ state: z.literal('absent') })
      .meta({ id: 'StatementsAbsent', description: 'Looked for; the ad makes none.' }),
    NotMeasured,
  ])
  .meta({
    id: 'AdStatements',
    description: 'Statements about the ad with their quotes, or why there are none.',
  })

const AnalysisReading = z
  .object({
    hook: AdStatement.describe('What opens the ad to hold attention.'),
    angle: AdStatement.describe('The argument it makes.'),
    offer: AdStatement.describe('Price, discount, trial, gift, money back or delivery at no charge.'),
    callToAction: AdStatement.describe('What it asks the viewer to do.'),
    urgency: AdStatement.describe('Why to act now.'),
    audience: AdStatement.describe('Whom it addresses.'),
    claims: AdStatements.describe('What it promises or asserts about the app.'),
  })
  .meta({ id: 'AnalysisReading', description: 'What the ad says, each statement with the words it rests on.' })

/** @param value what was read */
const readWords = <Value extends z.ZodType>(id: string, value: Value) =>
  z.discriminatedUnion('state', [
    z.object({ state: z.literal('read'), value }).meta({ id: `${id}Read`, description: 'Read in the ad.' }),
    z
      .object({ state: z.literal('absent') })
      .meta({ id: `${id}Absent`, description: 'Looked for; the ad has none.' }),
    NotMeasured,
  ])

/** What lists show of the reading of an ad. */
export const AdReading = z
  .object({
    hook: readWords('AdHook', z.string()).describe('The words that open it, as they stand in the ad.'),
    promises: readWords('AdPromises', z.array(z.string()).min(1)).describe(
      'Words in which it promises or asserts something about the app, then those of its offer, as they stand in the ad, at most 5.',
    ),
    readBy: Provider.describe('`local`: tables of phrases.'),
    analysedAt: Timestamp.nullable().describe(
      'When the analysis was made. Null where there is none: then the texts of the first current creatives were read for this reply, without a transcript.',
    ),
  })
  .meta({ id: 'AdReading', description: 'Hook and promises of an ad, in its own words.' })

const AnalysisResult = z
  .object({
    madeAt: Timestamp,
    factsBy: Provider,
    facts: AnalysisFacts,
    readingBy: Provider.describe('`local` unless a language model is configured and answered.'),
    reading: AnalysisReading,
    evidence: EvidenceList.describe('What was analysed and the analysis itself, newest first.'),
  })
  .meta({ id: 'AnalysisResult', description: 'A finished analysis.' })

export const AdAnalysis = z
  .object({
    ...WorkStatus.shape,
    result: AnalysisResult.nullable().describe(
      'Null until the first work ends. While a forced repetition is under way, the earlier result.',
    ),
  })
  .meta({ id: 'AdAnalysis', description: 'The analysis of an ad and the state of its making.' })
