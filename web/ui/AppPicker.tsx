import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { read } from '../api/operations.ts'
import { readTogether } from '../api/read-together.ts'
import { useCountry } from '../evidence/country.ts'
import { AppIcon } from './AppLink.tsx'
import styles from './fields.module.css'
import { X } from './icons.ts'

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
    queries: values.map((storeId) => readTogether('search_competitors', { q: storeId, country, limit: 1 })),
  })
  const items = q === '' ? [] : (found.data?.items ?? []).filter(({ storeId }) => !values.includes(storeId))
  return (
    <div className="shrinks">
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
        className="stack gap-1"
      >
        <Label className="quiet small medium">{label}</Label>
        <div className={`${styles.combo} ${styles.tokens}`}>
          {values.map((storeId, index) => {
            const app = named[index]?.data?.items.find((one) => one.storeId === storeId)
            const name = app?.name ?? `App ${storeId}`
            return (
              <span key={storeId} className={`${styles.token} gap-1 shrinks`}>
                <AppIcon url={app?.icon.state === 'measured' ? app.icon.value : null} name={name} size={18} />
                <bdi className="cut">{name}</bdi>
                <Button
                  slot={null}
                  aria-label={`Remove ${name}`}
                  className={styles.clear ?? ''}
                  onPress={() => onChange(values.filter((one) => one !== storeId))}
                >
                  <X size={12} aria-hidden="true" />
                </Button>
              </span>
            )
          })}
          <Input
            className={styles.bareInput ?? ''}
            placeholder={values.length === 0 ? 'Any app' : ''}
            dir="auto"
          />
        </div>
        <Popover className={`${styles.popover} raised`} style={{ width: 280 }}>
          <ListBox
            renderEmptyState={() => (
              <p className="quiet pad-2">
                {found.isFetching ? 'Searching…' : 'No collected app with this name.'}
              </p>
            )}
          >
            {(app: (typeof items)[number]) => (
              <ListBoxItem id={app.storeId} textValue={app.name} className="option row nowrap">
                <AppIcon
                  url={app.icon.state === 'measured' ? app.icon.value : null}
                  name={app.name}
                  size={22}
                />
                <bdi className="cut">{app.name}</bdi>
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  )
}
