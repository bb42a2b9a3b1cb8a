import type { ReplyOf } from '../../api/operations.ts'
import { findQuote } from './quotes.ts'
import type { Creative } from './shapes.ts'

export type AdDetail = ReplyOf<'get_paid_ad'>
export type Transcript = NonNullable<AdDetail['transcript']>
export type Analysis = NonNullable<AdDetail['analysis']>
export type AnalysisResult = NonNullable<Analysis['result']>
type Reading = AnalysisResult['reading']
export type Quote = Extract<Reading['hook'], { state: 'read' }>['quotes'][number]
export type Part = Quote['foundIn']

/** Whether all that the library shows of an ad is pictures. An ad of which no media are known may have a video. */
export const isWithoutVideo = ({ creatives, format }: Pick<AdDetail, 'creatives' | 'format'>): boolean =>
  !(format.state === 'measured' && format.value === 'video') &&
  creatives.some(({ media }) => media.length > 0) &&
  creatives.every(({ media }) => media.every(({ kind }) => kind === 'image'))

/** A statement about an ad with the words it rests on, or why there is none. */
export interface Statement {
  id: string
  name: string
  /** What the statement is about. */
  about: string
  state: 'read' | 'absent' | 'not-measured'
  text: string | undefined
  reason: Extract<Reading['hook'], { state: 'not-measured' }>['reason'] | undefined
  kinds: readonly string[]
  quotes: readonly Quote[]
}

const statements = [
  ['hook', 'Hook', 'How it opens'],
  ['angle', 'Angle', 'The main selling argument'],
  ['offer', 'Offer', 'Price, discount, trial, gift or money back'],
  ['callToAction', 'Call to action', 'What it asks the viewer to do'],
  ['urgency', 'Urgency', 'Why to act now'],
  ['audience', 'Audience', 'Who it addresses'],
] as const

/** All that was read in an ad, in the order in which people ask. */
export function statementsOf(reading: Reading): Statement[] {
  const single = statements.map(([id, name, about]): Statement => {
    const given = reading[id]
    return {
      id,
      name,
      about,
      state: given.state,
      text: given.state === 'read' ? given.statement : undefined,
      reason: given.state === 'not-measured' ? given.reason : undefined,
      kinds: given.state === 'read' ? (given.kinds ?? []) : [],
      quotes: given.state === 'read' ? given.quotes : [],
    }
  })
  return [...single, ...claimsOf(reading.claims)]
}

function claimsOf(claims: Reading['claims']): Statement[] {
  const claim = { name: 'Claim', about: 'What it promises about the app', kinds: [] }
  if (claims.state !== 'read')
    return [
      {
        ...claim,
        id: 'claims',
        name: 'Claims',
        state: claims.state,
        text: undefined,
        reason: claims.state === 'not-measured' ? claims.reason : undefined,
        quotes: [],
      },
    ]
  return claims.items.map(({ statement, quotes }, index) => ({
    ...claim,
    id: `claim-${index}`,
    state: 'read',
    text: statement,
    reason: undefined,
    quotes,
  }))
}

/** The quotes of a part of the ad, each by the id of its statement. */
export const quotesIn = (statements: readonly Statement[], part: Part): { id: string; text: string }[] =>
  statements.flatMap(({ id, quotes }) =>
    quotes.filter(({ foundIn }) => foundIn === part).map(({ text }) => ({ id, text })),
  )

export const partInWords: Record<Part, string> = {
  title: 'Title',
  body: 'Text',
  description: 'Description',
  'call-to-action': 'Button text',
  transcript: 'Transcript',
}

/** The text of a part of a creative; undefined where it is not measured or not there. */
export function partOf(creative: Creative, part: Part): string | undefined {
  const fact = {
    title: creative.title,
    body: creative.body,
    description: creative.description,
    'call-to-action': creative.callToActionText,
    transcript: undefined,
  }[part]
  return fact?.state === 'measured' ? fact.value : undefined
}

/** The place among the creatives, 1 is first, of the one that says a quote; the shown one first. */
export function creativeWith(creatives: readonly Creative[], shown: number, quote: Quote): number | undefined {
  const says = (creative: Creative | undefined) =>
    creative !== undefined && findQuote(partOf(creative, quote.foundIn) ?? '', quote.text) !== undefined
  if (says(creatives[shown - 1])) return shown
  const index = creatives.findIndex(says)
  return index === -1 ? undefined : index + 1
}
