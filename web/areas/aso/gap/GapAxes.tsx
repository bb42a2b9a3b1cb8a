import { count } from '../../../evidence/format.ts'
import type { DrawnKeyword } from './drawn.ts'
import styles from './gap.module.css'
import type { GapLayout } from './gap-layout.ts'

/** The field where both apps rank, the rails beside it, and which ranks are where. */
export function GapAxes({ layout }: { layout: GapLayout<DrawnKeyword> }) {
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
      {sides.map(({ text, x, y, anchor }) => (
        <text key={text} className={`${styles.side} bold`} x={x} y={y} textAnchor={anchor}>
          {text}
        </text>
      ))}
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

/** How deep the pages were on which one of the two was looked for in vain. */
function depthsOf(drawn: readonly DrawnKeyword[]): { own: string; rival: string } {
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
