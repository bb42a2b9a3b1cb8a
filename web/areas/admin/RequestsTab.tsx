import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { changeOfPages, useHasScope, useOperates } from '../../api/session.ts'
import { count, countryName, isolateDirection, timeAgo } from '../../evidence/format.ts'
import { dataKindInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { Segments } from '../../ui/Segments.tsx'
import styles from './admin.module.css'
import { openRequests, type RequestListed } from './operating.ts'

/** Open data requests of the account; operators see those of all accounts, and dismiss them. */
export function RequestsTab() {
  const operates = useOperates()
  const [whose, setWhose] = useState<'all' | 'own'>('all')
  const ofAll = operates && whose === 'all'
  const query = useQuery(openRequests(ofAll))
  return (
    <Panel
      title="Open requests"
      note="Requested data that is not collected yet, most requested first. A request does not start collection."
      actions={
        operates && (
          <Segments
            label="Account"
            labelHidden
            segments={[
              { id: 'all', name: 'All accounts' },
              { id: 'own', name: 'My account' },
            ]}
            value={whose}
            onChange={setWhose}
          />
        )
      }
      flush
    >
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {(requests) =>
          requests.length === 0 ? (
            <Empty title="No open requests">
              Request missing data on the page of an app. Requests are closed when the data arrives.
            </Empty>
          ) : (
            <ul className={`${styles.rows} ruled`} aria-label="Open requests">
              {requests.map((request) => (
                <OneRequest key={request.requestId} request={request} ofAll={ofAll} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function OneRequest({ request, ofAll }: { request: RequestListed; ofAll: boolean }) {
  const { storeId, country, kind, name, iconUrl, account, demand, wanted, lastRequestedAt, note } = request
  const mayWrite = useHasScope('content:write')
  return (
    <li className="row between gap-4 rows-1">
      <span className="row">
        <AppIcon url={iconUrl} name={name} />
        <span>
          <Link to="/apps/$storeId/requests" params={{ storeId }} search={{ country }}>
            {dataKindInWords[kind]}: <bdi>{name ?? `App ${storeId}`}</bdi>
          </Link>
          {note && (
            <p className="quiet small">
              <bdi>{note}</bdi>
            </p>
          )}
        </span>
      </span>
      <span className="line wrap gap-3">
        <Badge>{countryName(country)}</Badge>
        <span className="quiet">
          {ofAll && (
            <>
              <bdi>{account}</bdi>{' '}
            </>
          )}
          requested {demand === 1 ? 'once' : `${count(demand)} times`}
          {ofAll && wanted > demand && `, ${count(wanted)} times by all accounts`}, last{' '}
          {timeAgo(lastRequestedAt)}
        </span>
        {ofAll && mayWrite && <Dismiss request={request} />}
      </span>
    </li>
  )
}

/** Ends a request without data, and tells those who asked why. */
function Dismiss({ request: { requestId, kind, name, storeId, account } }: { request: RequestListed }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const [reason, setReason] = useState('')
  const dismiss = useMutation({
    mutationFn: () =>
      changeOfPages<void>('POST', `/requests/${requestId}/dismissal`, {
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      }),
    onSuccess: () => {
      setOpen(false)
      notify({ kind: 'done', text: 'Request dismissed.' })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['requests'] }),
  })
  const what = `${dataKindInWords[kind]}: ${isolateDirection(name ?? storeId)}`
  return (
    <Dialog
      title="Dismiss this request?"
      trigger={
        <Button small aria-label={`Dismiss ${what}, requested by ${account}`}>
          Dismiss…
        </Button>
      }
      open={isOpen}
      onOpenChange={setOpen}
    >
      {(close) => (
        <>
          <p>
            {what}, requested by <bdi>{account}</bdi>.
          </p>
          <TextField
            label="Reason (shown to those who requested it)"
            lines={3}
            maxLength={2_000}
            value={reason}
            onChange={setReason}
          />
          {dismiss.error && (
            <p role="alert" className="pad-2-3 rounded bad-fill">
              {dismiss.error.message}
            </p>
          )}
          <div className="row">
            <Button look="danger" isPending={dismiss.isPending} onPress={() => dismiss.mutate()}>
              Dismiss
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
