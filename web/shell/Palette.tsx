import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
} from 'react-aria-components'
import { read } from '../api/operations.ts'
import { useCountry } from '../evidence/country.ts'
import { AppIcon } from '../ui/AppLink.tsx'
import overlays from '../ui/overlays.module.css'
import { areas } from './navigation.ts'
import styles from './shell.module.css'

/** Finds pages, apps and keywords from the keyboard. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const country = useCountry()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const typed = text.trim()
  const q = useDeferredValue(typed)
  const { data } = useQuery({
    ...read('search_competitors', { q, country, limit: 6 }),
    enabled: q.length > 1,
    staleTime: 30_000,
  })
  const found = q.length > 1 ? (data?.items ?? []) : []
  const pages = areas.filter(({ name, hint }) => `${name} ${hint}`.toLowerCase().includes(typed.toLowerCase()))
  const go = (key: string) => {
    onClose()
    const [kind, value = ''] = key.split(':')
    if (kind === 'app') void navigate({ to: '/apps/$storeId', params: { storeId: value } })
    else if (kind === 'keyword') void navigate({ to: '/aso/keywords/$term', params: { term: typed } })
    else if (kind === 'search') void navigate({ to: '/apps', search: { q: typed } as never })
    else void navigate({ to: value as '/' })
  }
  return (
    <ModalOverlay
      isOpen
      isDismissable
      onOpenChange={(open) => !open && onClose()}
      className={overlays.scrim ?? ''}
      style={{ paddingTop: '12vh', zIndex: 110 }}
    >
      <Modal className={`${overlays.modal} raised clipped`} style={{ width: 'min(600px, 100%)' }}>
        <Dialog aria-label="Search or jump to" style={{ outline: 0 }}>
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label="Search apps, keywords and pages"
              autoFocus
              // The field itself would only empty, and close at the second press.
              onKeyDown={({ key }) => key === 'Escape' && onClose()}
            >
              <Input
                className={`${styles.paletteInput} full`}
                placeholder="Apps, keywords, pages…"
                dir="auto"
              />
            </SearchField>
            <Menu
              className={`${styles.paletteList} pad-2 scrolls`}
              aria-label="Results"
              onAction={(key) => go(String(key))}
            >
              {found.length > 0 && (
                <MenuSection>
                  <Header className="pad-2 quiet small medium">Apps</Header>
                  {found.map(({ storeId, name, icon, developer }) => (
                    <MenuItem
                      key={storeId}
                      id={`app:${storeId}`}
                      textValue={name}
                      className={`${styles.paletteItem} option row nowrap nobreak clipped`}
                    >
                      <AppIcon url={icon.state === 'measured' ? icon.value : null} name={name} size={22} />
                      <bdi>{name}</bdi>
                      <span className="quiet">
                        <bdi>{developer.state === 'measured' ? developer.value : ''}</bdi>
                      </span>
                    </MenuItem>
                  ))}
                </MenuSection>
              )}
              {/* An entry keeps its id for life: what is typed is no part of it. */}
              {typed !== '' && (
                <MenuSection>
                  <Header className="pad-2 quiet small medium">Look up</Header>
                  <MenuItem
                    id="search"
                    textValue="Search all apps"
                    className={`${styles.paletteItem} option row nowrap nobreak clipped`}
                  >
                    Search all apps for “<bdi>{typed}</bdi>”
                  </MenuItem>
                  <MenuItem
                    id="keyword"
                    textValue="Explore keyword"
                    className={`${styles.paletteItem} option row nowrap nobreak clipped`}
                  >
                    Explore the keyword “<bdi>{typed}</bdi>”
                  </MenuItem>
                </MenuSection>
              )}
              {pages.length > 0 && (
                <MenuSection>
                  <Header className="pad-2 quiet small medium">Pages</Header>
                  {pages.map(({ name, to, hint, icon: Icon }) => (
                    <MenuItem
                      key={to}
                      id={`page:${to}`}
                      textValue={name}
                      className={`${styles.paletteItem} option row nowrap nobreak clipped`}
                    >
                      <Icon size={16} aria-hidden="true" />
                      {name}
                      <span className="quiet">{hint}</span>
                    </MenuItem>
                  ))}
                </MenuSection>
              )}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
