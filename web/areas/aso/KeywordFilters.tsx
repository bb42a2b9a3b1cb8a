import { useEffect, useState } from 'react'
import { Group, Input, Label, NumberField } from 'react-aria-components'
import { Button } from '../../ui/Button.tsx'
import fields from '../../ui/fields.module.css'
import { SearchField, Select } from '../../ui/fields.tsx'
import { Filters } from '../../ui/parts.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import styles from './aso.module.css'
import { filtersOf, type KeywordSearch, noFilters } from './keyword-filters.ts'
import { SavedFilters } from './SavedFilters.tsx'
import { TagFilter } from './Tags.tsx'
import type { Tag } from './tags.ts'

type Filter = ReturnType<typeof filtersOf>

const anything = 'any'

/** Narrows the keyword table; all of it stands in the address. */
export function KeywordFilters({
  search,
  counts,
  ownTags,
  onChange,
}: {
  search: KeywordSearch
  counts: ReadonlyMap<Tag, number>
  /** Tags that the account gave keywords of the app. */
  ownTags: readonly string[]
  /** Called with what changes; undefined takes a filter away. */
  onChange: (change: { [Name in keyof Filter]: Filter[Name] | undefined }) => void
}) {
  const { q, state, moved, rankFrom, rankTo, difficultyFrom, difficultyTo, tags = [], own = [] } = search
  const isFiltered = Object.keys(filtersOf(search)).length > 0
  const offered = [...new Set([...ownTags, ...own])]
  const folded = [own[0], moved, rankFrom ?? rankTo, difficultyFrom ?? difficultyTo].filter(
    (one) => one !== undefined,
  )
  const [isOpen, setOpen] = useState(folded.length > 0)
  return (
    <div className={`${styles.filters} rule-below stack pad`}>
      <Filters label="Filter keywords">
        <TypedText value={q ?? ''} onChange={(text) => onChange({ q: text || undefined })} />
        <Select
          label="Status"
          value={state ?? anything}
          options={[
            { id: anything, name: 'Any' },
            { id: 'ranked', name: 'Ranked' },
            { id: 'absent', name: 'Not ranked' },
            { id: 'not-measured', name: 'No data' },
          ]}
          onChange={(chosen) => onChange({ state: chosen === anything ? undefined : chosen })}
        />
        <div className={styles.folded} data-open={isOpen}>
          {offered.length > 0 && (
            <SelectSome
              label="Custom tags"
              options={offered.map((tag) => ({ id: tag, name: tag }))}
              values={own}
              onChange={(chosen) => onChange({ own: chosen.length > 0 ? chosen : undefined })}
            />
          )}
          <Select
            label="Rank changed in"
            value={String(moved ?? anything)}
            options={[
              { id: anything, name: 'Any' },
              { id: '1', name: '1 day' },
              { id: '7', name: '7 days' },
              { id: '30', name: '30 days' },
            ]}
            onChange={(chosen) =>
              onChange({ moved: chosen === anything ? undefined : (Number(chosen) as 1 | 7 | 30) })
            }
          />
          <Range
            name="Rank"
            least={1}
            most={1_000}
            from={rankFrom}
            to={rankTo}
            onChange={(from, to) => onChange({ rankFrom: from, rankTo: to })}
          />
          <Range
            name="Difficulty"
            least={0}
            most={100}
            from={difficultyFrom}
            to={difficultyTo}
            onChange={(from, to) => onChange({ difficultyFrom: from, difficultyTo: to })}
          />
        </div>
      </Filters>
      <div className="row">
        <TagFilter
          chosen={tags}
          counts={counts}
          onChange={(chosen) => onChange({ tags: chosen.length > 0 ? chosen : undefined })}
        />
        <span className={styles.unfolds}>
          <Button small look="bare" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer filters' : folded.length > 0 ? `More filters (${folded.length})` : 'More filters'}
          </Button>
        </span>
        {isFiltered && (
          <Button small look="bare" onPress={() => onChange(noFilters)}>
            Clear filters
          </Button>
        )}
        <SavedFilters search={search} onChoose={(filters) => onChange({ ...noFilters, ...filters })} />
      </div>
    </div>
  )
}

const afterMs = 120

/** A search field that answers every key at once, and tells the address when the typing pauses. */
function TypedText({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [told, setTold] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // The address may also change by itself: back, forward, or "Clear filters".
    if (value !== told) {
      setTold(value)
      setText(value)
    }
  }
  useEffect(() => {
    if (text === told) return
    const timer = setTimeout(() => {
      setTold(text)
      onChange(text)
    }, afterMs)
    return () => clearTimeout(timer)
  }, [text, told, onChange])
  return <SearchField label="Keyword" labelHidden={false} value={text} onChange={setText} />
}

/** From and to, either of which may be left open. */
function Range({
  name,
  least,
  most,
  from,
  to,
  onChange,
}: {
  name: string
  least: number
  most: number
  from: number | undefined
  to: number | undefined
  onChange: (from: number | undefined, to: number | undefined) => void
}) {
  const field = (label: string, value: number | undefined, set: (value: number | undefined) => void) => (
    <NumberField
      aria-label={label}
      minValue={least}
      maxValue={most}
      value={value ?? Number.NaN}
      onChange={(next) => set(Number.isNaN(next) ? undefined : next)}
      className="fills"
    >
      <Input className={`${fields.input} end`} />
    </NumberField>
  )
  return (
    <Group className="stack gap-1">
      <Label className="quiet small medium nobreak" elementType="span">
        {name} range
      </Label>
      <div className="row nowrap gap-1">
        {field(`${name} from`, from, (value) => onChange(value, to))}
        <span aria-hidden="true">–</span>
        {field(`${name} to`, to, (value) => onChange(from, value))}
      </div>
    </Group>
  )
}
