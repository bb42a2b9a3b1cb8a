import { useState } from 'react'
import { languageName } from '../../evidence/format.ts'
import { type Option, Select, TextField } from '../../ui/fields.tsx'
import { SelectSome } from '../../ui/SelectSome.tsx'
import { listOf, valuesOf } from './search.ts'

/** A select with a few values and an option for any. */
export function AnyOf<Value extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly Option<Value>[]
  value: Value | undefined
  onChange: (value: Value | undefined) => void
}) {
  return (
    <Select<Value | 'any'>
      label={label}
      options={[{ id: 'any', name: 'Any' }, ...options]}
      value={value ?? 'any'}
      onChange={(one) => onChange(one === 'any' ? undefined : one)}
    />
  )
}

/** A select of yes, no or any. */
export function Either({
  label,
  yes,
  no,
  value,
  onChange,
}: {
  label: string
  yes: string
  no: string
  value: boolean | undefined
  onChange: (value: boolean | undefined) => void
}) {
  return (
    <AnyOf
      label={label}
      options={[
        { id: 'yes', name: yes },
        { id: 'no', name: no },
      ]}
      value={value === undefined ? undefined : value ? 'yes' : 'no'}
      onChange={(one) => onChange(one === undefined ? undefined : one === 'yes')}
    />
  )
}

/** An input that applies its value on blur or Enter. */
export function Typed({
  label,
  type = 'text',
  placeholder,
  value,
  onChange,
}: {
  label: string
  type?: 'text' | 'number' | 'date'
  placeholder?: string
  value: string | number | undefined
  onChange: (value: string | undefined) => void
}) {
  const shown = value === undefined ? '' : String(value)
  const [typed, setTyped] = useState<{ text: string; of: string }>()
  const text = typed?.of === shown ? typed.text : shown
  const send = () => {
    if (text.trim() !== shown) onChange(text.trim() === '' ? undefined : text.trim())
  }
  return (
    <TextField
      label={label}
      type={type}
      {...(placeholder ? { placeholder } : {})}
      value={text}
      onChange={(next) => setTyped({ text: next, of: shown })}
      onBlur={send}
      onKeyDown={(event) => {
        if (event.key === 'Enter') send()
      }}
    />
  )
}

/** The languages that ads and posts are usually written in, by the browser's own names. */
export const languages: readonly Option<string>[] = [
  ...[
    'ar',
    'bn',
    'cs',
    'da',
    'de',
    'el',
    'en',
    'es',
    'fa',
    'fi',
    'fr',
    'he',
    'hi',
    'hu',
    'id',
    'it',
    'ja',
    'ko',
  ],
  ...['ms', 'nb', 'nl', 'pl', 'pt', 'ro', 'ru', 'sk', 'sv', 'th', 'tl', 'tr', 'uk', 'ur', 'vi', 'zh'],
]
  .map((id) => ({ id, name: languageName(id) }))
  .sort((a, b) => a.name.localeCompare(b.name))

export function Languages({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const values = valuesOf(value)
  const others = values.filter((tag) => !languages.some(({ id }) => id === tag))
  return (
    <SelectSome
      label="Language"
      options={[...languages, ...others.map((id) => ({ id, name: languageName(id) }))]}
      values={values}
      onChange={(next) => onChange(listOf(next))}
    />
  )
}
