import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { X } from '../../ui/icons.ts'
import styles from './creatives.module.css'

/** Apps, found by name, id or store address while one types. */
export function AppPicker({
  label,
  values,
  onChange,
  most = 20,
}: {
  label: string
  /** Store ids. */
  values: readonly string[]
  onChange: (values: string[]) => void
  most?: number
}) {
  const country = useCountry()
  const [typed, setTyped] = useState('')
  const q = typed.trim()
  const found = useQuery({
    ...read('search_competitors', { q, country, limit: 8 }),
    enabled: q !== '',
    placeholderData: (before) => before,
  })
  const named = useQueries({
    queries: values.map((storeId) => read('search_competitors', { q: storeId, country, limit: 1 })),
  })
  const items = q === '' ? [] : (found.data?.items ?? []).filter(({ storeId }) => !values.includes(storeId))
  return (
    <div className={styles.picker}>
      <ComboBox
        items={items}
        inputValue={typed}
        onInputChange={setTyped}
        selectedKey={null}
        onSelectionChange={(key) => {
          if (key !== null) onChange([...values, String(key)].slice(-most))
          // Also where nothing was chosen: with text left in the field, Escape would open the list again.
          setTyped('')
        }}
        allowsEmptyCollection={q !== ''}
        menuTrigger="input"
        className={styles.pickerField ?? ''}
      >
        <Label className={styles.pickerLabel ?? ''}>{label}</Label>
        <div className={styles.pickerBox}>
          {values.map((storeId, index) => {
            const app = named[index]?.data?.items.find((one) => one.storeId === storeId)
            const name = app?.name ?? `App ${storeId}`
            return (
              <span key={storeId} className={styles.pickedApp}>
                <AppIcon url={app?.icon.state === 'measured' ? app.icon.value : null} name={name} size={18} />
                <bdi>{name}</bdi>
                <Button
                  slot={null}
                  aria-label={`Remove ${name}`}
                  className={styles.pickedRemove ?? ''}
                  onPress={() => onChange(values.filter((one) => one !== storeId))}
                >
                  <X size={12} aria-hidden="true" />
                </Button>
              </span>
            )
          })}
          <Input placeholder={values.length === 0 ? 'Any app' : ''} dir="auto" />
        </div>
        <Popover className={styles.pickerList ?? ''}>
          <ListBox
            renderEmptyState={() => (
              <p className={styles.pickerEmpty}>
                {found.isFetching ? 'Searching…' : 'No stored app of this name.'}
              </p>
            )}
          >
            {(app: (typeof items)[number]) => (
              <ListBoxItem id={app.storeId} textValue={app.name} className={styles.pickerItem ?? ''}>
                <AppIcon
                  url={app.icon.state === 'measured' ? app.icon.value : null}
                  name={app.name}
                  size={22}
                />
                <bdi>{app.name}</bdi>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  )
}
