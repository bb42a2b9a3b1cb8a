import { type ReactNode, useMemo, useState } from 'react'
import {
  Checkbox as AriaCheckbox,
  SearchField as AriaSearchField,
  Select as AriaSelect,
  TextField as AriaTextField,
  Button,
  type CheckboxProps,
  ComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  ListLayout,
  Popover,
  type SearchFieldProps,
  SelectValue,
  Text,
  TextArea,
  type TextFieldProps,
  Virtualizer,
} from 'react-aria-components'
import styles from './fields.module.css'
import { ChevronDown, Search, X } from './icons.ts'

interface Described {
  label: string
  /** Reads the label to those who cannot see it, and shows it to nobody. */
  labelHidden?: boolean
  description?: string | undefined
}

function Named({ label, labelHidden = false }: Described) {
  return <Label className={labelHidden ? 'hidden' : 'quiet small medium'}>{label}</Label>
}

export function TextField({
  label,
  labelHidden,
  description,
  placeholder,
  lines,
  error,
  ...props
}: Omit<TextFieldProps, 'className' | 'children' | 'style'> &
  Described & {
    placeholder?: string
    /** More than one makes it a field of several lines. */
    lines?: number
    error?: string | undefined
  }) {
  const isInvalid = error === undefined ? props.isInvalid : true
  return (
    <AriaTextField
      {...props}
      {...(isInvalid === undefined ? {} : { isInvalid })}
      // The browser would not send a form again whose field a service has found wrong.
      validationBehavior={isInvalid ? 'aria' : 'native'}
      className="stack gap-1 shrinks"
    >
      <Named label={label} labelHidden={labelHidden ?? false} />
      {lines && lines > 1 ? (
        <TextArea className={styles.area ?? ''} rows={lines} {...(placeholder ? { placeholder } : {})} />
      ) : (
        <Input className={styles.input ?? ''} {...(placeholder ? { placeholder } : {})} dir="auto" />
      )}
      {description && (
        <Text slot="description" className="quiet small">
          {description}
        </Text>
      )}
      <FieldError className="small bad">{error}</FieldError>
    </AriaTextField>
  )
}

export function SearchField({
  label,
  labelHidden = true,
  placeholder,
  ...props
}: Omit<SearchFieldProps, 'className' | 'children' | 'style'> & Described & { placeholder?: string }) {
  return (
    <AriaSearchField {...props} className={`stack gap-1 shrinks ${styles.search}`}>
      <Named label={label} labelHidden={labelHidden} />
      <div className={styles.combo}>
        <Search size={15} aria-hidden="true" />
        <Input className={styles.bareInput ?? ''} {...(placeholder ? { placeholder } : {})} dir="auto" />
        <Button className={styles.clear ?? ''} aria-label="Clear">
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
    </AriaSearchField>
  )
}

/** Before it there was no App Store: a year such as 0002 is on the way to 2026. */
const firstYear = '2008'

/**
 * A day, by the browser's own calendar. It is told once it is whole; a field that is left empty tells that there is no day.
 * What is typed halfway tells nothing.
 */
export function DayField({
  label,
  labelHidden,
  value,
  onChange,
  min,
  max,
}: Described & {
  /** `YYYY-MM-DD` */
  value: string | undefined
  onChange: (day: string | undefined) => void
  min?: string | undefined
  max?: string | undefined
}) {
  const [draft, setDraft] = useState<string>()
  return (
    <AriaTextField
      className="stack gap-1 shrinks"
      type="date"
      value={draft ?? value ?? ''}
      onChange={(day) => {
        const isWhole = day >= firstYear
        setDraft(isWhole ? undefined : day)
        if (isWhole) onChange(day)
      }}
      onBlur={() => {
        setDraft(undefined)
        if (draft === '' && value !== undefined) onChange(undefined)
      }}
    >
      <Named label={label} labelHidden={labelHidden ?? false} />
      <Input className={styles.input ?? ''} min={min} max={max} />
    </AriaTextField>
  )
}

export interface Option<Value extends string> {
  id: Value
  name: string
}

/** One of a few. */
export function Select<Value extends string>({
  label,
  labelHidden,
  options,
  value,
  onChange,
  isDisabled = false,
}: Described & {
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
}) {
  return (
    <AriaSelect
      className="stack gap-1 shrinks"
      selectedKey={value}
      isDisabled={isDisabled}
      onSelectionChange={(key) => onChange(key as Value)}
    >
      <Named label={label} labelHidden={labelHidden ?? false} />
      <Button className={`${styles.select} line between start`}>
        <SelectValue className="cut shrinks" />
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
      <Popover className={`${styles.popover} raised`}>
        <ListBox className={styles.list ?? ''} items={options}>
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className="option">
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}

/** In pixels: a list of which only what is in view is drawn, and an option of it in one line. */
const longListHeight = 400
const optionHeight = 32

/** One of many, found by typing. */
export function Choice<Value extends string>({
  label,
  labelHidden,
  placeholder,
  options,
  value,
  onChange,
}: Described & {
  placeholder?: string
  options: readonly Option<Value>[]
  value: Value | null
  onChange: (value: Value) => void
}) {
  // The library builds its list anew whenever it is given another element.
  const parts = useMemo(
    () => (
      <>
        <Named label={label} labelHidden={labelHidden ?? false} />
        <div className={styles.combo}>
          <Input className={styles.bareInput ?? ''} {...(placeholder ? { placeholder } : {})} />
          <Button className={styles.clear ?? ''}>
            <ChevronDown size={14} aria-hidden="true" />
          </Button>
        </div>
        <Popover maxHeight={longListHeight} className={`${styles.popover} ${styles.longList} raised`}>
          <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: optionHeight }}>
            <ListBox className={styles.list ?? ''}>
              {({ id, name }: Option<Value>) => (
                <ListBoxItem id={id} textValue={name} className="option">
                  {name}
                </ListBoxItem>
              )}
            </ListBox>
          </Virtualizer>
        </Popover>
      </>
    ),
    [label, labelHidden, placeholder],
  )
  return (
    <ComboBox
      className="stack gap-1 shrinks"
      defaultItems={options}
      selectedKey={value}
      onSelectionChange={(key) => key !== null && onChange(key as Value)}
      menuTrigger="focus"
    >
      {parts}
    </ComboBox>
  )
}

export function Checkbox({
  children,
  ...props
}: Omit<CheckboxProps, 'className' | 'children' | 'style'> & { children?: ReactNode }) {
  return (
    <AriaCheckbox {...props} className={`${styles.checkbox} line`}>
      <span className={styles.box} aria-hidden="true" />
      {children}
    </AriaCheckbox>
  )
}
