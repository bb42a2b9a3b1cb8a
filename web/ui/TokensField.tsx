import { type KeyboardEvent, useRef, useState } from 'react'
import { TextField as AriaTextField, Button, Input, Label, Text } from 'react-aria-components'
import styles from './fields.module.css'
import { X } from './icons.ts'

/**
 * Several short texts, such as tags. Enter or a comma adds what is typed, Backspace in the empty field takes the last one
 * away. Suggestions are offered below until they are taken.
 */
export function TokensField({
  label,
  values,
  onChange,
  suggestions = [],
  placeholder,
  description,
  most = 20,
  longest = 50,
  isDisabled = false,
}: {
  label: string
  values: readonly string[]
  onChange: (values: string[]) => void
  suggestions?: readonly string[]
  placeholder?: string
  description?: string
  most?: number
  longest?: number
  isDisabled?: boolean
}) {
  const field = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const added = text
      .split(',')
      .map((one) => one.trim().slice(0, longest))
      .filter((one) => one !== '' && !values.includes(one))
    setTyped('')
    if (added.length > 0) onChange([...new Set([...values, ...added])].slice(0, most))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter ends the composition of a Japanese word, not the word itself.
    if (event.nativeEvent.isComposing) return
    if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') {
      event.preventDefault()
      add(typed)
    } else if (event.key === 'Enter') event.preventDefault()
    else if (event.key === 'Backspace' && typed === '' && values.length > 0) onChange(values.slice(0, -1))
  }
  const needle = typed.trim().toLocaleLowerCase()
  const offered = suggestions
    .filter((one) => !values.includes(one) && one.toLocaleLowerCase().includes(needle))
    .slice(0, 8)
  return (
    <div ref={field} className="stack gap-1 shrinks">
      <AriaTextField
        className="stack gap-1 shrinks"
        value={typed}
        onChange={(text) => (text.includes(',') ? add(text) : setTyped(text))}
        onKeyDown={onKeyDown}
        // Who goes on to a suggestion takes that in place of what is typed.
        onBlur={({ relatedTarget }) => !field.current?.contains(relatedTarget) && add(typed)}
        isDisabled={isDisabled}
      >
        <Label className="quiet small medium">{label}</Label>
        <div className={`${styles.combo} ${styles.tokens}`}>
          {values.map((value) => (
            <span key={value} className={styles.token}>
              <bdi>{value}</bdi>
              <Button
                className={styles.clear ?? ''}
                aria-label={`Remove ${value}`}
                slot={null}
                isDisabled={isDisabled}
                onPress={() => onChange(values.filter((one) => one !== value))}
              >
                <X size={12} aria-hidden="true" />
              </Button>
            </span>
          ))}
          <Input
            className={styles.bareInput ?? ''}
            dir="auto"
            {...(placeholder && values.length === 0 ? { placeholder } : {})}
          />
        </div>
        {description && (
          <Text slot="description" className="quiet small">
            {description}
          </Text>
        )}
      </AriaTextField>
      {offered.length > 0 && !isDisabled && (
        <div className="row stretch gap-1">
          <span className="hidden">Suggestions for {label}:</span>
          {offered.map((one) => (
            <Button
              key={one}
              className={`${styles.offer} quiet small fits anywhere`}
              aria-label={`Add ${one}`}
              onPress={() => add(one)}
            >
              <bdi>{one}</bdi>
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
