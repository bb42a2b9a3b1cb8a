import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { SlidersHorizontal, X } from '../../ui/icons.ts'
import { Filters } from '../../ui/parts.tsx'
import styles from './creatives.module.css'

/** A filter that is set, and how it is taken away. */
export interface SetFilter {
  name: string
  value: string
  remove: () => void
}

/** Filters above a gallery: the search, those used most, all others on demand, and those that are set. */
export function FilterBar({
  search,
  sort,
  usual,
  others,
  set,
  clear,
}: {
  search: ReactNode
  sort: ReactNode
  usual: ReactNode
  others: ReactNode
  set: readonly SetFilter[]
  clear: () => void
}) {
  const [open, setOpen] = useState(false)
  return (
    <div className={`${styles.filterBar} stack`} data-open={open}>
      <div className="row stretch" data-screen-only>
        <div className={styles.searchBox}>{search}</div>
        <div className={styles.sort}>{sort}</div>
        <Button
          aria-expanded={open}
          icon={<SlidersHorizontal size={15} aria-hidden="true" />}
          onPress={() => setOpen(!open)}
        >
          {open ? 'Fewer filters' : 'More filters'}
        </Button>
      </div>
      <div className={styles.usual}>
        <Filters>{usual}</Filters>
      </div>
      {open && <Filters label="More filters">{others}</Filters>}
      {set.length > 0 && (
        <ul className="row" aria-label="Active filters">
          {set.map(({ name, value, remove }) => (
            <li key={name}>
              <button
                type="button"
                className="line gap-1 rounded selected fits small anywhere"
                style={{ minHeight: 26, paddingInline: 'var(--space-2)' }}
                onClick={remove}
              >
                <span className="hidden">Remove filter </span>
                <span className="quiet">{name}</span> <bdi>{value}</bdi>
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
          <li data-screen-only>
            <Button small look="bare" onPress={clear}>
              Clear all
            </Button>
          </li>
        </ul>
      )}
    </div>
  )
}
