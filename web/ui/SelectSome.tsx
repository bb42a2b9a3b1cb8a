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
      className="stack gap-1 shrinks"
      selectionMode="multiple"
      value={[...values]}
      onChange={(keys) => onChange(options.map(({ id }) => id).filter((id) => keys.includes(id)))}
    >
      <Label className="quiet small medium">{label}</Label>
      <Button className={`${styles.select} line between start`}>
        <SelectValue className="cut shrinks">
          {() => (chosen.length === 0 ? 'Any' : chosen.join(', '))}
        </SelectValue>
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className={`${styles.popover} raised`}>
        <ListBox className={styles.list ?? ''} items={options}>
          {({ id, name }) => (
            <ListBoxItem
              id={id}
              textValue={name}
              className={`${styles.ticked} option row nowrap stretch between gap-3`}
            >
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
