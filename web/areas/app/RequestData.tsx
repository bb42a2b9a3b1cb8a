import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { type ReplyOf, useWrite } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import { useHasScope } from '../../api/session.ts'
import { count, timeAgo } from '../../evidence/format.ts'
import type { DataRequest } from '../../evidence/shapes.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { dataKindInWords, dataKinds } from '../../evidence/words.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { Checkbox, Choice, TextField } from '../../ui/fields.tsx'
import { HandHelping } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge } from '../../ui/parts.tsx'
import { useAppOfPage } from './app-of-page.ts'

type DataKind = DataRequest['kind']

/** Asks for data that is not stored, and shows the request where there is an open one already. */
export function RequestData({ kinds }: { kinds: readonly DataKind[] }) {
  const { storeId, country } = useAppOfPage()
  const mayAsk = useHasScope('content:write')
  const requests = useQuery(
    readTogether('list_competitor_data_requests', { storeId, status: 'open', limit: 100 }),
  )
  const open = (requests.data?.items ?? []).filter(
    (request) => request.country === country && kinds.includes(request.kind),
  )
  return (
    <div className="row middle gap-3 rows-2 small">
      {open.map(({ requestId, kind, demand, lastRequestedAt }) => (
        <p key={requestId}>
          <Badge tone="accent">Requested</Badge> {dataKindInWords[kind]}: {timesText(demand)}, last{' '}
          {timeAgo(lastRequestedAt)}.{' '}
          <Link to="/apps/$storeId/requests" params={{ storeId }}>
            View request
          </Link>
        </p>
      ))}
      {mayAsk && (
        <Dialog
          title="Request data"
          trigger={
            <Button icon={<HandHelping size={15} aria-hidden="true" />}>
              {open.length > 0 ? 'Request again…' : 'Request data…'}
            </Button>
          }
        >
          {(close) => <AskForm kinds={kinds} onAsked={close} />}
        </Dialog>
      )}
    </div>
  )
}

/** `once`, `3 times` */
export const timesText = (demand: number): string => (demand === 1 ? 'once' : `${count(demand)} times`)

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

function AskForm({ kinds, onAsked }: { kinds: readonly DataKind[]; onAsked: () => void }) {
  const { storeId, country: ofPage } = useAppOfPage()
  const [chosen, setChosen] = useState<ReadonlySet<DataKind>>(new Set(kinds))
  const [country, setCountry] = useState(ofPage)
  const [note, setNote] = useState('')
  const ask = useWrite('request_competitor_data', {
    changes: ['list_competitor_data_requests', 'get_competitor'],
    done: outcomeOf,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen.size === 0 || ask.isPending) return
    ask.mutate(
      {
        storeId,
        country,
        kinds: dataKinds.filter((kind) => chosen.has(kind)),
        ...(note.trim() === '' ? {} : { note: note.trim() }),
      },
      { onSuccess: onAsked },
    )
  }
  const choose = (kind: DataKind, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(kind)
    else next.delete(kind)
    setChosen(next)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p className="quiet">
        The operator sees the request; it does not start collection. It closes when the data arrives, or when
        the operator dismisses it.
      </p>
      <fieldset className="tiles gap-2" style={customProperties({ '--tile': '180px' })}>
        <legend className="quiet small medium">Data</legend>
        {dataKinds.map((kind) => (
          <Checkbox key={kind} isSelected={chosen.has(kind)} onChange={(value) => choose(kind, value)}>
            {dataKindInWords[kind]}
          </Checkbox>
        ))}
      </fieldset>
      <Choice label="Storefront" options={countries} value={country} onChange={setCountry} />
      <TextField
        label="Note for the operator (optional)"
        lines={3}
        maxLength={2_000}
        value={note}
        onChange={setNote}
      />
      <div className="row">
        <Button look="primary" type="submit" isPending={ask.isPending} isDisabled={chosen.size === 0}>
          Send request
        </Button>
        {chosen.size === 0 && <span className="quiet">Select at least one.</span>}
      </div>
    </form>
  )
}

/** The outcome of a request: one that has ended reopens only when its evidence is older than a day. */
function outcomeOf({ items }: ReplyOf<'request_competitor_data'>): string {
  const names = (list: readonly DataRequest[]) => list.map(({ kind }) => dataKindInWords[kind]).join(', ')
  const open = items.filter(({ status }) => status === 'open')
  const ended = items.filter(({ status }) => status !== 'open')
  const told = open.length > 0 ? [`Requested: ${names(open)}.`] : []
  if (ended.length > 0) told.push(`Closed earlier and not reopened: ${names(ended)}. The request was counted.`)
  return told.join(' ')
}
