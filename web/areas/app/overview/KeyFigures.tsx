import { Link, linkOptions } from '@tanstack/react-router'
import { EstimateValue } from '../../../evidence/EstimateValue.tsx'
import { Absent, Fact, NotMeasured, RankValue } from '../../../evidence/Fact.tsx'
import { ago, count, dayText, decimal } from '../../../evidence/format.ts'
import { chartInWords, deviceInWords } from '../../../evidence/words.ts'
import { Figure, Figures } from '../../../ui/parts.tsx'
import type { AppRecord } from '../app-record.ts'

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
        name="Best chart position now"
        note={best && `${chartInWords[best.chart]}, ${best.categoryName}, ${deviceInWords[best.device]}`}
      >
        {best ? (
          <RankValue rank={best.rank} evidence={best.evidence} />
        ) : record.chartPositions.length > 0 ? (
          <Absent>in no chart</Absent>
        ) : (
          <NotMeasured reason="no-snapshot" />
        )}
      </Figure>
      <Figure
        name="Downloads a day, estimate"
        note={
          <Link {...linkOptions({ to: '/apps/$storeId/estimates', params })}>{estimateDay ?? 'History'}</Link>
        }
      >
        <EstimateValue estimate={estimates.downloads} day={estimateDay} />
      </Figure>
      <Figure
        name="Revenue a day, estimate"
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
            Updated <Fact fact={updatedAt} evidence={evidence} format={(at) => ago(at)} />
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
