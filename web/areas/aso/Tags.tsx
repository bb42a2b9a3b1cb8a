import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { count } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import styles from './Tags.module.css'
import { type Tag, tagInWords, tags } from './tags.ts'

/** What is known of a keyword, as coloured chips. */
export function Tags({ has }: { has: readonly Tag[] }) {
  return (
    <span className={styles.tags}>
      {has.map((tag) => (
        <Chip key={tag} tag={tag} />
      ))}
    </span>
  )
}

function Chip({ tag }: { tag: Tag }) {
  const { name, means } = tagInWords[tag]
  const provenance = useProvenance(() => <p>{means}</p>)
  return (
    <span className={`${styles.chip} ${styles[tag]}`} {...provenance}>
      {name}
    </span>
  )
}

/** Chooses tags that all shown keywords must have. */
export function TagFilter({
  chosen,
  counts,
  onChange,
}: {
  chosen: readonly Tag[]
  /** Keywords with each tag. */
  counts: ReadonlyMap<Tag, number>
  onChange: (chosen: Tag[]) => void
}) {
  return (
    <ToggleButtonGroup
      aria-label="Tags"
      selectionMode="multiple"
      selectedKeys={chosen}
      onSelectionChange={(keys) => onChange(tags.filter((tag) => keys.has(tag)))}
      className={styles.tags ?? ''}
    >
      {tags
        .filter((tag) => counts.has(tag) || chosen.includes(tag))
        .map((tag) => (
          <ToggleButton key={tag} id={tag} className={`${styles.chip} ${styles.choice} ${styles[tag]}`}>
            {tagInWords[tag].name} <span className="quiet">{count(counts.get(tag) ?? 0)}</span>
          </ToggleButton>
        ))}
    </ToggleButtonGroup>
  )
}
