import { type AdField, adFieldRow, adFieldsOf, adLabel, adReplyName } from '../../../vocabulary/ad-fields.ts'
import { placementLabel } from '../../../vocabulary/ad-platforms.ts'
import type { Block, Cell } from '../blocks.ts'
import { cellOf, notMeasured } from '../cells.ts'
import { number } from '../numbers.ts'
import { linkBlocks, mediaBlocks, playbackTime, savedBlocks, savedMarkPairs } from './creative-parts.ts'
import {
  coverageLines,
  factPairs,
  optionalSection,
  pairBlocks,
  quietBlock,
  section,
  table,
  textBlock,
  textCell,
  title,
  workLines,
} from './parts.ts'
import type { ReplyOf, ViewOf } from './view.ts'

type Ad = ReplyOf<'search_paid_ads'>['items'][number]
type AdDetail = ReplyOf<'get_paid_ad'>
type Transcript = NonNullable<AdDetail['transcript']>
type Analysis = NonNullable<AdDetail['analysis']>

export const paidAdViews = {
  get_paid_ad: {
    head: (ad) => [
      ...adBlocks(ad),
      ...(ad.transcript
        ? optionalSection('Transcript', '', transcriptBlocks(ad.transcript))
        : [quietBlock('no transcript asked for: generate-paid-ad-transcript')]),
      ...(ad.analysis
        ? optionalSection('Analysis', '', analysisBlocks(ad.analysis))
        : [quietBlock('no analysis asked for: analyze-paid-ad-creative')]),
      ...coverageLines(ad.coverage),
    ],
  } satisfies ViewOf<'get_paid_ad'>,

  save_paid_ad: {
    head: (saved) => [
      title('Saved', `${saved.ad.platform}, ${saved.ad.archiveId}`),
      ...savedMarkPairs(saved),
      ...adBlocks(saved.ad),
    ],
  } satisfies ViewOf<'save_paid_ad'>,

  generate_paid_ad_transcript: {
    head: (transcript) => [title('Transcript'), ...transcriptBlocks(transcript)],
  } satisfies ViewOf<'generate_paid_ad_transcript'>,

  analyze_paid_ad_creative: {
    head: (analysis) => [title('Analysis'), ...analysisBlocks(analysis)],
  } satisfies ViewOf<'analyze_paid_ad_creative'>,
}

function adBlocks(ad: Ad): Block[] {
  const { advertiser } = ad
  return [
    title(
      advertiser.name.state === 'measured' ? advertiser.name.value : 'Ad',
      `${ad.platform}, ${ad.archiveId}`,
    ),
    ...factPairs([
      ['runs', [cellOf(ad.active), textCell(delivered(ad), 'quiet')]],
      ['days', ad.daysRunning],
      ['format', [cellOf(ad.format), cellOf(ad.language)]],
      ...otherFacts(ad, [...adFieldsOf.content, ...adFieldsOf.audience, ...adFieldsOf.delivery]),
      ...otherFacts(advertiser, adFieldsOf.advertiser),
      ['advertiser id', advertiser.advertiserId],
      ['library', ad.libraryUrl],
    ]),
    ...countryBlocks(ad),
    ...ad.creatives
      .slice(0, creativesShown)
      .flatMap((creative) => creativeBlocks(creative, ad.creatives.length)),
    ...(ad.creatives.length > creativesShown
      ? [quietBlock(`${ad.creatives.length - creativesShown} more creatives with --json`)]
      : []),
    ...linkBlocks(ad.links),
    ...optionalSection(
      'Observed',
      ad.observationCount === 1 ? 'once' : `${number(ad.observationCount)} times`,
      observations(ad),
    ),
    ...savedBlocks(ad.saved),
  ]
}

/** Fields that stand in the title, beside others, or in no line. */
const apart: readonly AdField[] = [
  'advertiserName',
  'advertiserUrl',
  'format',
  'language',
  'active',
  'startedOn',
  'endedOn',
  'byCountry',
]

/** The other fields, each in a line of its own. */
const otherFacts = (facts: object, fields: readonly AdField[]) =>
  fields
    .filter((field) => !apart.includes(field))
    .flatMap((field) => {
      const fact = (facts as Record<string, Ad['reachText']>)[adReplyName(field)] ?? null
      // Most libraries have no such thing.
      if (adFieldRow(field).rare && fact?.state === 'not-measured' && fact.reason === 'not-carried') return []
      return [[adFieldRow(field).terminalLabel ?? adLabel(field).toLowerCase(), fact] as const]
    })

/** Ads combined from many variants repeat the same texts. */
const creativesShown = 5

function delivered({ deliveryStartedOn, deliveryEndedOn }: Ad): string {
  const from = deliveryStartedOn.state === 'measured' ? `since ${deliveryStartedOn.value}` : ''
  return deliveryEndedOn.state === 'measured' ? `${from} to ${deliveryEndedOn.value}` : from
}

function creativeBlocks(creative: Ad['creatives'][number], all: number): Block[] {
  const gone = creative.current ? '' : `until ${creative.lastObservedAt.slice(0, 10)}`
  return [
    section(all > 1 ? `Creative ${creative.position}` : 'Creative', gone),
    ...(creative.title.state === 'measured' ? [textBlock(creative.title.value, 'strong')] : []),
    ...(creative.body.state === 'measured'
      ? [textBlock(creative.body.value)]
      : pairBlocks([['text', creative.body]])),
    ...(creative.description.state === 'measured' ? [textBlock(creative.description.value)] : []),
    ...pairBlocks([
      [
        'button',
        creative.callToActionText.state === 'measured' ? creative.callToActionText : creative.callToAction,
      ],
      ...(['locale', 'layout', 'layoutVariant', 'productPageId'] as const).flatMap((field) =>
        creative[field].state === 'not-measured'
          ? []
          : [[adLabel(field).toLowerCase(), creative[field]] as const],
      ),
      ['leads to', creative.linkUrl.state === 'measured' ? creative.linkUrl : creative.displayLink],
    ]),
    ...mediaBlocks(creative),
  ]
}

/** First and last day in each country. */
function countryBlocks({ byCountry }: Ad): Block[] {
  if (byCountry.state !== 'measured') return []
  return optionalSection(
    'By country',
    '',
    table(byCountry.value, [
      { title: 'country', cell: ({ country }) => country },
      {
        title: 'first shown',
        cell: ({ firstShownOn, firstShownBy }) => firstShownOn ?? (firstShownBy && `by ${firstShownBy}`),
      },
      { title: 'last shown', cell: ({ lastShownOn }) => lastShownOn },
      { title: 'known until', cell: ({ knownUntil }) => knownUntil },
      { title: 'placement', cell: ({ placements }) => textCell(placements.map(placementLabel).join(', ')) },
    ]),
  )
}

function observations(ad: Ad): Block[] {
  return table(ad.observations.slice(0, 10), [
    { title: 'observed', cell: ({ observedAt }) => observedAt },
    { title: 'runs', cell: ({ active }) => active },
    { title: 'ended', cell: ({ deliveryEndedOn }) => deliveryEndedOn },
    { title: 'reached', cell: ({ reachText }) => reachText },
  ])
}

const outcomes: Record<string, string> = {
  'no-speech': 'Nobody speaks in it.',
  'no-video': 'The ad has no video.',
  'no-sound': 'Its video has no sound track.',
  'media-not-kept': 'No copy of the video is held and none can be made.',
  'media-removed-upstream': 'The video was gone before it was copied.',
  'media-failed': 'The video could not be copied: its source failed again and again.',
  'not-configured': 'No speech to text is configured.',
  'decoder-missing': 'The installation lacks ffmpeg.',
}

function transcriptBlocks(transcript: Transcript): Block[] {
  const { result } = transcript
  if (!result) return workLines(transcript, 'state')
  const state = transcript.status === 'succeeded' ? [] : workLines(transcript, 'state')
  if (result.outcome !== 'available')
    return [
      ...state,
      textBlock(outcomes[result.outcome === 'unavailable' ? result.reason : result.outcome] ?? result.outcome),
    ]
  return [
    ...state,
    quietBlock(
      result.language,
      `by ${result.provider.name} ${result.provider.version}`,
      result.madeAt.slice(0, 10),
    ),
    ...pairBlocks(
      result.segments.map(({ startSeconds, text: said }) => [playbackTime(startSeconds), textCell(said)]),
    ),
  ]
}

function analysisBlocks(analysis: Analysis): Block[] {
  const { result } = analysis
  const state = result && analysis.status === 'succeeded' ? [] : workLines(analysis, 'state')
  if (!result) return state
  const { facts, reading, readingBy, factsBy, madeAt } = result
  return [
    ...state,
    quietBlock(
      `read by ${readingBy.name} ${readingBy.version}, measured by ${factsBy.name} ${factsBy.version}`,
      madeAt.slice(0, 10),
    ),
    ...pairBlocks([
      ...(['hook', 'angle', 'offer', 'callToAction', 'urgency', 'audience'] as const).map(
        (name) => [name === 'callToAction' ? 'call to action' : name, statement(reading[name])] as const,
      ),
      ...claims(reading.claims),
    ]),
    section('Measured in the ad'),
    ...pairBlocks([
      ['length', facts.durationSeconds, 'seconds'],
      [
        'picture',
        [cellOf(facts.aspectRatio), cellOf(facts.width), textCell('x', 'quiet'), cellOf(facts.height)],
      ],
      ['scenes', facts.sceneCount],
      [
        'words',
        [
          cellOf(facts.textWords),
          textCell('written,', 'quiet'),
          cellOf(facts.spokenWords),
          textCell('spoken', 'quiet'),
        ],
      ],
      ['reading grade', facts.readingGrade],
      ['colours', facts.colours],
      ['emoji', facts.emoji],
    ]),
  ]
}

type Reading = NonNullable<Analysis['result']>['reading']
type Quotes = Extract<Reading['hook'], { state: 'read' }>['quotes']

function statement(said: Reading['hook']): Cell[] {
  if (said.state === 'not-measured') return [notMeasured(said.reason)]
  if (said.state === 'absent') return [cellOf(said)]
  return [textCell(said.statement), quoted(said.quotes)]
}

function claims(said: Reading['claims']): (readonly [string, Cell[]])[] {
  if (said.state !== 'read') return [['claims', [cellOf(said)]]]
  return said.items.map(({ statement: claim, quotes }, index) => [
    index === 0 ? 'claims' : '',
    [textCell(claim), quoted(quotes)],
  ])
}

/** The words of the ad that a statement rests on. */
const quoted = (quotes: Quotes): Cell =>
  textCell(
    quotes
      .map(
        ({ text: said, foundIn, startSeconds }) =>
          `"${said}" (${startSeconds === null ? foundIn : playbackTime(startSeconds)})`,
      )
      .join(' '),
    'quiet',
  )
