import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { read, useWrite } from '../../api/operations.ts'
import { isBeingAdded, isNotFound } from '../../api/problems.ts'
import { useHasScope } from '../../api/session.ts'
import { besideLast, subjectsText } from '../../evidence/compared.ts'
import { useCountry } from '../../evidence/country.ts'
import { Fact, Measured } from '../../evidence/Fact.tsx'
import { countryName, dayText, decimal, isolateDirection, momentText, money } from '../../evidence/format.ts'
import { rivalChoicesOf, roleOf, rolesOf, trackedAs } from '../../evidence/roles.ts'
import type { Country } from '../../evidence/shapes.ts'
import { trackedApps, useTrackedApps } from '../../evidence/tracked.ts'
import { watchesOfApps } from '../../evidence/watch-choices.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button, LinkButton } from '../../ui/Button.tsx'
import { ChevronDown, ExternalLink, Target } from '../../ui/icons.ts'
import { Menu } from '../../ui/overlays.tsx'
import { Page, Problem, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import { TabLinks } from '../../ui/TabLinks.tsx'
import { WatchThis } from '../../ui/WatchThis.tsx'
import styles from './app.module.css'
import type { AppRecord } from './app-of-page.ts'
import { AddAppButton, NotCatalogued } from './NotCatalogued.tsx'
import { compactCount, webAddress } from './words.ts'

/** The frame of all tabs of an app: its name, its storefronts, and the tabs. */
export function AppPage() {
  const { storeId } = useParams({ from: '/apps/$storeId' })
  const country = useCountry()
  const query = useQuery({
    ...read('get_competitor', { storeId, country }),
    refetchInterval: ({ state }) => (isBeingAdded(state.error) ? 1_500 : false),
  })
  const { isPending: isTrackingUnknown } = useQuery(trackedApps)
  const isHeadKnown = (query.data !== undefined || query.error !== null) && !isTrackingUnknown
  const record = isHeadKnown ? query.data : undefined
  const elsewhere = useQuery({
    ...read('get_competitor', { storeId, country: record?.alsoIn[0] ?? country }),
    enabled: record !== undefined && record.name === null && record.alsoIn.length > 0,
  }).data
  const named = record?.name ? record : elsewhere
  if (isNotFound(query.error) && !query.data)
    return <NotCatalogued storeId={storeId} country={country} isBeingTakenIn={isBeingAdded(query.error)} />
  return (
    <Page
      title={named?.name ?? `App ${storeId}`}
      picture={
        <AppIcon
          url={named?.icon.state === 'measured' ? named.icon.value : null}
          name={named?.name ?? null}
          size={56}
        />
      }
      subtitle={
        !record ? (
          <Skeleton height={20} width="min(320px, 100%)" />
        ) : record.lastObservedAt !== null ? (
          <Facts record={record} country={country} />
        ) : (
          elsewhere && `Name from the ${countryName(elsewhere.country)} storefront`
        )
      }
      actions={isHeadKnown && <Actions storeId={storeId} country={country} record={record} />}
    >
      {query.error && !record && <Problem error={query.error} retry={() => void query.refetch()} />}
      {record && <NotListed record={record} />}
      {record && <KnownIn record={record} country={country} />}
      {record && <SourceIssues trouble={record.trouble} />}
      {!isHeadKnown && (
        <div aria-busy="true">
          <Skeleton height={660} />
        </div>
      )}
      {/* Read at once, shown when nothing above it will push it down any more. */}
      <div className="stack gap-4" style={isHeadKnown ? undefined : { display: 'none' }}>
        <Tabs storeId={storeId} />
        <Outlet />
      </div>
    </Page>
  )
}

/** Developer, category, rating and price in a line. */
function Facts({ record, country }: { record: AppRecord; country: Country }) {
  const { evidence, developer, developerId, primaryCategory, rating, ratingCount, price } = record
  return (
    <ul className={`${styles.dotted} line wrap stretch rows-0 anywhere`}>
      <li>
        <span className="hidden">Developer </span>
        <Fact
          fact={developer}
          evidence={evidence}
          format={(text) =>
            developerId.state === 'measured' ? (
              <Link to="/apps" search={{ country, developerId: developerId.value }}>
                <bdi>{text}</bdi>
              </Link>
            ) : (
              <bdi>{text}</bdi>
            )
          }
        />
      </li>
      <li>
        <span className="hidden">Category </span>
        <Fact
          fact={primaryCategory}
          evidence={evidence}
          format={({ categoryId, name }) => (
            <Link to="/apps" search={{ country, categoryId }}>
              {name}
            </Link>
          )}
        />
      </li>
      <li>
        <span className="hidden">Rating </span>
        <Fact
          fact={rating}
          evidence={evidence}
          absent="no rating"
          format={(stars) => (
            <>
              <span aria-hidden="true">★</span> {decimal(stars)}
            </>
          )}
        />{' '}
        (<Fact fact={ratingCount} evidence={evidence} absent="no ratings" format={compactCount} />
        <span className="hidden"> ratings</span>)
      </li>
      <li>
        <span className="hidden">Price </span>
        <Fact fact={price} evidence={evidence} format={money} />
      </li>
    </ul>
  )
}

function Actions({
  storeId,
  country,
  record,
}: {
  storeId: string
  country: Country
  record: AppRecord | undefined
}) {
  const mayWrite = useHasScope('content:write')
  const address = record && webAddress(record.storeUrl)
  return (
    <>
      {address && (
        <a
          href={address}
          target="_blank"
          rel="noreferrer noopener"
          className="line gap-1"
          style={{ minHeight: 'var(--control)', paddingInlineEnd: 'var(--space-2)' }}
        >
          App Store
          <ExternalLink size={13} aria-hidden="true" />
        </a>
      )}
      <WatchThis
        subject={record?.name ?? `app ${storeId}`}
        country={country}
        choices={watchesOfApps(country, storeId)}
      />
      <LinkButton
        to="/apps/compare"
        search={{ country, apps: subjectsText(besideLast([{ storeId, country }], country)) }}
      >
        Compare
      </LinkButton>
      {mayWrite && <TrackMenu storeId={storeId} country={country} name={record?.name ?? storeId} />}
    </>
  )
}

/** Says plainly when nothing of the listing is stored for this storefront, and where something is. */
function KnownIn({ record, country }: { record: AppRecord; country: Country }) {
  const mayWrite = useHasScope('content:write')
  const isKnownHere = record.lastObservedAt !== null
  if (isKnownHere && record.alsoIn.length === 0) return null
  const others = (
    <span className={`${styles.dotted} line wrap stretch rows-0`}>
      {record.alsoIn.map((code) => (
        <span key={code}>
          <Link to="." search={(search) => ({ ...search, country: code })}>
            {countryName(code)}
          </Link>
        </span>
      ))}
    </span>
  )
  if (isKnownHere) return <p className="quiet small">Also collected in {others}</p>
  return (
    <div className="row gap-4 rows-2 pad rounded warn-fill">
      <p className="grow" style={{ minWidth: 'min(100%, 260px)' }}>
        <strong>No data for {countryName(country)} yet.</strong>{' '}
        {record.alsoIn.length > 0 && <>Collected in {others}</>}
      </p>
      {mayWrite && <AddAppButton storeId={record.storeId} country={country} />}
    </div>
  )
}

/** Says where the storefront does not list the app, or listed it again after it had not, with dates. */
function NotListed({ record: { availability } }: { record: AppRecord }) {
  const { state, detail, lastSeenAt, since, stillInChartsAt, storefronts, absences } = availability
  const last = absences.find(({ confirmedAt }) => confirmedAt !== null)
  if (state === 'listed' && !last) return null
  if (state === 'unknown') return null
  if (state === 'listed') return <p className="quiet small">{detail}</p>
  const others = storefronts.slice(1)
  return (
    <div className="stack gap-2 pad rounded warn-fill" role="status">
      <p>
        <strong>
          {
            {
              missed: 'Not listed at the last check',
              'not-found': 'Not found in this storefront',
              'probably-removed': 'Probably removed from the App Store',
            }[state]
          }
        </strong>
        . {detail}
      </p>
      <p className="small">
        Last seen: {lastSeenAt ? <Measured observedAt={lastSeenAt}>{dayText(lastSeenAt)}</Measured> : 'never'}
        {since && (
          <>
            . Missing since{' '}
            <Measured evidence={absences[0]?.evidence.at(-1)} observedAt={since}>
              {momentText(since)}
            </Measured>
          </>
        )}
        {stillInChartsAt && <>. Still in a chart on {dayText(stillInChartsAt)}</>}
        {others.length > 0 && (
          <>
            . Other storefronts:{' '}
            {others
              .slice(0, 6)
              .map(
                ({ country, state: there, lastSeenAt: seen, firstMissedAt }) =>
                  `${countryName(country)} ${there === 'listed' ? `seen ${seen ? dayText(seen) : ''}` : `missing since ${firstMissedAt ? dayText(firstMissedAt) : ''}`}`,
              )
              .join('; ')}
          </>
        )}
        .
      </p>
    </div>
  )
}

function Tabs({ storeId }: { storeId: string }) {
  const params = { storeId }
  return (
    <TabLinks
      label="App pages"
      tabs={[
        { name: 'Overview', link: linkOptions({ to: '/apps/$storeId', params }) },
        { name: 'Ranks', link: linkOptions({ to: '/apps/$storeId/ranks', params }) },
        { name: 'Keywords', link: linkOptions({ to: '/apps/$storeId/keywords', params }) },
        { name: 'Estimates', link: linkOptions({ to: '/apps/$storeId/estimates', params }) },
        { name: 'Similar', link: linkOptions({ to: '/apps/$storeId/similar', params }) },
        { name: 'Media', link: linkOptions({ to: '/apps/$storeId/media', params }) },
        { name: 'Listing', link: linkOptions({ to: '/apps/$storeId/listing', params }) },
        { name: 'Languages', link: linkOptions({ to: '/apps/$storeId/languages', params }) },
        { name: 'Posts', link: linkOptions({ to: '/apps/$storeId/organic', params }) },
        { name: 'Ads', link: linkOptions({ to: '/apps/$storeId/ads', params }) },
        { name: 'Requests', link: linkOptions({ to: '/apps/$storeId/requests', params }) },
      ]}
    />
  )
}

/** Tracks the app in this storefront, or shows as what it is tracked and leads to its workstation. */
function TrackMenu({ storeId, country, name }: { storeId: string; country: Country; name: string }) {
  const navigate = useNavigate()
  const { isPending, data: apps = [] } = useQuery(trackedApps)
  const tracked = useTrackedApps(country).get(storeId)
  const roles = rolesOf(rivalChoicesOf(apps, country, storeId))
  const track = useWrite('track_aso_app', {
    changes: ['list_aso_apps', 'get_competitor_aso'],
    done: (done) => `${isolateDirection(name)} is ${trackedAs(done, apps)} in ${countryName(country)}.`,
  })
  const change = useWrite('update_aso_app_role', {
    changes: ['list_aso_apps', 'get_aso_workstation'],
    done: (done) => `${isolateDirection(name)} is now ${trackedAs(done, apps)}.`,
  })
  return (
    <Menu
      label="Track this app"
      trigger={
        <Button
          look={tracked || isPending ? 'plain' : 'primary'}
          isDisabled={isPending}
          icon={<Target size={15} aria-hidden="true" />}
          isPending={track.isPending || change.isPending}
        >
          <span className="cut" style={{ maxWidth: 'min(20rem, 60vw)' }}>
            {tracked ? `Tracked: ${roleOf(tracked, apps)}` : 'Track'}
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
      entries={
        tracked
          ? [
              {
                id: 'open',
                name: 'Open keywords',
                onAction: () => void navigate({ to: '/aso/$appId', params: { appId: tracked.appId } }),
              },
              ...roles
                .filter(
                  ({ role, rivalOf }) =>
                    role !== tracked.role || (role === 'rival' && rivalOf !== tracked.rivalOf),
                )
                .map(({ id, toTrack, ...as }) => ({
                  id,
                  name: toTrack,
                  onAction: () => change.mutate({ appId: tracked.appId, ...as }),
                })),
            ]
          : roles.map(({ id, role, rivalOf, toTrack }) => ({
              id,
              name: toTrack,
              onAction: () => track.mutate({ app: storeId, country, role, ...(rivalOf && { rivalOf }) }),
            }))
      }
    />
  )
}
