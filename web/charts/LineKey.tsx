import styles from './charts.module.css'

/** Lines beyond eight repeat the colours, told apart by their dashes: eight each are solid, dashed and dotted. */
const dashes = ['solid', 'dashed', 'dotted'] as const

/** How a line is drawn, beside its name. */
export const LineKey = ({ index }: { index: number }) => (
  <span
    className={styles.key}
    style={{
      borderColor: `var(--series-${(index % 8) + 1})`,
      borderTopStyle: dashes[Math.floor(index / 8) % 3],
    }}
  />
)
