import { useMutation } from '@tanstack/react-query'
import { type CalibrationVerdict, calibrate, type FileImport, isGoingOn } from '../api/file-imports.ts'
import { bytes, count, countryName, countWithNoun, momentText, percentText } from '../evidence/format.ts'
import {
  chartInWords,
  deviceInWords,
  fileKindInWords,
  overallCategory,
  overallCategoryName,
  workStatusInWords,
} from '../evidence/words.ts'
import { Button } from './Button.tsx'
import { Badge, Problem } from './parts.tsx'
import { Bar } from './WorkProgress.tsx'

/** How an import of a file goes, or what came of it. */
export function FileImportResult({ run }: { run: FileImport }) {
  const { name, status, done, imports, failure, wasInterrupted, waitingSince } = run
  return (
    <section aria-label={`Import of ${name}`} className="stack gap-2">
      <p className="row">
        <StatusBadge status={status} />
        {isGoingOn(run) && (
          <span className="quiet">
            {bytes(done ?? 0)} of {bytes(run.bytes)}. You can close this; the import continues.
          </span>
        )}
      </p>
      {isGoingOn(run) && <Bar name={`Import of ${name}`} done={done ?? 0} total={run.bytes} />}
      {waitingSince && (
        <p className="small warn">
          No worker has run since {momentText(waitingSince)}: start <code>rivalscope work</code>, or{' '}
          <code>serve</code> with <code>--work on</code>.
        </p>
      )}
      {failure && <p className="bad anywhere">{failure}</p>}
      {wasInterrupted && (
        <p className="quiet">
          The service restarted during the import, which then continued. Records imported before count as
          already imported.
        </p>
      )}
      {imports.map(({ kind, read, stored, unchanged, rejected, rejections, notes }) => (
        <div key={kind} className="stack gap-1">
          <p>
            <strong>{fileKindInWords[kind]}</strong>: {count(stored)} new, {count(unchanged)} already imported,{' '}
            {count(rejected)} rejected of {countWithNoun(read, 'record')}
          </p>
          {notes.map((note) => (
            <p key={note} className="quiet anywhere">
              <bdi>{note}</bdi>
            </p>
          ))}
          {rejections.length > 0 && (
            <details>
              <summary>Rejected records</summary>
              <ul className="stack gap-1 small" aria-label="Rejected records">
                {rejections.map(({ position, reason }, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the list of an import that ended never changes
                  <li key={index} className="anywhere">
                    <bdi>{position}</bdi>: <bdi>{reason}</bdi>
                  </li>
                ))}
              </ul>
              {rejections.length < rejected && (
                <p className="quiet small">
                  First {count(rejections.length)} of {count(rejected)}.
                </p>
              )}
            </details>
          )}
        </div>
      ))}
    </section>
  )
}

export const StatusBadge = ({ status }: Pick<FileImport, 'status'>) => (
  <Badge
    tone={
      status === 'failed' ? 'bad' : status === 'partial' ? 'warn' : isGoingOn({ status }) ? 'accent' : 'good'
    }
  >
    {workStatusInWords[status]}
  </Badge>
)

type Chart = CalibrationVerdict['charts'][number]['chart']

const chartText = ({ country, kind, categoryId, device }: Chart) => {
  const category = String(categoryId) === overallCategory ? overallCategoryName : `category ${categoryId}`
  return `${chartInWords[kind]}, ${category}, ${deviceInWords[device]}, ${countryName(country)}`
}

/** Fits the estimates to own sales that are stored, and says for each chart whether the fit is used. */
export function Calibration() {
  const fitting = useMutation({ mutationFn: calibrate })
  const { data } = fitting
  return (
    <section aria-label="Calibration" className="stack gap-2">
      <div className="row">
        <Button isPending={fitting.isPending} onPress={() => fitting.mutate()}>
          Calibrate estimates
        </Button>
        <span className="quiet small">Fits download and revenue estimates to your sales.</span>
      </div>
      {fitting.error && <Problem error={fitting.error} />}
      {data && data.ownDays === 0 && <p>No sales imported yet.</p>}
      {data && data.ownDays > 0 && data.charts.length === 0 && (
        <p>
          Nothing to calibrate: no collected chart has your app on the {countWithNoun(data.ownDays, 'day')} of
          your sales. Import or collect charts of those days and storefronts.
        </p>
      )}
      {data && data.charts.length > 0 && (
        <ul className="stack gap-2" aria-label="Calibrated charts">
          {data.charts.map(({ chart, metric, currency, days, used, why, errorBefore, errorAfter, heldOut }) => (
            <li key={chartText(chart)} className="stack gap-1">
              <span className="row">
                <Badge tone={used ? 'good' : 'plain'}>{used ? 'Used' : 'Not used'}</Badge>
                <strong>{chartText(chart)}</strong>
                <span className="quiet">
                  {metric}
                  {currency ? ` in ${currency}` : ''}, {countWithNoun(days, 'day')}
                </span>
              </span>
              {why && <span>{why}</span>}
              {errorAfter !== null && (
                <span className="quiet">
                  Median error on {countWithNoun(heldOut ?? 0, 'day')} held out: {percentText(errorAfter)}
                  {errorBefore === null ? '; not calibrated before' : `, ${percentText(errorBefore)} before`}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {data?.charts.some(({ used }) => used) && (
        <p className="quiet small">
          Estimates change with their next refresh. Earlier days keep their version.
        </p>
      )}
    </section>
  )
}
