import styles from './gap.module.css'

/** What shapes, colours and sizes mean. */
export function GapKey() {
  return (
    <ul className="row stretch gap-4 rows-1 small">
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
