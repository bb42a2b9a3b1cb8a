import type { ReactNode } from 'react'
import { estimateText, rangeText } from './estimate.ts'
import { Measured, NotMeasured } from './Fact.tsx'
import { count } from './format.ts'
import type { Estimate } from './shapes.ts'
import { estimateMethodInWords } from './words.ts'

/** A modelled number of a day with its range; its method, version and validation on hover and focus. */
export function EstimateValue({ estimate, day }: { estimate: Estimate; day: ReactNode }) {
  if (estimate.state === 'not-measured') return <NotMeasured reason={estimate.reason} />
  const { method, version, validRanks, validation } = estimate
  return (
    <Measured
      formula={version}
      note={
        <>
          Estimate of {day}, not measured by Apple. {estimateMethodInWords[method]}. Eight in ten such days lie
          within {rangeText(estimate)}.
          {validRanks && ` It covers ranks ${count(validRanks.from)} to ${count(validRanks.to)}.`}{' '}
          {sentence(validation)}
        </>
      }
    >
      {estimateText(estimate.mid, estimate)} <span className="quiet">({rangeText(estimate)})</span>
    </Measured>
  )
}

const sentence = (text: string): string => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`
