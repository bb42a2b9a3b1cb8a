import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useDeferredValue, useState } from 'react'
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
import { read, useWrite } from '../api/operations.ts'
import { useHasScope, useSession } from '../api/session.ts'
import { useCountry } from '../evidence/country.ts'
import { countryName, countWithNoun, isolateDirection } from '../evidence/format.ts'
import { roleOf, trackedAs } from '../evidence/roles.ts'
import { trackedApps } from '../evidence/tracked.ts'
import { AppIcon } from '../ui/AppLink.tsx'
import overlays from '../ui/overlays.module.css'
import { areas } from './navigation.ts'
import {
  actionsOn,
  fitsVerb,
  type PaletteAction,
  pagesThatFit,
  type Subject,
  subjectOfFound,
  subjectOfTracked,
  trackedThatFit,
  wishOf,
} from './palette-entries.ts'
import { recentPages, thingAt } from './recent.ts'
import styles from './shell.module.css'

/** Finds tracked apps, recent pages, all apps, keywords and pages from the keyboard, and does what is done most with an app. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const country = useCountry()
  const navigate = useNavigate()
  const { session } = useSession()
  const account = session.signedIn ? session.account : ''
  const mayWrite = useHasScope('content:write')
  const act = useActions()
  const [text, setText] = useState('')
  const [recent] = useState(() => recentPages(account))
  const { verb, about } = wishOf(text)
  const q = useDeferredValue(about)
  const { data } = useQuery({
    ...read('search_competitors', { q, country, limit: 6 }),
    enabled: q.length > 1,
    staleTime: 30_000,
  })
  const { data: apps } = useQuery({ ...trackedApps, staleTime: 30_000 })
  const tracked = apps ?? []
  const ofPage = useSubjectOfPage()
  const mine = trackedThatFit(tracked, about, country)
  const isMine = (storeId: string) =>
    mine.some(({ app, country: of }) => app.storeId === storeId && of === country)
  const found = q.length > 1 ? (data?.items ?? []).filter(({ storeId }) => !isMine(storeId)) : []
  const shown = thingAt(location.pathname)
  const lately = recent
    .filter(({ href, title }) => thingAt(href) !== shown && title.toLowerCase().includes(about.toLowerCase()))
    .slice(0, 5)
  const subjects =
    about === '' ? [] : [...mine.map(subjectOfTracked), ...found.map((app) => subjectOfFound(app, country))]
  const actions = [...(ofPage ? [ofPage] : []), ...(verb ? subjects : subjects.slice(0, 1))]
    .filter(
      ({ storeId, country: of }, index, all) =>
        all.findIndex((one) => one.storeId === storeId && one.country === of) === index,
    )
    .flatMap((subject) => actionsOn(subject, mayWrite, apps))
    .filter((action) => fitsVerb(action, verb))
    .slice(0, 6)
  const pages = pagesThatFit(areas, about)
  const go = (key: string) => {
    onClose()
    const [kind, value = '', of = ''] = key.split(':')
    const action = actions.find(({ id }) => id === key)
    if (action) act(action)
    else if (kind === 'app')
      void navigate({
        to: '/apps/$storeId',
        params: { storeId: value },
        search: { country: of || country } as never,
      })
    else if (kind === 'recent') void navigate({ href: key.slice(kind.length + 1) })
    else if (kind === 'keyword') void navigate({ to: '/aso/keywords/$term', params: { term: about } })
    else if (kind === 'search') void navigate({ to: '/apps', search: { q: about } as never })
    else void navigate({ to: value as '/' })
  }
  const actionSection = actions.length > 0 && (
    <Section name="Actions">
      {actions.map(({ id, verb, subject }) => (
        <Entry key={id} id={id} text={`${verb} ${subject.name}`} hint={countryName(subject.country)}>
          <span>
            {verb} <bdi>{subject.name}</bdi>
          </span>
        </Entry>
      ))}
    </Section>
  )
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
                placeholder="Apps, keywords, pages; “track”, “refresh”…"
                dir="auto"
              />
            </SearchField>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the entries never have the focus, so that it is scrolled by itself */}
            <div className={`${styles.paletteList} scrolls`} tabIndex={0}>
              <Menu
                className="pad-2"
                style={{ outline: 0 }}
                aria-label="Results"
                onAction={(key) => go(String(key))}
              >
                {verb && actionSection}
                {mine.length > 0 && (
                  <Section name="Tracked apps">
                    {mine.map(({ app, country: of, ...as }) => (
                      <Entry
                        key={`${app.storeId} ${of}`}
                        id={`app:${app.storeId}:${of}`}
                        text={app.name ?? app.storeId}
                        hint={`${roleOf(as, tracked)}, ${countryName(of)}`}
                      >
                        <AppIcon url={app.iconUrl} name={app.name} size={22} />
                        <bdi>{app.name ?? `App ${app.storeId}`}</bdi>
                      </Entry>
                    ))}
                  </Section>
                )}
                {lately.length > 0 && (
                  <Section name="Recent">
                    {lately.map(({ href, title }) => (
                      <Entry key={href} id={`recent:${href}`} text={title} hint={whatIsAt(href)}>
                        <bdi>{title}</bdi>
                      </Entry>
                    ))}
                  </Section>
                )}
                {found.length > 0 && (
                  <Section name="Apps">
                    {found.map(({ storeId, name, icon, developer }) => (
                      <Entry
                        key={storeId}
                        id={`app:${storeId}:${country}`}
                        text={name}
                        hint={<bdi>{developer.state === 'measured' ? developer.value : ''}</bdi>}
                      >
                        <AppIcon url={icon.state === 'measured' ? icon.value : null} name={name} size={22} />
                        <bdi>{name}</bdi>
                      </Entry>
                    ))}
                  </Section>
                )}
                {!verb && actionSection}
                {/* An entry keeps its id for life: what is typed is no part of it. */}
                {about !== '' && (
                  <Section name="Search">
                    <Entry id="search" text="Search all apps">
                      <span>
                        Search all apps for “<bdi>{about}</bdi>”
                      </span>
                    </Entry>
                    <Entry id="keyword" text="Open keyword">
                      <span>
                        Open the keyword “<bdi>{about}</bdi>”
                      </span>
                    </Entry>
                  </Section>
                )}
                {pages.length > 0 && (
                  <Section name="Pages">
                    {pages.map(({ name, to, hint }) => (
                      <Entry key={to} id={`page:${to}`} text={name} hint={hint}>
                        <span>{name}</span>
                      </Entry>
                    ))}
                  </Section>
                )}
              </Menu>
            </div>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const Section = ({ name, children }: { name: string; children: ReactNode }) => (
  <MenuSection>
    <Header className="pad-2 quiet small medium">{name}</Header>
    {children}
  </MenuSection>
)

const Entry = ({
  id,
  text,
  hint,
  children,
}: {
  id: string
  text: string
  hint?: ReactNode
  children: ReactNode
}) => (
  <MenuItem id={id} textValue={text} className={`${styles.paletteItem} option row nowrap nobreak clipped`}>
    {children}
    {hint && <span className="quiet">{hint}</span>}
  </MenuItem>
)

const whatIsAt = (href: string): string =>
  href.startsWith('/apps/')
    ? 'App'
    : href.startsWith('/aso/keywords/')
      ? 'Keyword'
      : href.startsWith('/creatives/')
        ? 'Creative'
        : 'Tracked app'

/** The app that the page behind the palette is about. */
function useSubjectOfPage(): Subject | undefined {
  const country = useCountry()
  const { storeId, appId } = useRouterState({
    select: ({ matches }) => (matches.at(-1)?.params ?? {}) as { storeId?: string; appId?: string },
  })
  const { data: tracked = [] } = useQuery({ ...trackedApps, staleTime: 30_000 })
  const record = useQuery({
    ...read('get_competitor', { storeId: storeId ?? '', country }),
    enabled: storeId !== undefined && appId === undefined,
    staleTime: 30_000,
  }).data
  const known = tracked.find((one) =>
    appId ? one.appId === appId : one.app.storeId === storeId && one.country === country,
  )
  if (known) return subjectOfTracked(known)
  if (appId || !storeId || !record?.name) return undefined
  return { storeId, country, name: record.name, tracked: undefined }
}

/** Performs actions, also after the palette has closed. */
function useActions(): (action: PaletteAction) => void {
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery({ ...trackedApps, staleTime: 30_000 })
  const track = useWrite('track_aso_app', {
    changes: ['list_aso_apps', 'get_competitor_aso'],
    done: ({ app, country, ...as }) =>
      `${isolateDirection(app.name ?? app.storeId)} is ${trackedAs(as, apps)} in ${countryName(country)}.`,
  })
  const refresh = useWrite('refresh_aso_app', {
    changes: ['list_aso_apps'],
    done: ({ searches }) =>
      `Refreshing: ${countWithNoun(searches, 'search', 'searches')}. Ranks update as results arrive.`,
  })
  return ({ as, does, subject: { storeId, country, tracked } }) => {
    if (does === 'go' && tracked)
      void navigate({ to: '/aso/$appId', params: { appId: tracked.appId }, search: { country } })
    else if (does === 'refresh' && tracked) refresh.mutate({ appId: tracked.appId })
    else if (as)
      track.mutate({ app: storeId, country, role: as.role, ...(as.rivalOf && { rivalOf: as.rivalOf }) })
  }
}
