import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { estimateText, rangeText } from '../../../evidence/estimate.ts'
import { Absent, Fact, Measured, NotMeasured, RankValue } from '../../../evidence/Fact.tsx'
import { count, dayText, decimal, percentText, timeAgo } from '../../../evidence/format.ts'
import type { Estimate } from '../../../evidence/shapes.ts'
import { chartInWords, deviceInWords, estimateMethodInWords } from '../../../evidence/words.ts'
import { Figure, Figures } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-of-page.ts'

/** Rating, best chart position, estimates and version: what people look for first. */
export function KeyFigures({ record }: { record: AppRecord }) {
  const { storeId, evidence, rating, ratingCount, version, updatedAt, estimates } = record
  const params = { storeId }
  const estimateDay = estimates.date && dayText(estimates.date)
  const best = record.chartPositions
    .filter(({ rank }) => rank.state === 'measured')
    .sort((a, b) => rankOf(a) - rankOf(b))[0]
  return (
    <Figures>
      <Figure
        name="Rating"
        note={
          <>
            <Fact fact={ratingCount} evidence={evidence} format={count} /> ratings
          </>
        }
      >
        <Fact fact={rating} evidence={evidence} absent="no rating" format={decimal} />
      </Figure>
      <Figure
        name="Best chart rank"
        note={best && `${chartInWords[best.chart]}, ${best.categoryName}, ${deviceInWords[best.device]}`}
      >
        {best ? (
          <RankValue rank={best.rank} evidence={best.evidence} />
        ) : record.chartPositions.length > 0 ? (
          <Absent>not ranked</Absent>
        ) : (
          <NotMeasured reason="no-snapshot" />
        )}
      </Figure>
      <Figure
        name="Downloads per day (estimate)"
        note={
          <Link {...linkOptions({ to: '/apps/$storeId/estimates', params })}>{estimateDay ?? 'History'}</Link>
        }
      >
        <EstimateValue estimate={estimates.downloads} day={estimateDay} />
      </Figure>
      <Figure
        name="Revenue per day (estimate)"
        note={
          <Link {...linkOptions({ to: '/apps/$storeId/estimates', params })}>{estimateDay ?? 'History'}</Link>
        }
      >
        <EstimateValue estimate={estimates.revenue} day={estimateDay} />
      </Figure>
      <Figure
        name="Version"
        note={
          <>
            Released <Fact fact={updatedAt} evidence={evidence} format={(at) => timeAgo(at)} />
          </>
        }
      >
        <Fact fact={version} evidence={evidence} format={(text) => <bdi>{text}</bdi>} />
      </Figure>
    </Figures>
  )
}

const rankOf = ({ rank }: AppRecord['chartPositions'][number]): number =>
  rank.state === 'measured' ? rank.value : Number.POSITIVE_INFINITY

/** A modelled number of a day with its range; its method, version and validation on hover and focus. */
function EstimateValue({ estimate, day }: { estimate: Estimate; day: ReactNode }) {
  if (estimate.state === 'not-measured') return <NotMeasured reason={estimate.reason} />
  const { method, version, validRanks, validation } = estimate
  return (
    <Measured
      formula={version}
      note={
        <>
          Estimate for {day}, not reported by Apple. {estimateMethodInWords[method]}. {percentText(0.8)} range:{' '}
          {rangeText(estimate)}.
          {validRanks && ` Valid for ranks ${count(validRanks.from)}–${count(validRanks.to)}.`}{' '}
          {sentence(validation)}
        </>
      }
    >
      {estimateText(estimate.mid, estimate)} <span className="quiet">({rangeText(estimate)})</span>
    </Measured>
  )
}

const sentence = (text: string): string => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`
