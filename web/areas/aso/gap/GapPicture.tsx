import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fileName } from '../../../charts/LineChart.tsx'
import { saveSvgAsPng } from '../../../charts/svg-png.ts'
import { count, countWithNoun } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Download } from '../../../ui/icons.ts'
import { Empty } from '../../../ui/parts.tsx'
import { type DrawnKeyword, drawnKeywordsOf } from './drawn-keywords.ts'
import { GapBubble } from './GapBubble.tsx'
import styles from './gap.module.css'
import type { GapKeyword } from './gap.ts'
import { type GapLayout, layOutGap } from './gap-layout.ts'

const height = 460

/** Keywords by the rank of both apps. What cannot be placed, because nobody ranks or nobody looked, is in the table alone. */
export function GapPicture({
  keywords,
  own,
  rival,
  country,
}: {
  keywords: readonly GapKeyword[]
  own: string
  rival: string
  country: Country
}) {
  const svg = useRef<SVGSVGElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const width = useWidth(host)
  const navigate = useNavigate()
  const drawn = useMemo(() => keywords.flatMap(drawnKeywordsOf), [keywords])
  const layout = useMemo(() => layOutGap(drawn, Math.max(300, width), height), [drawn, width])
  const label = `Keyword ranks of ${own} and ${rival}`
  const open = (term: string) =>
    void navigate({ to: '/aso/keywords/$term', params: { term }, search: { country } })
  if (drawn.length === 0)
    return (
      <Empty title="No ranks to chart">Neither app has a rank for these keywords. The table lists them.</Empty>
    )
  return (
    <figure
      className="shrinks"
      style={{ padding: 'var(--space-2) var(--space-3) var(--space-3)' }}
      aria-label={label}
    >
      <div className="row between" style={{ paddingBottom: 'var(--space-2)' }}>
        <GapKey />
        <Button
          small
          look="bare"
          icon={<Download size={13} aria-hidden="true" />}
          onPress={() =>
            svg.current && void saveSvgAsPng(svg.current, `${fileName(`${own} ${rival} gap`)}.png`)
          }
        >
          PNG
        </Button>
      </div>
      <div ref={host}>
        {width > 0 && (
          // biome-ignore lint/a11y/useSemanticElements: a set of fields cannot be drawn in
          <svg
            ref={svg}
            className={styles.drawing}
            xmlns="http://www.w3.org/2000/svg"
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            width={layout.width}
            height={layout.height}
            role="group"
            aria-label={`${label}. ${countWithNoun(drawn.length, 'keyword')}; use the arrow keys to move between them. The table below has the same data.`}
            onKeyDown={moveBetweenPoints}
          >
            <GapAxes layout={layout} />
            {layout.points.map((placed, index) => (
              <GapBubble
                key={placed.point.term}
                placed={placed}
                isFirst={index === 0}
                onOpen={() => open(placed.point.term)}
              />
            ))}
            {layout.labels.map(({ text, x, y, anchor }) => (
              // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a text in a drawing takes no focus
              <text key={text} x={x} y={y} textAnchor={anchor} className={styles.name} aria-hidden="true">
                {text}
              </text>
            ))}
          </svg>
        )}
      </div>
    </figure>
  )
}

/** The arrow keys go from keyword to keyword, in the order of the list. */
function moveBetweenPoints(event: KeyboardEvent<SVGSVGElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const points = [...event.currentTarget.querySelectorAll<SVGGElement>('[role="button"]')]
  const at = points.indexOf(event.target as SVGGElement)
  points[Math.max(0, Math.min(points.length - 1, at + step))]?.focus()
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const host = element.current
    if (!host) return
    setWidth(host.clientWidth)
    const sizes = new ResizeObserver(() => setWidth(host.clientWidth))
    sizes.observe(host)
    return () => sizes.disconnect()
  }, [element])
  return width
}

/** The field where both apps rank, the rails beside it, and which ranks are where. */
function GapAxes({ layout }: { layout: GapLayout<DrawnKeyword> }) {
  const depths = depthsOf(layout.points.map(({ point }) => point))
  const { field, rails, ticks, diagonal, sides } = layout
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus
    <g aria-hidden="true">
      <rect
        className={styles.field}
        x={field.left}
        y={field.top}
        width={field.right - field.left}
        height={field.bottom - field.top}
      />
      <rect
        className={styles.rail}
        x={rails.x - 26}
        y={field.top}
        width={52}
        height={field.bottom - field.top}
      />
      <rect
        className={styles.rail}
        x={field.left}
        y={rails.y - 26}
        width={field.right - field.left}
        height={52}
      />
      {ticks.map(({ rank, x, y }) => (
        <g key={rank}>
          <line className={styles.grid} x1={x} x2={x} y1={field.top} y2={field.bottom} />
          <line className={styles.grid} x1={field.left} x2={field.right} y1={y} y2={y} />
          <text x={x} y={layout.height - 28} textAnchor="middle">
            {rank}
          </text>
          <text x={40} y={y} textAnchor="end">
            {rank}
          </text>
        </g>
      ))}
      <line className={styles.diagonal} {...diagonal} />
      <text x={rails.x} y={field.bottom - 6} textAnchor="middle">
        {depths.own}
      </text>
      <text x={field.left + 6} y={rails.y + 18} textAnchor="start">
        {depths.rival}
      </text>
      {sides.map(({ text, x, y, anchor }) => (
        <text key={text} className="bold" x={x} y={y} textAnchor={anchor}>
          {text}
        </text>
      ))}
      <text x={(field.left + field.right) / 2} y={layout.height - 8} textAnchor="middle">
        Rank of this app, better to the right
      </text>
      <text transform={`translate(11 ${(field.top + field.bottom) / 2}) rotate(-90)`} textAnchor="middle">
        Rank of the competitor, better at the top
      </text>
    </g>
  )
}

/** The depth of the pages on which one of the two apps was not found. */
function depthsOf(drawn: readonly DrawnKeyword[]): { own: string; rival: string } {
  const text = (side: 'own' | 'rival') => {
    const depths = drawn.flatMap(({ keyword }) => {
      const rank = keyword[side]
      return rank.state === 'absent' ? [rank.depth] : []
    })
    if (depths.length === 0) return 'not ranked'
    const [least, most] = [Math.min(...depths), Math.max(...depths)]
    return least === most ? `>${count(most)}` : `>${count(least)}–${count(most)}`
  }
  return { own: text('own'), rival: text('rival') }
}

/** The legend of shapes, colours and sizes. */
function GapKey() {
  return (
    <ul className="row stretch gap-4 rows-1 small">
      <KeyEntry shape="circle" side="rival">
        competitor ahead
      </KeyEntry>
      <KeyEntry shape="square" side="rival">
        competitor only
      </KeyEntry>
      <KeyEntry shape="circle" side="own">
        this app ahead
      </KeyEntry>
      <KeyEntry shape="square" side="own">
        this app only
      </KeyEntry>
      <li className="quiet">Larger: better opportunity</li>
    </ul>
  )
}

function KeyEntry({
  shape,
  side,
  children,
}: {
  shape: 'circle' | 'square'
  side: 'own' | 'rival'
  children: string
}) {
  return (
    <li className="line">
      <svg width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
        {shape === 'circle' ? (
          <circle className={`${styles.bubble} ${styles[side]}`} cx={6} cy={6} r={5} />
        ) : (
          <rect className={`${styles.bubble} ${styles[side]}`} x={1} y={1} width={10} height={10} rx={2} />
        )}
      </svg>
      {children}
    </li>
  )
}
