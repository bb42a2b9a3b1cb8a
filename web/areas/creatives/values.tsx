import { Measured, NotMeasured } from '../../evidence/Fact.tsx'
import { compactNumber, countWithNoun, percentText } from '../../evidence/format.ts'
import type { OrganicPost, PaidAd } from '../../evidence/shapes.ts'

/** Days an ad has run: exact where it was seen to end, else at least so many. */
export function DaysRunning({ days }: { days: PaidAd['daysRunning'] }) {
  if (days.state === 'not-measured') return <NotMeasured reason={days.reason} />
  const atLeast = days.relation === 'at-least'
  return (
    <Measured
      formula={days.formula}
      note={
        atLeast
          ? 'Run time up to when it was last seen; it may have run longer.'
          : 'From the first to the last day of delivery, inclusive.'
      }
    >
      {atLeast && 'at least '}
      {countWithNoun(days.value, 'day')}
    </Measured>
  )
}

/** What share of the views led to a like, a comment or a share: `3.2%`. */
export function EngagementRate({ post: { engagementRate, metrics, evidence } }: { post: OrganicPost }) {
  if (engagementRate.state === 'not-measured') return <NotMeasured reason={engagementRate.reason} />
  return (
    <Measured
      formula={engagementRate.formula}
      evidence={evidence[0]}
      observedAt={metrics.observedAt}
      note="Likes, comments and shares divided by views."
    >
      {percentText(engagementRate.value)}
    </Measured>
  )
}

const factor = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 })

/** Views over what is usual for the author: `12.8×`. */
export function Outlier({ post }: { post: OrganicPost }) {
  const { outlierScore, author } = post
  if (outlierScore.state === 'not-measured') return <NotMeasured reason={outlierScore.reason} />
  const atLeast = outlierScore.formula.includes('at least')
  const usual = author.medianViews.state === 'measured' ? ` (${compactNumber(author.medianViews.value)})` : ''
  return (
    <Measured
      formula={outlierScore.formula}
      observedAt={post.metrics.observedAt}
      evidence={post.evidence[0]}
      note={`Views divided by the author’s median${usual} over ${countWithNoun(author.postsMeasured, 'post')} at the same age. 1× is typical.`}
    >
      {atLeast && (
        <>
          <span aria-hidden="true">≥ </span>
          <span className="hidden">at least </span>
        </>
      )}
      {factor.format(outlierScore.value)}×
    </Measured>
  )
}
