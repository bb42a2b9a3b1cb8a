import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { count } from '../../evidence/format.ts'
import { useProvenance } from '../../evidence/provenance.tsx'
import { customProperties } from '../../ui/css.ts'
import styles from './aso.module.css'
import { type Tag, tagInWords, tags } from './tags.ts'

/** Which colour of a series each has. */
const series: Record<Tag, number> = { name: 1, subtitle: 7, rival: 2, brand: 4, suggested: 3, mover: 8 }

const colourOf = (tag: Tag) => customProperties({ '--tag': `var(--series-${series[tag]})` })

/** Chips that a cell has room for; the others are told on hover and focus. */
const mostChips = 2
/** Characters of a chip that stays whole beside another one. */
const longName = 8

interface ChipShown {
  id: string
  name: string
  /** Told of it. */
  means?: string
  tag?: Tag
}

/** What the account wrote of a keyword, and what is known of it, as chips: its own tags and its note first. */
export function Tags({ has, own, note }: { has: readonly Tag[]; own: readonly string[]; note: string | null }) {
  const chips: ChipShown[] = [
    ...own.map((tag) => ({ id: `own ${tag}`, name: tag })),
    ...(note ? [{ id: 'note', name: 'Note', means: note }] : []),
    ...has.map((tag) => ({ ...tagInWords[tag], id: tag, tag })),
  ]
  const others = chips.slice(mostChips)
  return (
    <span className={`${styles.tags} line fits gap-1`}>
      {chips.slice(0, mostChips).map((chip) => (
        <Chip key={chip.id} chip={chip} />
      ))}
      {others.length > 0 && <Others chips={others} />}
    </span>
  )
}

function Chip({ chip: { name, means, tag } }: { chip: ChipShown }) {
  const provenance = useProvenance(() => (
    <p className="anywhere">
      <bdi>{means ?? name}</bdi>
    </p>
  ))
  return (
    <span
      className={`${styles.chip} line gap-1 tiny nobreak ink ${name.length > longName ? 'shrinks' : 'fixed'}`}
      style={tag && colourOf(tag)}
      {...provenance}
    >
      <bdi className="cut">{name}</bdi>
    </span>
  )
}

function Others({ chips }: { chips: readonly ChipShown[] }) {
  const provenance = useProvenance(() => (
    <ul>
      {chips.map(({ id, name, means }) => (
        <li key={id} className="anywhere">
          <bdi>{id === 'note' ? `${name}: ${means}` : name}</bdi>
        </li>
      ))}
    </ul>
  ))
  return (
    <span className="quiet tiny fixed" {...provenance}>
      <span aria-hidden="true">+{count(chips.length)}</span>
      <span className="hidden">{chips.map(({ name }) => name).join(', ')}</span>
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
