import { useEffect, useRef, useState } from 'react'
import { fileName } from '../../../charts/LineChart.tsx'
import { saveSvgAsPng } from '../../../charts/svg-png.ts'
import { cssColour, useTheme } from '../../../charts/theme.ts'
import { count, dayText } from '../../../evidence/format.ts'
import { Button } from '../../../ui/Button.tsx'
import { saveCsv } from '../../../ui/csv.ts'
import { type Column, DataTable } from '../../../ui/DataTable.tsx'
import { Download, Table2 } from '../../../ui/icons.ts'
import styles from '../aso.module.css'
import { type BumpColumns, linePiecesOf, type Place } from './bump.ts'

/** Places that have a line of their own; deeper ones share the lane below them. */
const placesShown = 10
const [laneBelow, laneAbsent] = [placesShown + 1, placesShown + 2]
const rowHeight = 26
const [top, start, namesWidth] = [12, 44, 210]

/** A bump chart of the apps on a keyword's pages: a column for each day with a page, and names at the ends of the lines. */
export function BumpChart({ label, bump }: { label: string; bump: BumpColumns }) {
  const [asTable, setAsTable] = useState(false)
  const host = useRef<HTMLDivElement>(null)
  const { days, lines } = bump
  return (
    <figure aria-label={label}>
      <div className="row nowrap stretch to-end gap-0" data-screen-only>
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
              `${fileName(label)}.csv`,
              ['Day', ...lines.map(({ name }) => name), 'Listing changes'],
              days.map((day, index) => [
                day,
                ...lines.map(({ places }) => places[index] ?? null),
                changesIn(lines, index),
              ]),
            )
          }
        >
          CSV
        </Button>
        <Button
          small
          look="bare"
          isDisabled={asTable}
          icon={<Download size={13} aria-hidden="true" />}
          onPress={() => {
            const drawing = host.current?.querySelector('svg')
            if (drawing) void saveSvgAsPng(drawing, `${fileName(label)}.png`)
          }}
        >
          PNG
        </Button>
      </div>
      {asTable ? (
        <PlacesTable label={label} bump={bump} />
      ) : (
        <div ref={host} className={styles.bump} style={{ minHeight: heightOf() }}>
          <Drawing label={label} bump={bump} />
        </div>
      )}
    </figure>
  )
}

const heightOf = (): number => top + (laneAbsent + 1) * rowHeight

function Drawing({ label, bump: { days, lines, afterGap } }: { label: string; bump: BumpColumns }) {
  const theme = useTheme()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const [looked, setLooked] = useState<string>()
  useEffect(() => {
    const element = box.current
    if (!element) return
    const sizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  const names = Math.min(namesWidth, width * 0.4)
  const end = width - names
  const step = days.length > 1 ? (end - start - 12) / (days.length - 1) : 0
  const x = (column: number) => start + column * step
  const every = Math.ceil(46 / Math.max(step, 1))
  const [text, grid, strong] = ['--text-quiet', '--grid', '--text'].map(cssColour)
  return (
    <div ref={box} data-theme-of-drawing={theme}>
      {width > 0 && (
        <svg
          width={width}
          height={heightOf()}
          role="img"
          aria-label={`${label}. ${summaryOf(days, lines)}`}
          fontFamily={getComputedStyle(document.body).fontFamily}
          fontSize={12}
        >
          {Array.from({ length: laneAbsent }, (_, index) => index + 1).map((place) => (
            <g key={place}>
              <line x1={start} x2={end} y1={y(place)} y2={y(place)} stroke={grid} />
              <text x={start - 10} y={y(place)} fill={text} textAnchor="end" dominantBaseline="central">
                {place === laneAbsent ? '∅' : place === laneBelow ? `${placesShown}+` : count(place)}
              </text>
            </g>
          ))}
          {days.map((day, column) =>
            (days.length - 1 - column) % every === 0 ? (
              <text key={day} x={x(column)} y={y(laneAbsent) + 22} fill={text} textAnchor="middle">
                {dayText(day)}
              </text>
            ) : null,
          )}
          {lines.map(({ storeId, name, places, changes }, index) => {
            const colour = cssColour(`--series-${(index % 8) + 1}`)
            const last = places.at(-1)
            return (
              <g
                key={storeId}
                opacity={looked === undefined || looked === storeId ? 1 : 0.18}
                onPointerEnter={() => setLooked(storeId)}
                onPointerLeave={() => setLooked(undefined)}
              >
                {linePiecesOf(places, afterGap).map(({ column, from, to, dashed }) => (
                  <path
                    key={column}
                    d={curve(x(column), y(from), x(column + 1), y(to))}
                    fill="none"
                    stroke={colour}
                    strokeWidth={looked === storeId ? 3.5 : 2.25}
                    strokeDasharray={dashed ? '3 4' : undefined}
                  />
                ))}
                {places.map((place, column) =>
                  place === undefined ? null : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the series
                    <g key={column}>
                      <circle
                        cx={x(column)}
                        cy={y(place)}
                        r={4.5}
                        fill={index < 8 ? colour : cssColour('--surface')}
                        stroke={colour}
                        strokeWidth={2}
                      />
                      <title>{`${name}: ${placeText(place)}, ${dayText(days[column] ?? '')}`}</title>
                    </g>
                  ),
                )}
                {changes.map(({ column, day, text: what }) => (
                  <path
                    key={`${day} ${what}`}
                    d={diamond(x(column), y(places[column] ?? 'absent') - 11)}
                    fill={colour}
                    stroke={cssColour('--surface')}
                  >
                    <title>{`${name}: ${what}, first seen ${dayText(day)}`}</title>
                  </path>
                ))}
                {typeof last === 'number' && last <= placesShown && (
                  <text x={end + 6} y={y(last)} fill={strong} dominantBaseline="central">
                    {shortened(name, names)}
                    <title>{name}</title>
                  </text>
                )}
              </g>
            )
          })}
        </svg>
      )}
    </div>
  )
}

const y = (place: number | 'absent'): number =>
  top + (place === 'absent' ? laneAbsent : Math.min(place, laneBelow)) * rowHeight - rowHeight / 2

const curve = (x1: number, y1: number, x2: number, y2: number): string => {
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

/** Above a place: a change of the listing. */
const diamond = (x: number, y: number): string => `M${x} ${y - 5}l5 5-5 5-5-5z`

const placeText = (place: Place): string =>
  place === undefined ? 'no data' : place === 'absent' ? 'not in the results' : `rank ${count(place)}`

const letterWidth = 6.6

function shortened(name: string, width: number): string {
  const letters = [...name]
  const most = Math.floor(width / letterWidth)
  return letters.length > most ? `${letters.slice(0, Math.max(1, most - 1)).join('')}…` : name
}

const changesIn = (lines: BumpColumns['lines'], column: number): string =>
  lines
    .flatMap(({ name, changes }) =>
      changes.flatMap((change) => (change.column === column ? [`${name}: ${change.text}, ${change.day}`] : [])),
    )
    .join('; ')

/** The text alternative of the chart. */
const summaryOf = (days: readonly string[], lines: BumpColumns['lines']): string =>
  `${days.length} snapshots, ${days[0]} to ${days.at(-1)}. ${lines
    .map(({ name, places }) => `${name}: ${placeText(places.at(0))}, then ${placeText(places.at(-1))}`)
    .join('; ')}`

function PlacesTable({ label, bump: { days, lines } }: { label: string; bump: BumpColumns }) {
  const columns: Column<number>[] = [
    {
      id: 'day',
      name: 'Day',
      width: 130,
      value: (index) => days[index] ?? null,
      cell: (index) => dayText(days[index] ?? ''),
    },
    ...lines.map(
      ({ storeId, name, places }): Column<number> => ({
        id: storeId,
        name,
        width: 130,
        align: 'end',
        value: (index) => {
          const place = places[index]
          return typeof place === 'number' ? place : null
        },
        cell: (index) => {
          const place = places[index]
          return typeof place === 'number' ? (
            count(place)
          ) : (
            <span className="quiet">{place === 'absent' ? '∅ not in results' : 'no data'}</span>
          )
        },
      }),
    ),
  ]
  return (
    <DataTable
      label={`${label}, as a table`}
      rows={days.map((_, index) => days.length - 1 - index)}
      rowId={(index) => days[index] ?? ''}
      columns={columns}
      height={heightOf()}
      pinned
      empty={null}
    />
  )
}
