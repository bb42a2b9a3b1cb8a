import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { countryName } from '../../evidence/format.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { roleInWords } from '../../evidence/words.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { AppIcon, Badge, Empty, Loaded, Page, Skeleton } from '../../ui/parts.tsx'
import styles from './AsoHeader.module.css'
import { rivalsOf, trackedApps } from './tracked-apps.ts'

type Part = 'keywords' | 'gap' | 'audit'

/** A page about one tracked app: its name, storefront and role, the way to its other pages, and what this page is about. */
export function AsoPage({
  appId,
  part,
  actions,
  children,
}: {
  appId: string
  part: Part
  /** What can be done with all of the page. */
  actions?: (tracked: TrackedAppSummary) => ReactNode
  /** `apps` are all apps that the account tracks, this one among them. */
  children: (tracked: TrackedAppSummary, apps: readonly TrackedAppSummary[]) => ReactNode
}) {
  const apps = useQuery(trackedApps)
  const tracked = apps.data?.find((app) => app.appId === appId)
  useStorefrontOf(tracked)
  if (!tracked || !apps.data)
    return (
      <Page title="Tracked app">
        <Loaded query={apps} skeleton={<Skeleton height={480} />}>
          {() => (
            <Empty
              title="This app is not tracked"
              action={<LinkButton to="/aso">See the tracked apps</LinkButton>}
            >
              It was removed, or it belongs to another account.
            </Empty>
          )}
        </Loaded>
      </Page>
    )
  const { app, country, role } = tracked
  return (
    <Page
      title={app.name ?? `App ${app.storeId}`}
      subtitle={
        <span className="row">
          <AppIcon url={app.iconUrl} name={app.name} size={20} />
          {app.developer && <bdi>{app.developer}</bdi>}
          <Badge>{countryName(country)}</Badge>
          <Badge tone={role === 'own' ? 'accent' : 'plain'}>{roleInWords[role]}</Badge>
        </span>
      }
      actions={actions?.(tracked)}
    >
      <Parts tracked={tracked} apps={apps.data} part={part} />
      <OtherStorefront tracked={tracked} apps={apps.data} />
      {children(tracked, apps.data)}
    </Page>
  )
}

function Parts({
  tracked,
  apps,
  part,
}: {
  tracked: TrackedAppSummary
  apps: readonly TrackedAppSummary[]
  part: Part
}) {
  const { appId, app, country } = tracked
  const [rival] = rivalsOf(tracked, apps)
  const current = (of: Part) => (of === part ? 'page' : undefined)
  return (
    <nav aria-label="Pages of this app" className={styles.parts}>
      <Link to="/aso/$appId" params={{ appId }} search={{ country }} aria-current={current('keywords')}>
        Keywords
      </Link>
      {rival ? (
        <Link
          to="/aso/$appId/gap/$rivalStoreId"
          params={{ appId, rivalStoreId: rival.app.storeId }}
          search={{ country }}
          aria-current={current('gap')}
        >
          Gap to rivals
        </Link>
      ) : (
        part === 'gap' && <span aria-current="page">Gap to rivals</span>
      )}
      <Link to="/aso/$appId/audit" params={{ appId }} search={{ country }} aria-current={current('audit')}>
        Listing audit
      </Link>
      <Link to="/apps/$storeId" params={{ storeId: app.storeId }} search={{ country }}>
        App page
      </Link>
    </nav>
  )
}

/** An address that names no storefront gets the one of the app, so that the links of the page lead there. */
function useStorefrontOf(tracked: TrackedAppSummary | undefined): void {
  const named = useSearch({ from: '__root__', select: ({ country }) => country })
  const navigate = useNavigate()
  const country = tracked?.country
  useEffect(() => {
    if (country && !named)
      void navigate({ to: '.', search: (search) => ({ ...search, country }), replace: true })
  }, [country, named, navigate])
}

/** A tracked app belongs to one storefront. Who chose another one is told where the same app is tracked there. */
function OtherStorefront({
  tracked,
  apps,
}: {
  tracked: TrackedAppSummary
  apps: readonly TrackedAppSummary[]
}) {
  const chosen = useSearch({ from: '__root__', select: ({ country }) => country })
  if (!chosen || chosen === tracked.country) return null
  const there = apps.find(({ app, country }) => country === chosen && app.storeId === tracked.app.storeId)
  return (
    <p className={styles.elsewhere} role="status">
      These are the keywords of {countryName(tracked.country)}.{' '}
      {there ? (
        <Link to="/aso/$appId" params={{ appId: there.appId }} search={{ country: chosen }}>
          See this app in {countryName(chosen)}
        </Link>
      ) : (
        <>
          The app is not tracked in {countryName(chosen)}:{' '}
          <Link to="/aso" search={{ country: chosen }}>
            track it there
          </Link>
          .
        </>
      )}
    </p>
  )
}
