import { useEffect, useRef, useState } from 'react'
import { SearchField } from '../../ui/fields.tsx'

const restMs = 220

/** A search box that searches while one types, once the fingers rest. */
export function SearchAsTyped({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string
  placeholder: string
  /** What the address says. */
  value: string | undefined
  onSearch: (text: string | undefined) => void
}) {
  const [typed, setTyped] = useState(value ?? '')
  const sent = useRef(value ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back and forward change the address under the box; what is being typed is not overwritten by its own search.
  useEffect(() => {
    if ((value ?? '') === sent.current) return
    sent.current = value ?? ''
    setTyped(value ?? '')
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])
  const send = (text: string) => {
    clearTimeout(timer.current)
    sent.current = text.trim()
    onSearch(sent.current === '' ? undefined : sent.current)
  }
  return (
    <SearchField
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={200}
      onChange={(text) => {
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => send(text), restMs)
      }}
      onSubmit={send}
      onClear={() => send('')}
    />
  )
}
