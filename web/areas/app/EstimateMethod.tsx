import { useState } from 'react'
import type { ChartKind } from '../../../src/vocabulary/chart-kinds.ts'
import { capitalised } from '../../../src/vocabulary/suppliers.ts'
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
import type { Device } from '../../evidence/shapes.ts'
import {
  chartInWords,
  deviceInWords,
  estimateMethodInWords,
  estimateMetricInWords,
  overallCategory,
} from '../../evidence/words.ts'
import { customProperties } from '../../ui/css.ts'
import { Choice } from '../../ui/fields.tsx'
import { Badge, Empty, Panel } from '../../ui/parts.tsx'
import type { EstimateHistory, EstimatePoint } from './estimate-series.ts'

type Model = EstimateHistory['models'][number]

/** The method of the estimates: the models, their inputs on a day, and their accuracy on held-out sales. */
export function EstimateMethod({ history }: { history: EstimateHistory }) {
  const { models, points } = history
  return (
    <Panel
      title="How this is computed"
      note="The models and their back-tests are described in docs/estimates.md."
    >
      {models.length === 0 ? (
        <Empty title="No estimates in this period">
          Estimates are computed from chart ranks and ratings. Recompute once some are collected.
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
          <details>
            <summary className="accent small medium">Model inputs by day</summary>
            <DayInputs points={points} />
          </details>
          {models.every(({ calibration }) => calibration === null) && (
            <p className="pad rounded sunken">
              <strong>Calibrate with your sales:</strong> import them with <code>rivalscope import sales</code>,
              then run <code>rivalscope calibrate</code>. The models are fitted to your sales, and their error
              on held-out days is shown here.
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
          {!calibration ? 'not calibrated' : calibration.used ? 'calibrated' : 'no longer calibrated'}
        </Badge>
      </h3>
      <p className="quiet">
        Model {formulaInWords(version).name}, {spanText(from, to)}; {count(shownDays)}{' '}
        {shownDays === 1 ? 'day' : 'days'} estimated.{' '}
        {validRanks && `Valid for ranks ${count(validRanks.from)}–${count(validRanks.to)}.`}
      </p>
      {calibration && (
        <p>
          Fitted on {momentText(calibration.calibratedAt)} to {countWithNoun(calibration.points, 'day')} of{' '}
          {countWithNoun(calibration.apps, 'app')} of yours: {chartsInWords(calibration.chart)}. On{' '}
          {countWithNoun(calibration.heldOut, 'held-out day')}, the median error is{' '}
          {percentText(calibration.medianErrorAfter)} (
          {calibration.medianErrorBefore !== null &&
            `${percentText(calibration.medianErrorBefore)} before calibration, `}
          {percentText(calibration.medianErrorConstant)} for a constant), and {percentText(calibration.covered)}{' '}
          of them lie within the range (target {percentText(0.8)}). The error between apps is{' '}
          {calibration.errorBetweenAppsIs}.
        </p>
      )}
    </>
  )
}

const chartPattern = /\b([a-z]{2}) (top-[a-z]+) (\d+) (iphone|ipad)\b/g

/** Charts in a text, such as `us top-free 36 iphone`, as `Top Free, iPhone, United States`. */
const chartsInWords = (text: string): string =>
  text.replaceAll(chartPattern, (_, country: string, kind: ChartKind, category: string, device: Device) =>
    [
      chartInWords[kind] ?? kind,
      ...(category === overallCategory ? [] : [`category ${category}`]),
      deviceInWords[device],
      countryName(country),
    ].join(', '),
  )

/** Names of inputs that are words of the service. */
const inputInWords: Partial<Record<string, string>> = {
  'places looked at': 'Ranks collected',
  'own days': 'Days of your sales',
  'own apps': 'Your apps',
  prior: 'Published sources',
  'published laws': 'Published models',
  'error of age': 'Error from age',
  'moves it most': 'Largest effect',
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
          label="Day"
          options={days.map((id) => ({ id, name: dayText(id) }))}
          value={day}
          onChange={setChosen}
        />
      </div>
      {points
        .filter(({ date }) => date === day)
        .map(({ metric, estimate, inputs }) => (
          <section key={metric} aria-label={`${estimateMetricInWords[metric]}: inputs`}>
            <h3>
              {estimateMetricInWords[metric]}:{' '}
              {estimate.state === 'estimated' ? rangeText(estimate) : 'no estimate'}
            </h3>
            {estimate.state === 'estimated' && <p className="quiet">{capitalised(estimate.validation)}</p>}
            <dl
              className="pairs stack gap-1 small"
              style={customProperties({ '--names': 'minmax(8rem, 12rem)' })}
            >
              {inputs.map(({ name, value }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: several inputs have one name, and their order is what they are
                <div key={index}>
                  <dt>{inputInWords[name] ?? capitalised(name)}</dt>
                  <dd>{typeof value === 'number' ? count(value) : chartsInWords(value)}</dd>
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
