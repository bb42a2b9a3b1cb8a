import { Select } from './fields.tsx'

/** A filter over one of a few values, or none of them: nothing chosen stands as `any`. */
export function FilterSelect<Value extends string>({
  label,
  any,
  values,
  words,
  value,
  onChange,
}: {
  label: string
  /** The placeholder, such as `Any status`. */
  any: string
  values: readonly Value[]
  words: Record<Value, string>
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}) {
  return (
    <Select<Value | ''>
      label={label}
      value={value ?? ''}
      options={[{ id: '', name: any }, ...values.map((id) => ({ id, name: words[id] }))]}
      onChange={(id) => onChange(id === '' ? undefined : id)}
    />
  )
}
