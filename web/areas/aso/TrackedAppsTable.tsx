import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { call, invalidateReads, useWrite } from '../../api/operations.ts'
import { problemInWords } from '../../api/problems.ts'
import { useHasScope } from '../../api/session.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { count, countryName, countWithNoun, isolateDirection, timeAgo } from '../../evidence/format.ts'
import { rivalChoicesOf, rolesOf, trackedAs } from '../../evidence/roles.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { roleInWords, workStatusInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { compareColumn } from '../../ui/CompareLink.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Ellipsis } from '../../ui/icons.ts'
import { Dialog, Menu, type MenuEntry } from '../../ui/overlays.tsx'
import { Badge } from '../../ui/parts.tsx'
import { Distribution, Moves } from './Distribution.tsx'
import { keywordChanges } from './keyword-changes.ts'
import { callsFor, keywordsOf, type PastedTerm } from './pasted-terms.ts'
import type { Role } from './shapes.ts'
import { coverageText, VisibilityShare } from './WorkstationFigures.tsx'

/** Tracked apps of one role. */
export function TrackedAppsTable({
  role,
  apps,
  storefronts,
}: {
  role: Role
  apps: readonly TrackedAppSummary[]
  /** Whether they are of several storefronts. */
  storefronts: boolean
}) {
  const navigate = useNavigate()
  const canWrite = useHasScope('content:write')
  const { data: all = [] } = useQuery(trackedApps)
  const columns = useMemo(() => {
    const [app, ...rest] = columnsOf(canWrite, storefronts)
    return app ? [app, ...(role === 'rival' ? [whoseRival(all)] : []), ...rest] : []
  }, [canWrite, storefronts, role, all])
  return (
    <DataTable
      label={`Tracked apps: ${roleInWords[role]}`}
      rows={apps}
      rowId={({ appId }) => appId}
      columns={columns}
      onOpen={({ appId, country }) =>
        void navigate({ to: '/aso/$appId', params: { appId }, search: { country } })
      }
      pinned
      file={`tracked-apps-${role}`}
      empty={null}
    />
  )
}

function columnsOf(canWrite: boolean, storefronts: boolean): readonly Column<TrackedAppSummary>[] {
  return [
    {
      id: 'app',
      name: 'App',
      width: 200,
      value: ({ app }) => app.name ?? app.storeId,
      cell: ({ appId, app, country, notFoundSince }) => (
        <Link to="/aso/$appId" params={{ appId }} search={{ country }} className="line fits medium">
          <AppIcon url={app.iconUrl} name={app.name} size={24} />
          <bdi className="cut">{app.name ?? `App ${app.storeId}`}</bdi>
          {notFoundSince && <Badge tone="bad">not found</Badge>}
        </Link>
      ),
    },
    {
      id: 'storefront',
      name: 'Storefront',
      width: 130,
      fileOnly: !storefronts,
      value: ({ country }) => countryName(country),
      cell: ({ country }) => countryName(country),
    },
    {
      id: 'keywords',
      name: 'Keywords',
      width: 76,
      align: 'end',
      descendingFirst: true,
      value: ({ keywordCount }) => keywordCount,
      cell: ({ keywordCount }) => count(keywordCount),
    },
    {
      id: 'visibility',
      name: 'Visibility',
      width: 84,
      align: 'end',
      descendingFirst: true,
      value: ({ visibility: { share } }) => (share.state === 'estimated' ? share.value : null),
      csv: ({ visibility: { share } }) => (share.state === 'estimated' ? share.value : 'no data'),
      cell: ({ visibility }) => <VisibilityShare visibility={visibility} />,
    },
    {
      id: 'coverage',
      name: 'Keywords with data',
      width: 168,
      value: ({ visibility: { coverage } }) => coverage,
      csv: ({ visibility }) => coverageText(visibility),
      cell: ({ visibility }) => <span className="quiet">{coverageText(visibility)}</span>,
    },
    {
      id: 'distribution',
      name: 'Top 3, top 10, top 50',
      width: 160,
      csv: ({ distribution: { top3, top10, top50 } }) => `${top3} / ${top10} / ${top50}`,
      cell: ({ distribution }) => <Distribution distribution={distribution} />,
    },
    {
      id: 'over7Days',
      name: 'Rank changes, 7 days',
      heading: '7 days',
      width: 80,
      csv: ({ over7Days: { climbed, entered, fallen, left } }) =>
        `${climbed + entered} up, ${fallen + left} down`,
      cell: ({ over7Days }) => <Moves movement={over7Days} days={7} />,
    },
    {
      id: 'refresh',
      name: 'Last refresh',
      width: 124,
      csv: ({ refresh }) => (refresh ? workStatusInWords[refresh.status] : 'never'),
      cell: (tracked) => <LastRefresh {...tracked} />,
    },
    compareColumn(({ app, country }) => ({ storeId: app.storeId, country, name: app.name ?? app.storeId })),
    ...(canWrite
      ? [
          {
            id: 'actions',
            name: 'Actions',
            heading: <span className="hidden">Actions</span>,
            width: 56,
            cell: (tracked: TrackedAppSummary) => <Actions tracked={tracked} />,
          },
        ]
      : []),
  ]
}

const whoseRival = (all: readonly TrackedAppSummary[]): Column<TrackedAppSummary> => {
  const nameOf = ({ rivalOf }: TrackedAppSummary) => {
    const own = all.find(({ appId }) => appId === rivalOf)
    return own ? (own.app.name ?? `App ${own.app.storeId}`) : 'All my apps'
  }
  return {
    id: 'rivalOf',
    name: 'Competitor of',
    width: 130,
    value: nameOf,
    cell: (app) => <bdi className="cut">{nameOf(app)}</bdi>,
  }
}

function LastRefresh({ refresh, intake, visibility: { newestPageAt } }: TrackedAppSummary) {
  if (intake)
    return (
      <Badge tone={intake.status === 'failed' ? 'bad' : 'accent'}>
        {intake.status === 'failed' ? 'Lookup failed' : 'Looking up'}
      </Badge>
    )
  if (!refresh)
    return newestPageAt ? (
      <Measured note="Not refreshed yet. Date of the latest search results:" observedAt={newestPageAt}>
        <span className="quiet">collected {timeAgo(newestPageAt)}</span>
      </Measured>
    ) : (
      <span className="quiet">never</span>
    )
  const { status, progress, finishedAt, failures } = refresh
  const tone = {
    queued: 'accent',
    running: 'accent',
    succeeded: 'good',
    partial: 'warn',
    failed: 'bad',
  } as const
  return (
    <span className="line">
      <Badge tone={tone[status]}>{workStatusInWords[status]}</Badge>
      <span className="quiet">
        {finishedAt
          ? timeAgo(finishedAt)
          : progress && `${count(progress.done)} of ${progress.total === null ? '?' : count(progress.total)}`}
        {failures.length > 0 && `, ${count(failures.length)} failed`}
      </span>
    </span>
  )
}

function Actions({ tracked }: { tracked: TrackedAppSummary }) {
  const [removing, setRemoving] = useState(false)
  const { appId, app, country } = tracked
  const name = app.name ?? `App ${app.storeId}`
  const { data: apps = [] } = useQuery(trackedApps)
  const changeRole = useWrite('update_aso_app_role', {
    changes: keywordChanges,
    done: (reply) => `${isolateDirection(name)} is now ${trackedAs(reply, apps)}`,
  })
  const others = rolesOf(rivalChoicesOf(apps, country, app.storeId)).filter(
    ({ role, rivalOf }) => role !== tracked.role || (role === 'rival' && rivalOf !== tracked.rivalOf),
  )
  const entries: MenuEntry[] = [
    ...others.map(({ id, toTrack, ...as }) => ({
      id,
      name: toTrack,
      onAction: () => changeRole.mutate({ appId, ...as }),
    })),
    { id: 'remove', name: 'Stop tracking…', onAction: () => setRemoving(true) },
  ]
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        trigger={<IconButton label={`Actions for ${name}`} icon={<Ellipsis size={16} aria-hidden="true" />} />}
        entries={entries}
      />
      <RemoveApp tracked={tracked} open={removing} onOpenChange={setRemoving} />
    </>
  )
}

/** Asks before an app leaves the account with its keywords, and offers to take that back. */
function RemoveApp({
  tracked,
  open,
  onOpenChange,
}: {
  tracked: TrackedAppSummary
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const queries = useQueryClient()
  const [pending, setPending] = useState(false)
  const { appId, app, country, role, rivalOf, keywordCount } = tracked
  const { data: apps = [] } = useQuery(trackedApps)
  const name = app.name ?? `App ${app.storeId}`
  const trackAgain = async (keywords: readonly PastedTerm[]) => {
    try {
      const again = await call('track_aso_app', {
        app: app.storeId,
        country,
        role,
        ...(rivalOf && { rivalOf }),
      })
      for (const rival of apps.filter((one) => one.rivalOf === appId))
        await call('update_aso_app_role', { appId: rival.appId, role: 'rival', rivalOf: again.appId })
      for (const together of callsFor(keywords))
        await call('add_aso_keywords', { appId: again.appId, ...keywordsOf(together) })
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
    }
    await invalidateReads(queries, keywordChanges)
  }
  const remove = async () => {
    setPending(true)
    try {
      // Its terms are read before they leave, so that taking it back brings them too.
      const { keywords } = await call('get_aso_workstation', { appId, windowDays: 7 })
      await call('remove_aso_app', { appId })
      notify({
        kind: 'done',
        text: `${isolateDirection(name)} is no longer tracked`,
        undo: () => void trackAgain(keywords),
      })
      onOpenChange(false)
    } catch (error) {
      notify({ kind: 'failed', ...problemInWords(error) })
    }
    setPending(false)
    await invalidateReads(queries, keywordChanges)
  }
  return (
    <Dialog title="Stop tracking?" open={open} onOpenChange={onOpenChange}>
      {(close) => (
        <>
          <p>
            <bdi>
              <strong>{name}</strong>
            </bdi>{' '}
            in {countryName(country)}
            {keywordCount > 0 && ` and its ${countWithNoun(keywordCount, 'keyword')}`} will be removed from your
            account. Collected search results, listings and ratings are kept.{' '}
            {apps.some((one) => one.rivalOf === appId) && 'Its competitors become competitors of all my apps. '}
            You can undo this right after.
          </p>
          <div className="row">
            <Button look="danger" isPending={pending} onPress={() => void remove()}>
              Stop tracking
            </Button>
            <Button look="bare" onPress={close}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
