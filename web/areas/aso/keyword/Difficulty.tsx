import { NotMeasured } from '../../../evidence/Fact.tsx'
import { count, counted, momentText, share } from '../../../evidence/format.ts'
import { Panel } from '../../../ui/parts.tsx'
import styles from '../aso.module.css'
import type { Exploration } from '../shapes.ts'

/** What a difficulty is made of: a bar for each part, and the figures of the page behind it. */
export function Difficulty({ difficulty }: { difficulty: Exploration['difficulty'] }) {
  if (difficulty.state === 'not-measured')
    return (
      <Panel title="Difficulty">
        <NotMeasured reason={difficulty.reason} />
      </Panel>
    )
  const { value, parts, brand, results, observedAt } = difficulty
  return (
    <Panel
      title={`Difficulty: ${count(value)} of 100`}
      note={`How hard it is to rank in the top 10. From the first ${counted(results, 'result')} of the page of ${momentText(observedAt)}.`}
    >
      <ul className="stack small">
        {parts.map(({ name, value, weight, text }) => (
          <li key={name}>
            <div className="row nowrap baseline">
              <strong>{partName(name)}</strong>
              <span className="quiet">{share(weight)} of the score</span>
              <span className="pushed">{count(value)}</span>
            </div>
            <meter min={0} max={100} value={value} aria-label={partName(name)} className={styles.difficulty} />
            <p className="quiet">{text}</p>
          </li>
        ))}
      </ul>
      {brand && (
        <p>
          A brand name, of <bdi>{brand.name}</bdi>: most people who type it look for that app. {brand.text}
        </p>
      )}
    </Panel>
  )
}

/** `Rating strength` of `rating-strength`. */
const partName = (name: string): string => {
  const words = name.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
