import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
} from 'react-aria-components'
import styles from './fields.module.css'
import type { Option } from './fields.tsx'
import { ChevronDown } from './icons.ts'

/** Any number of a few. Nothing chosen means any. */
export function SelectSome<Value extends string>({
  label,
  options,
  values,
  onChange,
}: {
  label: string
  options: readonly Option<Value>[]
  values: readonly Value[]
  onChange: (values: Value[]) => void
}) {
  const chosen = options.filter(({ id }) => values.includes(id)).map(({ name }) => name)
  return (
    <AriaSelect
      className={styles.field ?? ''}
      selectionMode="multiple"
      value={[...values]}
      onChange={(keys) => onChange(options.map(({ id }) => id).filter((id) => keys.includes(id)))}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <Button className={styles.select ?? ''}>
        <SelectValue className={styles.chosen ?? ''}>
          {() => (chosen.length === 0 ? 'Any' : chosen.join(', '))}
        </SelectValue>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className={styles.popover ?? ''}>
        <ListBox className={styles.list ?? ''} items={options}>
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className={`${styles.item} ${styles.ticked}`}>
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
