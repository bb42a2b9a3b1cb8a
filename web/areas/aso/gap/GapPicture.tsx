import { useNavigate } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { fileName } from '../../../charts/LineChart.tsx'
import { saveSvgAsPng } from '../../../charts/svg-png.ts'
import { count, decimal, momentText } from '../../../evidence/format.ts'
import { Line, useProvenance } from '../../../evidence/provenance.tsx'
import type { Country, Rank, Score100 } from '../../../evidence/shapes.ts'
import { Button } from '../../../ui/Button.tsx'
import { Empty } from '../../../ui/parts.tsx'
import styles from './gap.module.css'
import type { GapKeyword } from './gap.ts'
import { type GapLayout, type GapPoint, layOutGap, type PlacedPoint } from './gap-layout.ts'

const height = 460

interface Drawn extends GapPoint {
  keyword: GapKeyword
}

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
  const drawn = useMemo(() => keywords.flatMap(pointOf), [keywords])
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
    <figure className={styles.picture} aria-label={label}>
      <div className={styles.tools}>
        <Key />
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
            aria-label={`${label}. ${count(drawn.length)} keywords; the arrow keys go through them. The table below says the same.`}
            onKeyDown={moveBetweenPoints}
          >
            <Axes layout={layout} depths={depthsOf(drawn)} />
            {layout.points.map((placed, index) => (
              <Bubble
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

function pointOf(keyword: GapKeyword): Drawn[] {
  const { term, own, rival, opportunity, standing } = keyword
  if (standing === 'neither' || standing === 'not-measured') return []
  return [{ keyword, term, own: rankOf(own), rival: rankOf(rival), opportunity: scoreOf(opportunity) }]
}

const rankOf = (rank: Rank): number | null => (rank.state === 'measured' ? rank.value : null)
const scoreOf = (score: Score100): number | null => (score.state === 'measured' ? score.value : null)

/** How deep the pages were on which one of the two was looked for in vain. */
function depthsOf(drawn: readonly Drawn[]): { own: string; rival: string } {
  const text = (side: 'own' | 'rival') => {
    const depths = drawn.flatMap(({ keyword }) => {
      const rank = keyword[side]
      return rank.state === 'absent' ? [rank.depth] : []
    })
    if (depths.length === 0) return 'not found'
    const [least, most] = [Math.min(...depths), Math.max(...depths)]
    return least === most ? `not in ${count(most)}` : `not in ${count(least)}–${count(most)}`
  }
  return { own: text('own'), rival: text('rival') }
}

function Axes({ layout, depths }: { layout: GapLayout<Drawn>; depths: { own: string; rival: string } }) {
  const { field, rails, ticks, diagonal } = layout
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
          <text className={styles.tick} x={x} y={layout.height - 28} textAnchor="middle">
            {rank}
          </text>
          <text className={styles.tick} x={40} y={y} textAnchor="end">
            {rank}
          </text>
        </g>
      ))}
      <line className={styles.diagonal} {...diagonal} />
      <text className={styles.railName} x={rails.x} y={field.bottom - 6} textAnchor="middle">
        {depths.own}
      </text>
      <text className={styles.railName} x={field.left + 6} y={rails.y + 18} textAnchor="start">
        {depths.rival}
      </text>
      <text className={styles.side} x={field.left + 10} y={field.top + 14} textAnchor="start">
        Rival ahead
      </text>
      <text className={styles.side} x={field.right - 10} y={field.bottom - 10} textAnchor="end">
        Own ahead
      </text>
      <text
        className={styles.axis}
        x={(field.left + field.right) / 2}
        y={layout.height - 8}
        textAnchor="middle"
      >
        Own rank, better to the right
      </text>
      <text
        className={styles.axis}
        transform={`translate(11 ${(field.top + field.bottom) / 2}) rotate(-90)`}
        textAnchor="middle"
      >
        Rival rank, better on top
      </text>
    </g>
  )
}

function Bubble({
  placed: { point, x, y, radius },
  isFirst,
  onOpen,
}: {
  placed: PlacedPoint<Drawn>
  isFirst: boolean
  onOpen: () => void
}) {
  const { keyword } = point
  const provenance = useProvenance(() => <Told keyword={keyword} />)
  const look = `${styles.bubble} ${keyword.ahead === 'own' ? styles.own : styles.rival}`
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button cannot stand in a drawing
    <g
      {...provenance}
      tabIndex={isFirst ? 0 : -1}
      role="button"
      aria-label={inWords(keyword)}
      className={styles.point}
      onClick={onOpen}
      onKeyDown={(event) => event.key === 'Enter' && onOpen()}
    >
      {keyword.standing === 'both' ? (
        <circle className={look} cx={x} cy={y} r={radius} />
      ) : (
        <rect
          className={look}
          x={x - radius * 0.88}
          y={y - radius * 0.88}
          width={radius * 1.76}
          height={radius * 1.76}
          rx={2}
        />
      )}
    </g>
  )
}

function Told({ keyword }: { keyword: GapKeyword }) {
  const { term, own, rival, difficulty, opportunity, relevance, keywordId, observedAt, surface } = keyword
  return (
    <>
      <strong>
        <bdi>{term}</bdi>
      </strong>
      <dl>
        <Line name="Own">{rankText(own)}</Line>
        <Line name="Rival">{rankText(rival)}</Line>
        <Line name="Opportunity">{scoreText(opportunity)}</Line>
        <Line name="Difficulty">{scoreText(difficulty)}</Line>
        <Line name="Relevance">{scoreText(relevance)}</Line>
        <Line name="Tracked">{keywordId ? 'yes' : 'no'}</Line>
        {observedAt && <Line name="Page of">{`${momentText(observedAt)}, ${surface ?? ''}`}</Line>}
      </dl>
    </>
  )
}

const rankText = (rank: Rank): string =>
  rank.state === 'measured'
    ? `${count(rank.value)} of ${count(rank.depth)}`
    : rank.state === 'absent'
      ? `∅ not in ${count(rank.depth)}`
      : 'not measured'

const scoreText = (score: Score100): string =>
  score.state === 'measured' ? `${decimal(score.value)} (${score.formula})` : 'not measured'

const inWords = ({ term, own, rival, opportunity }: GapKeyword): string =>
  `${term}: own ${rankText(own)}, rival ${rankText(rival)}, opportunity ${scoreText(opportunity)}. Opens the keyword.`

function Key() {
  return (
    <ul className={styles.key}>
      <KeyEntry shape="circle" side="rival">
        rival ahead
      </KeyEntry>
      <KeyEntry shape="square" side="rival">
        rival only
      </KeyEntry>
      <KeyEntry shape="circle" side="own">
        own ahead
      </KeyEntry>
      <KeyEntry shape="square" side="own">
        own only
      </KeyEntry>
      <li className="quiet">Larger is a better opportunity</li>
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
    <li>
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
