import { Checkbox } from '../ui/fields.tsx'
import styles from './charts.module.css'

/** Whose listing changes a chart of ranks marks. */
export type Marked = 'own' | 'rivals'

/** Rivals whose changes are marked, so that marks can be told apart. */
export const mostMarked = 5

/** Chooses whose listing changes are marked. */
export function MarkedApps({
  hasRivals,
  marked,
  onChange,
}: {
  hasRivals: boolean
  marked: readonly Marked[]
  onChange: (marked: Marked[]) => void
}) {
  const box = (one: Marked, text: string, look: 'dashed' | 'dotted') => (
    <Checkbox
      isSelected={marked.includes(one)}
      onChange={(isMarked) =>
        onChange([...marked.filter((other) => other !== one), ...(isMarked ? [one] : [])])
      }
    >
      <span className="line gap-1">
        <span className={styles.markKey} style={{ borderInlineStartStyle: look }} aria-hidden="true" />
        {text}
      </span>
    </Checkbox>
  )
  return (
    <>
      {box('own', 'Listing changes', 'dashed')}
      {hasRivals && box('rivals', 'Competitors’ listing changes', 'dotted')}
    </>
  )
}
