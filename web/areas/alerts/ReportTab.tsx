import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { checkSession, useHasScope, useSession } from '../../api/session.ts'
import {
  channelsQuery,
  freshId,
  type ReportLink,
  reportLinksQuery,
  revokeReport,
  shareReport,
  useChange,
} from '../../api/watches.ts'
import { countryName, dayText, fromNow, spanText } from '../../evidence/format.ts'
import type { Country } from '../../evidence/shapes.ts'
import { trackedApps } from '../../evidence/tracked.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { Select } from '../../ui/fields.tsx'
import { Link2, Printer } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Empty, Filters, Loaded, Panel, Problem, Skeleton } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import styles from './alerts.module.css'
import { dayIn, weeksUntil } from './weeks.ts'

const weeksOffered = 14

/** The report of a week, to read, print and share. Weeks end in the account's time zone, as the service counts them. */
export function ReportTab() {
  return (
    <Loaded query={useQuery(channelsQuery)} skeleton={<Skeleton height={560} />}>
      {({ times: { timeZone } }) => <ReportOfWeek today={dayIn(timeZone, new Date())} />}
    </Loaded>
  )
}

function ReportOfWeek({ today }: { today: string }) {
  const { week, only } = useSearch({ from: '/alerts/report' })
  const navigate = useNavigate({ from: '/alerts/report' })
  const mayWrite = useHasScope('content:write')
  const frame = useRef<HTMLIFrameElement>(null)
  const weeks = weeksUntil(today, weeksOffered)
  const chosen = week ?? weeks[1]?.id ?? ''
  const options = weeks.map(({ id, monday, sunday }, back) => ({
    id,
    name: `${spanText(monday, sunday)}${back === 0 ? ' (so far)' : ''}`,
  }))
  if (!options.some(({ id }) => id === chosen)) options.push({ id: chosen, name: chosen })
  const asked = { week: chosen, ...(only && { country: only }) }
  return (
    <div className="stack gap-4">
      <Filters label="Report">
        <Select
          label="Week"
          options={options}
          value={chosen}
          onChange={(id) => void navigate({ search: (old) => ({ ...old, week: id }), resetScroll: false })}
        />
        <StorefrontChoice
          value={only}
          onChange={(value) =>
            void navigate({ search: (old) => compactSearch({ ...old, only: value }), resetScroll: false })
          }
        />
        <Button
          icon={<Printer size={15} aria-hidden="true" />}
          onPress={() => frame.current?.contentWindow?.print()}
        >
          Print
        </Button>
        {mayWrite && <Share asked={asked} />}
      </Filters>
      <Report key={JSON.stringify(asked)} asked={asked} frame={frame}>
        <Links />
      </Report>
    </div>
  )
}

/** All tracked apps, or those of one of their storefronts. */
function StorefrontChoice({
  value,
  onChange,
}: {
  value: Country | undefined
  onChange: (country: Country | undefined) => void
}) {
  const tracked = useQuery(trackedApps)
  const countries = new Set([...(tracked.data ?? []).map(({ country }) => country), ...(value ? [value] : [])])
  return (
    <Select
      label="Storefront"
      options={[
        { id: 'all', name: 'All storefronts' },
        ...[...countries].map((id) => ({ id, name: countryName(id) })),
      ]}
      value={value ?? 'all'}
      onChange={(id) => onChange(id === 'all' ? undefined : (id as Country))}
    />
  )
}

interface Asked {
  week: string
  country?: string
}

/** The page that the service makes, as high as what stands in it. What follows it is shown when its height is known. */
function Report({
  asked,
  frame,
  children,
}: {
  asked: Asked
  frame: RefObject<HTMLIFrameElement | null>
  children: ReactNode
}) {
  const { session } = useSession()
  const [loaded, setLoaded] = useState(false)
  const [trouble, setTrouble] = useState<string>()
  const [height, setHeight] = useState(0)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (!loaded || !frame.current) return
    const element = frame.current
    const measure = () => setHeight(element.contentDocument?.body.offsetHeight ?? 0)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [loaded, frame])
  const read = () => {
    const page = frame.current?.contentDocument
    const refusal = page?.contentType === 'text/html' ? undefined : problemOf(page?.body?.textContent)
    if (refusal?.status === 401) void checkSession()
    setTrouble(refusal?.detail)
    setLoaded(true)
  }
  const sessionId = session.signedIn ? session.sessionId : ''
  return (
    <div className="box clipped">
      {trouble && (
        <div className="pad">
          <Problem
            error={new Error(trouble)}
            retry={() => {
              setLoaded(false)
              setTrouble(undefined)
              setAttempt(attempt + 1)
            }}
          />
        </div>
      )}
      {!loaded && <Skeleton height={480} />}
      <iframe
        key={`${sessionId} ${attempt}`}
        ref={frame}
        title="Weekly report"
        className={styles.report}
        style={{ height: Math.max(height, 480) }}
        hidden={!loaded || trouble !== undefined}
        sandbox="allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox"
        src={`/weekly-report?${new URLSearchParams({ ...asked })}`}
        onLoad={read}
      />
      {(height > 0 || trouble !== undefined) && children}
    </div>
  )
}

function problemOf(text: string | null | undefined): { detail: string; status?: number } {
  try {
    const { detail, status } = JSON.parse(text ?? '') as { detail?: string; status?: number }
    return { detail: detail ?? 'The report could not be loaded.', ...(status ? { status } : {}) }
  } catch {
    return { detail: 'The report could not be loaded.' }
  }
}

const spans = [
  { id: '7', name: '7 days' },
  { id: '30', name: '30 days' },
  { id: '90', name: '90 days' },
]

/** Makes a link to the report as it is now. */
function Share({ asked }: { asked: Asked }) {
  const [days, setDays] = useState('30')
  const [link, setLink] = useState<string>()
  // The same while the dialog is open: a reply that was lost does not make two of it.
  const [linkId, setLinkId] = useState(freshId)
  const share = useChange(shareReport, { changes: ['report-links'] })
  return (
    <Dialog
      title="Share this report"
      trigger={<Button icon={<Link2 size={15} aria-hidden="true" />}>Share…</Button>}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        setLink(undefined)
        setLinkId(freshId())
      }}
    >
      {(close) =>
        link === undefined ? (
          <form
            className="stack gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              share.mutate(
                { linkId, days: Number(days), ...asked },
                {
                  onSuccess: ({ path }) => setLink(new URL(path, location.origin).href),
                },
              )
            }}
          >
            <p>
              Anyone with the link can read this report as it is now, without an account, and nothing else. You
              can revoke the link at any time.
            </p>
            <Select label="Link expires after" options={spans} value={days} onChange={setDays} />
            <div className="row">
              <Button type="submit" look="primary" isPending={share.isPending}>
                Create link
              </Button>
              <Button onPress={close}>Cancel</Button>
            </div>
          </form>
        ) : (
          <>
            <p>Copy the link now. It cannot be shown again.</p>
            <CopyableText text={link} />
            <div className="row">
              <Button look="primary" onPress={close}>
                Done
              </Button>
            </div>
          </>
        )
      }
    </Dialog>
  )
}

/** The links that lead somewhere, and their end. */
function Links() {
  const links = useQuery(reportLinksQuery)
  return (
    <Panel title="Shared links" note="Anyone with a link can read its report" flush>
      <Loaded query={links} skeleton={<Skeleton height={80} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No shared reports" />
          ) : (
            <ul className={`${styles.rows} ruled`} aria-label="Shared links">
              {items.map((link) => (
                <LinkRow key={link.linkId} link={link} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function LinkRow({ link: { linkId, title, createdAt, expiresAt } }: { link: ReportLink }) {
  const mayWrite = useHasScope('content:write')
  const revoke = useChange(revokeReport, { changes: ['report-links'], done: () => 'Link revoked.' })
  return (
    <li className="row between gap-4 rows-1">
      <div className="grow stack gap-0">
        <strong>{title}</strong>
        <span className="quiet small">
          Shared {dayText(createdAt)}, expires {dayText(expiresAt)} ({fromNow(expiresAt)})
        </span>
      </div>
      {mayWrite && (
        <Button
          small
          look="danger"
          aria-label={`Revoke: ${title}, shared ${dayText(createdAt)}`}
          isPending={revoke.isPending}
          onPress={() => revoke.mutate({ linkId })}
        >
          Revoke
        </Button>
      )}
    </li>
  )
}
