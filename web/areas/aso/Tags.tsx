import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { count } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import { customProperties } from '../../ui/css.ts'
import styles from './aso.module.css'
import { type Tag, tagInWords, tags } from './tags.ts'

/** Which colour of a series each has. */
const series: Record<Tag, number> = { name: 1, subtitle: 7, rival: 2, brand: 4, suggested: 3, mover: 8 }

const colourOf = (tag: Tag) => customProperties({ '--tag': `var(--series-${series[tag]})` })

/** What the account wrote of a keyword, and what is known of it, as coloured chips. */
export function Tags({ has, own, note }: { has: readonly Tag[]; own: readonly string[]; note: string | null }) {
  return (
    <span className={`${styles.tags} line wrap stretch gap-1`}>
      {own.map((tag) => (
        <span key={tag} className={`${styles.chip} line gap-1 tiny nobreak ink`}>
          <bdi>{tag}</bdi>
        </span>
      ))}
      {note && <Note text={note} />}
      {has.map((tag) => (
        <Chip key={tag} tag={tag} />
      ))}
    </span>
  )
}

function Note({ text }: { text: string }) {
  const provenance = useProvenance(() => (
    <p className="anywhere">
      <bdi>{text}</bdi>
    </p>
  ))
  return (
    <span className={`${styles.chip} line gap-1 tiny nobreak ink`} {...provenance}>
      Note
    </span>
  )
}

function Chip({ tag }: { tag: Tag }) {
  const { name, means } = tagInWords[tag]
  const provenance = useProvenance(() => <p>{means}</p>)
  return (
    <span className={`${styles.chip} line gap-1 tiny nobreak ink`} style={colourOf(tag)} {...provenance}>
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
      className={`${styles.tags} line wrap stretch gap-1`}
    >
      {tags
        .filter((tag) => counts.has(tag) || chosen.includes(tag))
        .map((tag) => (
          <ToggleButton
            key={tag}
            id={tag}
            className={`${styles.chip} ${styles.choice} line gap-1 tiny nobreak ink`}
            style={colourOf(tag)}
          >
            {tagInWords[tag].name} <span className="quiet">{count(counts.get(tag) ?? 0)}</span>
          </ToggleButton>
        ))}
    </ToggleButtonGroup>
  )
}
