import { lazy, Suspense, useState } from 'react'
import { dayText } from '../evidence/format.ts'
import { Button } from '../ui/Button.tsx'
import { type CsvValue, saveCsv, saveFile } from '../ui/csv.ts'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { Download, Table2 } from '../ui/icons.ts'
import { Empty, Skeleton } from '../ui/parts.tsx'
import styles from './charts.module.css'
import { LineKey } from './LineKey.tsx'
import type { Line, LineChartProps } from './line-chart.ts'

const Plot = lazy(() => import('./Plot.tsx'))

/** Lines over days, with a legend that hides and shows them, the same as a table, and both as files. */
export function LineChart({ height = 260, ...props }: LineChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState<string>()
  const [asTable, setAsTable] = useState(false)
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null)
  const { label, days, lines, format, beside, marks = [] } = props
  if (days.length === 0 || lines.length === 0) return <Empty title="No data yet" />
  const toggle = (id: string) => {
    const next = new Set(hidden)
    if (!next.delete(id)) next.add(id)
    setHidden(next)
  }
  const name = fileName(label)
  const happenedOn = (day: string | undefined): string =>
    marks.flatMap((mark) => (mark.day === day ? [mark.text] : [])).join('; ')
  const cellOf = (line: Line, index: number): CsvValue =>
    line.values[index] ?? (line.absent?.[index] ? 'not ranked' : null)
  return (
    <figure className="shrinks anchor" aria-label={label}>
      <div className="row to-end gap-1" data-screen-only>
        <Button
          small
          look="bare"
          aria-pressed={asTable}
          icon={<Table2 size={13} aria-hidden="true" />}
          onPress={() => setAsTable(!asTable)}
        >
          {asTable ? 'Chart' : 'Table'}
        </Button>
        <Button
          small
          look="bare"
          icon={<Download size={13} aria-hidden="true" />}
          onPress={() =>
            saveCsv(
              `${name}.csv`,
              [
                'Day',
                ...lines.flatMap((line) => columnsOf(line)),
                ...(beside ? [beside.name] : []),
                ...(marks.length > 0 ? ['Changes'] : []),
              ],
              days.map((day, index) => [
                day,
                ...lines.flatMap((line) => cellsOf(line, index, cellOf)),
                ...(beside ? [beside.values[index] ?? null] : []),
                ...(marks.length > 0 ? [happenedOn(day)] : []),
              ]),
            )
          }
        >
          CSV
        </Button>
        <Button
          small
          look="bare"
          isDisabled={!canvas || asTable}
          icon={<Download size={13} aria-hidden="true" />}
          onPress={() => canvas && savePng(canvas, `${name}.png`)}
        >
          PNG
        </Button>
      </div>
      {asTable ? (
        <DataTable
          label={label}
          rows={days.map((_, index) => days.length - 1 - index)}
          rowId={(index) => days[index] ?? ''}
          columns={[
            {
              id: 'Day',
              name: 'Day',
              cell: (index) => dayText(days[index] ?? ''),
              value: (index) => days[index] ?? null,
            },
            ...lines.map(
              (line): Column<number> => ({
                id: line.id,
                name: line.name,
                align: 'end',
                value: (index) => line.values[index] ?? null,
                cell: (index) => {
                  const value = line.values[index] ?? null
                  if (value !== null) return format(value)
                  return <span className="quiet">{line.absent?.[index] ? '∅ not ranked' : 'no data'}</span>
                },
              }),
            ),
            ...(beside
              ? [
                  {
                    id: 'beside',
                    name: beside.name,
                    align: 'end' as const,
                    value: (index: number) => beside.values[index] ?? null,
                    cell: (index: number) => beside.format(beside.values[index] ?? 0),
                  },
                ]
              : []),
            ...(marks.length > 0
              ? [
                  {
                    id: 'changes',
                    name: 'Changes',
                    width: 320,
                    value: (index: number) => happenedOn(days[index]) || null,
                    cell: (index: number) => {
                      const text = happenedOn(days[index])
                      return <bdi title={text}>{text}</bdi>
                    },
                  },
                ]
              : []),
          ]}
          height={height}
          empty={null}
        />
      ) : (
        <Suspense fallback={<Skeleton height={height} />}>
          <Plot {...props} hidden={hidden} focused={focused} height={height} onCanvas={setCanvas} />
        </Suspense>
      )}
      {lines.length > 1 && (
        <figcaption
          className={`${styles.legend} row stretch gap-3 rows-1 small`}
          style={{ paddingTop: 'var(--space-2)' }}
        >
          {lines.map((line, index) => (
            <button
              key={line.id}
              type="button"
              className="line"
              aria-pressed={!hidden.has(line.id)}
              onClick={() => toggle(line.id)}
              onPointerEnter={() => setFocused(line.id)}
              onPointerLeave={() => setFocused(undefined)}
              onFocus={() => setFocused(line.id)}
              onBlur={() => setFocused(undefined)}
            >
              <LineKey index={index} />
              <bdi>{line.name}</bdi>
            </button>
          ))}
        </figcaption>
      )}
    </figure>
  )
}

const columnsOf = ({ name, low }: Line): string[] => (low ? [`${name} low`, name, `${name} high`] : [name])

function cellsOf(line: Line, index: number, cellOf: (line: Line, index: number) => CsvValue): CsvValue[] {
  const mid = cellOf(line, index)
  return line.low ? [line.low[index] ?? null, mid, line.high?.[index] ?? null] : [mid]
}

/** The name of a file, without its ending, that holds what a label is about. */
export const fileName = (label: string): string =>
  label
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .toLowerCase() || 'rivalscope'

/** Saves what a canvas shows on the ground of the page. */
function savePng(canvas: HTMLCanvasElement, name: string): void {
  const copy = document.createElement('canvas')
  copy.width = canvas.width
  copy.height = canvas.height
  const context = copy.getContext('2d')
  if (!context) return
  context.fillStyle = getComputedStyle(document.body).backgroundColor
  context.fillRect(0, 0, copy.width, copy.height)
  context.drawImage(canvas, 0, 0)
  copy.toBlob((content) => content && saveFile(name, content), 'image/png')
}
