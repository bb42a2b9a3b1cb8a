import { useState } from 'react'
import { rangeText } from '../../evidence/estimate.ts'
import {
  count,
  countryName,
  countWithNoun,
  dayText,
  momentText,
  percentText,
  spanText,
} from '../../evidence/format.ts'
import { formulaInWords } from '../../evidence/formula.ts'
import { estimateMethodInWords, estimateMetricInWords } from '../../evidence/words.ts'
import { customProperties } from '../../ui/css.ts'
import { Choice } from '../../ui/fields.tsx'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import type { EstimateHistory, EstimatePoint } from './estimate-series.ts'

type Model = EstimateHistory['models'][number]

/** The method of the estimates: the models, their inputs on a day, and their accuracy on held-out sales. */
export function EstimateMethod({ history }: { history: EstimateHistory }) {
  const { models, points } = history
  return (
    <Panel title="How these numbers are made" note="docs/estimates.md has the models and their back-tests">
      {models.length === 0 ? (
        <Empty title="Nothing was estimated in these days">
          Estimates follow from captured charts and ratings. Recompute them once there are some.
        </Empty>
      ) : (
        <div className="stack">
          <ul className="stack">
            {models.map((model) => (
              <li key={`${model.metric} ${model.version}`}>
                <ModelNote model={model} />
              </li>
            ))}
          </ul>
          <DayInputs points={points} />
          {models.every(({ calibration }) => calibration === null) && (
            <p className="pad rounded sunken">
              <strong>Make them yours:</strong> import the sales of your own apps (
              <code>rivalscope import sales</code>) and run <code>rivalscope calibrate</code>. The models then
              rest on them, and the error on days they had not seen stands here.
            </p>
          )}
        </div>
      )}
    </Panel>
  )
}

function ModelNote({ model }: { model: Model }) {
  const { metric, method, version, from, to, shownDays, validRanks, calibration } = model
  return (
    <>
      <h3>
        {estimateMetricInWords[metric]}: {estimateMethodInWords[method].toLowerCase()}{' '}
        <Badge tone={calibration?.used ? 'good' : 'plain'}>
          {!calibration ? 'published priors' : calibration.used ? 'calibrated' : 'calibration no longer used'}
        </Badge>
      </h3>
      <p className="quiet">
        Model {formulaInWords(version).name}, {spanText(from, to)}; {count(shownDays)}{' '}
        {shownDays === 1 ? 'day shows' : 'days show'} it.{' '}
        {validRanks && `It covers ranks ${count(validRanks.from)} to ${count(validRanks.to)}.`}
      </p>
      {calibration && (
        <p>
          Fitted to {countWithNoun(calibration.points, 'day')} of {countWithNoun(calibration.apps, 'own app')}{' '}
          in {calibration.chart} ({countryName(calibration.country)}), {momentText(calibration.calibratedAt)}.
          On {countWithNoun(calibration.heldOut, 'day')} it had not seen: median error{' '}
          {percentText(calibration.medianErrorAfter)}
          {calibration.medianErrorBefore !== null &&
            `, ${percentText(calibration.medianErrorBefore)} before the fit`}
          , {percentText(calibration.medianErrorConstant)} for one figure at every rank;{' '}
          {percentText(calibration.covered)} of those days lie within the range (80% should). The error between
          apps is {calibration.errorBetweenAppsIs}.
        </p>
      )}
    </>
  )
}

/** The inputs of the model on one day. */
function DayInputs({ points }: { points: readonly EstimatePoint[] }) {
  const days = [...new Set(points.map(({ date }) => date))].reverse()
  const [chosen, setChosen] = useState<string>()
  const day = chosen && days.includes(chosen) ? chosen : newestEstimated(points)
  if (!day) return null
  return (
    <div className="stack">
      <div style={{ maxWidth: 220 }}>
        <Choice
          label="Inputs of a day"
          options={days.map((id) => ({ id, name: dayText(id) }))}
          value={day}
          onChange={setChosen}
        />
      </div>
      {points
        .filter(({ date }) => date === day)
        .map(({ metric, estimate, inputs }) => (
          <section key={metric} aria-label={`Inputs of ${estimateMetricInWords[metric].toLowerCase()}`}>
            <h3>
              {estimateMetricInWords[metric]}:{' '}
              {estimate.state === 'estimated' ? rangeText(estimate) : 'no estimate'}
            </h3>
            {estimate.state === 'estimated' && <p className="quiet">{estimate.validation}</p>}
            <dl
              className="pairs stack gap-1 small"
              style={customProperties({ '--names': 'minmax(8rem, 12rem)' })}
            >
              {inputs.map(({ name, value }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several inputs have one name, and their order is what they are
                <div key={index}>
                  <dt>{name}</dt>
                  <dd>{typeof value === 'number' ? count(value) : value}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
    </div>
  )
}

const newestEstimated = (points: readonly EstimatePoint[]): string | undefined =>
  (points.findLast(({ estimate }) => estimate.state === 'estimated') ?? points.at(-1))?.date
