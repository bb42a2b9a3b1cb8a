import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fileName } from '../../../charts/LineChart.tsx'
import { saveSvgAsPng } from '../../../charts/svg-png.ts'
import { counted } from '../../../evidence/format.ts'
import type { Country } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Download } from '../../../ui/icons.ts'
import { Empty } from '../../../ui/parts.tsx'
import { drawnOf } from './drawn.ts'
import { GapAxes } from './GapAxes.tsx'
import { GapBubble } from './GapBubble.tsx'
import { GapKey } from './GapKey.tsx'
import styles from './gap.module.css'
import type { GapKeyword } from './gap.ts'
import { layOutGap } from './gap-layout.ts'

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
  const drawn = useMemo(() => keywords.flatMap(drawnOf), [keywords])
  const layout = useMemo(() => layOutGap(drawn, Math.max(300, width), height), [drawn, width])
  const label = `Keywords by the rank of ${own} and ${rival}`
  const open = (term: string) =>
    void navigate({ to: '/aso/keywords/$term', params: { term }, search: { country } })
  if (drawn.length === 0)
    return (
      <Empty title="Nothing to draw">
        None of these keywords has a page on which one of the two ranks. The table lists them.
      </Empty>
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
            xmlns="http://www.w3.org/2000/svg"
            viewBox={`0 0 ${layout.width} ${layout.height}`}
            width={layout.width}
            height={layout.height}
            role="group"
            aria-label={`${label}. ${counted(drawn.length, 'keyword')}; the arrow keys go through them. The table below says the same.`}
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
