import type { ReactNode } from 'react'
import { Absent, Fact, NotMeasured } from '../../evidence/Fact.tsx'
import { compactNumber, countryName, dayText, languageName } from '../../evidence/format.ts'
import { adPlatformInWords, formatInWords, networkInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { type AdDetail, type Statement, statementsOf } from './reading.ts'
import type { Piece } from './shapes.ts'
import { OutLink } from './Texts.tsx'
import { DaysRunning, EngagementRate, Outlier } from './values.tsx'
import { activeText, unavailableInWords } from './words.ts'

type PostDetail = Extract<Piece, { kind: 'post' }>['post']

/** What a row of the comparison says of an ad and of a post; what is undefined does not apply to it. */
export interface Row {
  name: string
  ad?: (ad: AdDetail) => ReactNode
  post?: (post: PostDetail) => ReactNode
}

const said = (text: string): ReactNode => (
  <p className="foreign" dir="auto">
    {text}
  </p>
)

const spoken = (ad: AdDetail): ReactNode => {
  const result = ad.transcript?.result
  if (result?.outcome === 'available') return said(result.text)
  if (result?.outcome === 'no-speech') return <Absent>no speech</Absent>
  if (result?.outcome === 'unavailable')
    return <span className="quiet">unavailable: {unavailableInWords[result.reason]}</span>
  return <NotMeasured reason={isUnderWay(ad.transcript) ? 'pending' : 'never-collected'} />
}

const read = (id: string) => (ad: AdDetail) => {
  const result = ad.analysis?.result
  const statement: Statement | undefined = result
    ? statementsOf(result.reading).find((one) => one.id === id)
    : undefined
  if (!statement) return <NotMeasured reason="never-collected" />
  if (statement.state === 'absent') return <Absent>none in this ad</Absent>
  if (statement.text === undefined) return <NotMeasured reason={statement.reason ?? 'never-collected'} />
  return said(statement.text)
}

export const rows: readonly Row[] = [
  {
    name: 'Platform',
    ad: ({ platform }) => adPlatformInWords[platform],
    post: ({ network }) => networkInWords[network],
  },
  {
    name: 'Format',
    ad: ({ format, evidence }) => (
      <Fact fact={format} evidence={evidence} format={(value) => formatInWords[value]} />
    ),
    post: ({ mediaType, evidence }) => (
      <Fact fact={mediaType} evidence={evidence} format={(value) => formatInWords[value]} />
    ),
  },
  {
    name: 'Language',
    ad: ({ language, evidence }) => <Fact fact={language} evidence={evidence} format={languageName} />,
    post: ({ language, evidence }) => <Fact fact={language} evidence={evidence} format={languageName} />,
  },
  {
    name: 'Status',
    ad: ({ active, evidence }) => <Fact fact={active} evidence={evidence} format={activeText} />,
  },
  { name: 'Run time', ad: ({ daysRunning }) => <DaysRunning days={daysRunning} /> },
  {
    name: 'Started or published',
    ad: ({ deliveryStartedOn, evidence }) => (
      <Fact fact={deliveryStartedOn} evidence={evidence} format={dayText} />
    ),
    post: ({ publishedAt, evidence }) => <Fact fact={publishedAt} evidence={evidence} format={dayText} />,
  },
  {
    name: 'Countries',
    ad: ({ countries, evidence }) => (
      <Fact fact={countries} evidence={evidence} format={(codes) => codes.map(countryName).join(', ')} />
    ),
  },
  {
    name: 'Views',
    post: ({ metrics, evidence }) => <Fact fact={metrics.views} evidence={evidence} format={compactNumber} />,
  },
  {
    name: 'Likes',
    post: ({ metrics, evidence }) => <Fact fact={metrics.likes} evidence={evidence} format={compactNumber} />,
  },
  {
    name: 'Engagement rate',
    post: (post) => <EngagementRate post={post} />,
  },
  { name: 'Outlier score', post: (post) => <Outlier post={post} /> },
  {
    name: 'Title',
    ad: ({ creatives: [creative], evidence }) =>
      creative && <Fact fact={creative.title} evidence={evidence} format={said} />,
    post: ({ title, evidence }) => <Fact fact={title} evidence={evidence} format={said} />,
  },
  {
    name: 'Text',
    ad: ({ creatives: [creative], evidence }) =>
      creative && <Fact fact={creative.body} evidence={evidence} format={said} />,
    post: ({ text, evidence }) => <Fact fact={text} evidence={evidence} format={said} />,
  },
  {
    name: 'Button text',
    ad: ({ creatives: [creative], evidence }) =>
      creative && <Fact fact={creative.callToActionText} evidence={evidence} format={said} />,
  },
  {
    name: 'Landing page',
    ad: ({ creatives: [creative], evidence }) =>
      creative && <Fact fact={creative.linkUrl} evidence={evidence} format={(url) => <OutLink url={url} />} />,
    post: ({ linkUrl, evidence }) => (
      <Fact fact={linkUrl} evidence={evidence} format={(url) => <OutLink url={url} />} />
    ),
  },
  { name: 'Transcript', ad: spoken },
  { name: 'Hook', ad: read('hook') },
  { name: 'Offer', ad: read('offer') },
  { name: 'Urgency', ad: read('urgency') },
]
