import styles from './charts.module.css'

/**
 * The course of a few dozen values in a cell. A gap is a gap; a day the app was looked for in vain is a mark at the foot.
 * @param values undefined where nothing was measured, 'absent' where it was looked for and not there
 * @param inverted the smallest value on top, for ranks
 */
export function Sparkline({
  values,
  label,
  inverted = false,
  width = 96,
  height = 22,
}: {
  values: readonly (number | 'absent' | undefined)[]
  label: string
  inverted?: boolean
  width?: number
  height?: number
}) {
  const numbers = values.filter((value) => typeof value === 'number')
  if (numbers.length === 0 && !values.includes('absent')) return <span className="quiet">no data</span>
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const x = (index: number) => 2 + (index * (width - 4)) / Math.max(1, values.length - 1)
  const y = (value: number) => {
    const part = high === low ? 0.5 : (value - low) / (high - low)
    return 3 + (inverted ? part : 1 - part) * (height - 8)
  }
  let path = ''
  let marks = ''
  let open = false
  for (const [index, value] of values.entries()) {
    if (value === 'absent') marks += `M${(x(index) - 1).toFixed(1)} ${height - 3}h2v2h-2z`
    if (typeof value !== 'number') {
      open = false
      continue
    }
    const alone = !open && typeof values[index + 1] !== 'number'
    path += `${open ? 'L' : 'M'}${x(index).toFixed(1)} ${y(value).toFixed(1)}${alone ? 'h.01' : ''}`
    open = true
  }
  return (
    <svg className={styles.sparkline} width={width} height={height} role="img" aria-label={label}>
      <path d={path} />
      {marks && <path d={marks} className={styles.marks} />}
    </svg>
  )
}
