import type { ReactNode } from 'react'
import { Label, Radio, RadioGroup } from 'react-aria-components'
import styles from './parts.module.css'

export interface Segment<Value extends string> {
  id: Value
  name: string
  /** The number of items. */
  note?: ReactNode
}

/** One of a few, all of them in view: a quick filter, a theme, how many rows. */
export function Segments<Value extends string>({
  label,
  labelHidden = false,
  segments,
  value,
  onChange,
}: {
  label: string
  /** Reads the label to those who cannot see it, and shows it to nobody. */
  labelHidden?: boolean
  segments: readonly Segment<Value>[]
  value: Value
  onChange: (value: Value) => void
}) {
  return (
    <RadioGroup
      className="stack top gap-1 shrinks"
      orientation="horizontal"
      value={value}
      onChange={(next) => onChange(next as Value)}
    >
      <Label className={labelHidden ? 'hidden' : 'quiet small medium'}>{label}</Label>
      <div className={`${styles.segments} row nowrap stretch rounded sunken fits`}>
        {segments.map(({ id, name, note }) => (
          <Radio key={id} value={id} className={`${styles.segment} line quiet small medium nobreak`}>
            {name}
            {note !== undefined && <span className="quiet regular">{note}</span>}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  )
}
