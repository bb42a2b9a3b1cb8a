import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { read } from '../../api/operations.ts'
import { useReplies } from '../../api/replies.ts'
import { count, countryName, shortDayText } from '../../evidence/format.ts'
import { distinctIssues } from '../../evidence/freshness.ts'
import type { TrackedAppSummary } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { adPlatformInWords, dataKindInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { Badge, Loaded, Panel, Skeleton, SourceIssues } from '../../ui/parts.tsx'
import styles from './admin.module.css'

/** Apps whose records and requests are read. */
const mostApps = 50

/** How the sources are, as far as replies tell it, what is asked for, and what operators do on the terminal. */
export function SourcesTab() {
  const apps = useQuery(trackedApps)
  return (
    <>
      <Loaded query={apps} skeleton={<Skeleton height={280} />}>
        {(tracked) => (
          <>
            <IssuesOfSources apps={tracked.slice(0, mostApps)} />
            <AdLibraries />
            <OpenRequests apps={tracked.slice(0, mostApps)} total={tracked.length} />
          </>
        )}
      </Loaded>
      <Operator />
    </>
  )
}

function IssuesOfSources({ apps }: { apps: readonly TrackedAppSummary[] }) {
  const { replies, reading } = useReplies(
    'get_competitor',
    apps.map(({ app, country }) => ({ platform: app.platform, storeId: app.storeId, country })),
  )
  const issues = distinctIssues(replies.flatMap((reply) => reply?.trouble ?? []))
  const done = reading.done === reading.total
  return (
    <Panel
      title="Sources of Apple"
      note={
        done
          ? `As far as the records of ${count(apps.length)} tracked apps rest on them. The operator sees every source with rivalscope sources.`
          : `Reading ${count(reading.done)} of ${count(reading.total)}…`
      }
    >
      {issues.length > 0 ? (
        <SourceIssues trouble={issues} />
      ) : (
        <p className="quiet">
          {done ? 'Nothing that these records rest on is failing, throttled or suspect.' : 'Nothing so far.'}
        </p>
      )}
    </Panel>
  )
}

const badCodes = new Set([
  'source-failing',
  'source-throttled',
  'source-not-configured',
  'suspect-empty',
  'form-changed',
])

function AdLibraries() {
  const query = useQuery(read('search_paid_ads', { limit: 1 }))
  return (
    <Panel title="Ad libraries">
      <Loaded query={query} skeleton={<Skeleton height={64} />}>
        {({ coverage }) => (
          <ul className={`${styles.notes} stack gap-2`}>
            {coverage.map(({ platform, notes, newestObservationAt }) => {
              const bad = notes.filter(({ code }) => badCodes.has(code))
              return (
                <li key={platform}>
                  <strong>{adPlatformInWords[platform]}</strong>{' '}
                  {bad.length === 0 ? (
                    <span>no trouble known</span>
                  ) : (
                    bad.map(({ code, message }) => (
                      <span key={code}>
                        <Badge tone="warn">{code.replaceAll('-', ' ')}</Badge> {message}{' '}
                      </span>
                    ))
                  )}{' '}
                  <span className="quiet">
                    {newestObservationAt
                      ? `Newest observation ${shortDayText(newestObservationAt)}`
                      : 'Nothing observed yet'}
                  </span>
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

function OpenRequests({ apps, total }: { apps: readonly TrackedAppSummary[]; total: number }) {
  const distinct = [...new Map(apps.map((tracked) => [tracked.app.storeId, tracked])).values()]
  const { replies, reading } = useReplies(
    'list_competitor_data_requests',
    distinct.map(({ app }) => ({ storeId: app.storeId, status: 'open' as const, limit: 25 })),
  )
  const open = distinct.flatMap((tracked, index) =>
    (replies[index]?.items ?? []).map((request) => ({ tracked, request })),
  )
  return (
    <Panel
      title="Requests waiting"
      note={`What this account asked for about ${total > apps.length ? `the first ${count(apps.length)} of ${count(total)}` : 'its'} tracked apps, and is still open`}
      flush={open.length > 0}
    >
      {open.length === 0 && (
        <p className="quiet">
          {reading.done < reading.total ? 'Reading…' : 'No request of a tracked app is open.'}
        </p>
      )}
      {open.length > 0 && (
        <ul className={`${styles.rows} ruled`}>
          {open.map(({ tracked: { app }, request }) => (
            <li key={request.requestId} className="row between gap-4 rows-1">
              <span className="row">
                <AppIcon url={app.iconUrl} name={app.name} />
                <Link to="/apps/$storeId/requests" params={{ storeId: app.storeId }}>
                  {dataKindInWords[request.kind]} of <bdi>{app.name ?? app.storeId}</bdi>
                </Link>
              </span>
              <span className="line wrap gap-3">
                <Badge>{countryName(request.country)}</Badge>
                <span className="quiet">
                  asked {request.demand === 1 ? 'once' : `${count(request.demand)} times`}, last{' '}
                  {shortDayText(request.lastRequestedAt)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Keys, accounts and sources belong to the operator, who has a terminal and no page. */
const Operator = () => (
  <Panel title="On the operator's terminal" note="These act on the store itself, and no web session may.">
    <div className="stack">
      <p>The health of every source by storefront:</p>
      <CopyableText text="rivalscope sources" />
      <p>What all accounts ask for, most wanted first, and the end of a request:</p>
      <CopyableText text="rivalscope requests list" />
      <CopyableText text={'rivalscope requests dismiss <requestId> --reason "<why>"'} />
      <p>What accounts brought as evidence, and taking it back:</p>
      <CopyableText text="rivalscope evidence list" />
      <p>Keys and their accounts:</p>
      <CopyableText text="rivalscope keys list" />
      <CopyableText text="rivalscope keys create --name <name> --account <account> --scopes context:read,content:write" />
      <CopyableText text="rivalscope keys revoke <key>" />
      <p>Larger files of ads than fit a preview:</p>
      <CopyableText text="rivalscope import paid-ads <files>" />
    </div>
  </Panel>
)
