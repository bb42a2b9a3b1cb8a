import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { countryName, dayText } from '../../evidence/format.ts'
import { roleOf } from '../../evidence/roles.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { comparedRivalsOf, trackedApps } from '../../evidence/tracked.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { LinkButton } from '../../ui/Button.tsx'
import { Badge, Empty, Loaded, Page, Skeleton } from '../../ui/parts.tsx'
import { type TabLink, TabLinks } from '../../ui/TabLinks.tsx'

/** A page about one tracked app: its name, storefront and role, the way to its other pages, and what this page is about. */
export function AsoPage({
  appId,
  rivalStoreId,
  actions,
  children,
}: {
  appId: string
  /** The rival that the page compares with. */
  rivalStoreId?: string
  /** Actions for the whole page. */
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
            <Empty title="This app is not tracked" action={<LinkButton to="/aso">See tracked apps</LinkButton>}>
              It was removed, or it belongs to another account.
            </Empty>
          )}
        </Loaded>
      </Page>
    )
  const { app, country, role, notFoundSince } = tracked
  return (
    <Page
      title={app.name ?? `App ${app.storeId}`}
      picture={<AppIcon url={app.iconUrl} name={app.name} size={40} />}
      subtitle={
        <span className="row">
          {app.developer && <bdi>{app.developer}</bdi>}
          <Badge>{countryName(country)}</Badge>
          <Badge named tone={role === 'own' ? 'accent' : 'plain'}>
            {roleOf(tracked, apps.data)}
          </Badge>
          {notFoundSince && <Badge tone="bad">Not found since {dayText(notFoundSince)}</Badge>}
        </span>
      }
      actions={actions?.(tracked)}
    >
      <TabLinks label="Pages of this app" tabs={tabsOf(tracked, apps.data, rivalStoreId)} />
      <OtherStorefront tracked={tracked} apps={apps.data} />
      {children(tracked, apps.data)}
    </Page>
  )
}

/** The pages of a tracked app. There is a gap where there is a rival; the first one is shown unless another is open. */
function tabsOf(
  tracked: TrackedAppSummary,
  apps: readonly TrackedAppSummary[],
  rivalStoreId: string | undefined,
): TabLink[] {
  const { appId, app, country } = tracked
  const rival = rivalStoreId ?? comparedRivalsOf(tracked, apps)[0]?.app.storeId
  const [params, search] = [{ appId }, { country }]
  const gap = (storeId: string): TabLink => ({
    name: 'Keyword gap',
    link: linkOptions({
      to: '/aso/$appId/gap/$rivalStoreId',
      params: { appId, rivalStoreId: storeId },
      search,
    }),
  })
  return [
    { name: 'Keywords', link: linkOptions({ to: '/aso/$appId', params, search }) },
    ...(rival ? [gap(rival)] : []),
    { name: 'Keyword coverage', link: linkOptions({ to: '/aso/$appId/coverage', params, search }) },
    { name: 'Plan listing', link: linkOptions({ to: '/aso/$appId/plan', params, search }) },
    {
      name: 'App page',
      link: linkOptions({ to: '/apps/$storeId', params: { storeId: app.storeId }, search }),
    },
  ]
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

/**
 * A tracked app belongs to one storefront. If another storefront is chosen, the page says whether the app is tracked there,
 * too.
 */
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
    <p className="pad-2-3 rounded warn-fill" role="status">
      Showing keywords for {countryName(tracked.country)}.{' '}
      {there ? (
        <Link to="/aso/$appId" params={{ appId: there.appId }} search={{ country: chosen }}>
          Switch to {countryName(chosen)}
        </Link>
      ) : (
        <>
          This app is not tracked in {countryName(chosen)}.{' '}
          <Link to="/aso" search={{ country: chosen }}>
            Track it there
          </Link>
        </>
      )}
    </p>
  )
}
