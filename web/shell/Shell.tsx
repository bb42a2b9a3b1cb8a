import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { lazy, memo, type PointerEvent, Suspense, useEffect, useState } from 'react'
import { RouterProvider } from 'react-aria-components'
import { useLive } from '../api/live.ts'
import { useSession } from '../api/session.ts'
import { defaultCountry, useChooseCountry, useCountry } from '../evidence/country.ts'
import { clockText } from '../evidence/format.ts'
import { ProvenanceLayer } from '../evidence/provenance.tsx'
import { storefronts } from '../evidence/storefronts.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Choice } from '../ui/fields.tsx'
import { CircleHelp, Contrast, Search, WifiOff } from '../ui/icons.ts'
import { Dialog, Menu, Notices } from '../ui/overlays.tsx'
import { EvidenceAge } from './EvidenceAge.tsx'
import { FileDrop } from './FileDrop.tsx'
import { areas, isInArea } from './navigation.ts'
import { rememberPage } from './recent.ts'
import { SignInForm, SignInPage } from './SignIn.tsx'
import styles from './shell.module.css'
import { useShortcuts } from './shortcuts.ts'
import { signOutOrTell } from './sign-out.ts'
import { chooseTheme, themeChoice } from './theme-choice.ts'

const Palette = lazy(() => import('./Palette.tsx'))
const Help = lazy(() => import('./Help.tsx'))

/** The frame of every page: areas, search, storefront, account, and the state of the session. */
export function Shell() {
  const { session, ended } = useSession()
  // The root alone fits an address of no page.
  const isNowhere = useRouterState({ select: ({ matches }) => matches.length === 1 })
  if (!session.signedIn && !ended) return <SignInPage isNowhere={isNowhere} />
  return <SignedInShell />
}

function SignedInShell() {
  const { session, ended } = useSession()
  const navigate = useNavigate()
  const [palette, setPalette] = useState(false)
  const [help, setHelp] = useState(false)
  useShortcuts({ search: () => setPalette(true), help: () => setHelp(true) })
  const path = useRouterState({ select: (state) => state.location.pathname })
  useRecent(session.signedIn ? session.account : '')
  const isOfAll = areas.some((area) => area.ofAllStorefronts && isInArea(area, path))
  useEffect(() => {
    if (path === '/sign-in') void navigate({ to: '/', replace: true })
  }, [path, navigate])
  return (
    <RouterProvider navigate={(to) => void navigate({ href: to })}>
      <a href="#content" className={`${styles.skip} pad-2-3 rounded`}>
        Skip to content
      </a>
      <div className={styles.shell} onPointerOver={tellCutText}>
        <nav className={styles.sidebar} aria-label="Areas">
          <Link to="/" className={`${styles.brand} row nowrap bold`}>
            <span className={styles.mark} aria-hidden="true" />
            <span className="cut fits">Rivalscope</span>
          </Link>
          <ul className="stack">
            {areas.map((area) => {
              const { name, shortName, to, icon: Icon } = area
              return (
                <li key={to}>
                  <Link
                    to={to}
                    className={`${styles.area} row nowrap gap-3 quiet medium`}
                    aria-current={isInArea(area, path) ? 'page' : undefined}
                  >
                    <Icon size={17} aria-hidden="true" />
                    <span className={`cut fits ${shortName ? styles.withShort : ''}`}>{name}</span>
                    {shortName && <span className={styles.shortName}>{shortName}</span>}
                  </Link>
                </li>
              )
            })}
          </ul>
        </nav>
        <div className="stack gap-0 shrinks">
          <header className={`${styles.topbar} row nowrap rule-below`} data-screen-only>
            <Button
              aria-label="Search or jump to"
              look="plain"
              icon={<Search size={15} aria-hidden="true" />}
              onPress={() => setPalette(true)}
            >
              <span className={`${styles.wide} quiet regular`}>Search or jump to…</span>
              <kbd className={`${styles.wide} ${styles.kbd} quiet tiny`}>/</kbd>
            </Button>
            <div className="grow" />
            {!isOfAll && <Storefront />}
            <IconButton
              label="Theme"
              icon={<Contrast size={17} aria-hidden="true" />}
              onPress={() => chooseTheme(nextTheme())}
            />
            <span className={styles.shortcutsButton}>
              <IconButton
                label="Help"
                icon={<CircleHelp size={17} aria-hidden="true" />}
                onPress={() => setHelp(true)}
              />
            </span>
            {session.signedIn && (
              <Menu
                label="Account"
                trigger={
                  <Button look="bare">
                    <span className={`${styles.accountName} cut`}>{session.account}</span>
                  </Button>
                }
                entries={[
                  { id: 'settings', name: 'Settings', href: '/settings' },
                  { id: 'files', name: 'Import files', href: '/admin/files' },
                  {
                    id: 'guide',
                    name: 'Using the pages',
                    onAction: () => location.assign('/docs/using-the-pages'),
                  },
                  { id: 'docs', name: 'Documentation', onAction: () => location.assign('/docs/') },
                  {
                    id: 'reference',
                    name: 'API reference',
                    onAction: () => location.assign('/docs/reference'),
                  },
                  { id: 'out', name: 'Sign out', onAction: signOutOrTell },
                ]}
              />
            )}
          </header>
          <Away />
          <main id="content" className={styles.content} tabIndex={-1}>
            <Outlet />
            {path !== '/' && <EvidenceAge />}
          </main>
        </div>
      </div>
      <FileDrop />
      <ProvenanceLayer />
      <Notices />
      <Suspense>
        {palette && <Palette onClose={() => setPalette(false)} />}
        {help && <Help onClose={() => setHelp(false)} />}
      </Suspense>
      {ended && <SignInAgain />}
    </RouterProvider>
  )
}

/** Remembers pages by the titles that they give themselves. */
function useRecent(account: string) {
  useEffect(() => {
    const remember = () => {
      const country = new URLSearchParams(location.search).get('country') ?? defaultCountry()
      const title = document.title.replace(/ · Rivalscope$/, '')
      rememberPage(account, { href: `${location.pathname}?country=${country}`, title })
    }
    const titles = new MutationObserver(remember)
    titles.observe(document.head, { subtree: true, childList: true, characterData: true })
    remember()
    return () => titles.disconnect()
  }, [account])
}

function SignInAgain() {
  const here = useRouterState({ select: (state) => state.location.href })
  return (
    <Dialog title="Your session has ended" open fixed>
      <p>Sign in to continue. Nothing on this page is lost.</p>
      <SignInForm returnTo={here} />
    </Dialog>
  )
}

const nextTheme = () => {
  const now = themeChoice()
  return now === 'system' ? 'dark' : now === 'dark' ? 'light' : 'system'
}

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

/** Its list of all storefronts takes long to build: it is not built again when something around it changes. */
const Storefront = memo(function Storefront() {
  const country = useCountry()
  const choose = useChooseCountry()
  return (
    <div className={styles.storefront}>
      <Choice label="Storefront" labelHidden options={countries} value={country} onChange={choose} />
    </div>
  )
})

/** Says that the service is away while the page goes on showing what it has. */
function Away() {
  const { reachable, loadedAt } = useLive()
  if (reachable) return null
  return (
    <p className="row nowrap pad-2-4 warn-fill" role="status">
      <WifiOff size={15} aria-hidden="true" />
      Rivalscope cannot be reached. The data shown was loaded before {clockText(loadedAt || Date.now())}.
      Retrying…
    </p>
  )
}

/** Told apart from titles that a page sets itself. */
const mark = 'cutText'
/** A cell, what it holds and what that is made of; further out no text is cut. */
const mostLevels = 4

/**
 * Text that has no room is told whole beside the pointer. One listener for all pages: which texts are cut changes with every
 * width and every reply. Values with provenance have a tooltip of their own.
 */
function tellCutText({ target }: PointerEvent): void {
  if (!(target instanceof HTMLElement) || target.closest('[data-provenance]')) return
  let element: HTMLElement | null = target
  for (let level = 0; element && level < mostLevels; level++, element = element.parentElement) {
    if (getComputedStyle(element).textOverflow !== 'ellipsis') continue
    const isOurs = element.dataset[mark] !== undefined
    if (element.title && !isOurs) return
    if (element.scrollWidth > element.clientWidth) {
      element.title = element.innerText
      element.dataset[mark] = ''
      return
    }
    if (isOurs) {
      element.removeAttribute('title')
      delete element.dataset[mark]
    }
  }
}
