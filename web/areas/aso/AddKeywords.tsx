import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { invalidateReads, useWrite } from '../../api/operations.ts'
import { count, countWithNoun } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/fields.tsx'
import { Plus } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Problem } from '../../ui/parts.tsx'
import { Bar } from '../../ui/WorkProgress.tsx'
import { type AddedTerms, addTerms } from './add-terms.ts'
import { keywordChanges } from './keyword-changes.ts'
import { callsFor, foldedTerm, keywordsPerApp, pastedTerms, writtenOut } from './pasted-terms.ts'
import type { Workstation } from './shapes.ts'

export type Refused = { given: string; message: string }

/** Adds keywords by pasting them: thousands at once, in calls of 200. It closes once nothing is left to be looked at. */
export function AddKeywords({ workstation }: { workstation: Workstation }) {
  const [open, setOpen] = useState(false)
  const [sending, setSending] = useState(false)
  return (
    <Dialog
      title="Add keywords"
      wide
      open={open}
      onOpenChange={setOpen}
      fixed={sending}
      trigger={
        <Button look="primary" icon={<Plus size={15} aria-hidden="true" />}>
          Add keywords…
        </Button>
      }
    >
      {(close) => (
        <PasteForm workstation={workstation} sending={sending} onSending={setSending} onClose={close} />
      )}
    </Dialog>
  )
}

function PasteForm({
  workstation,
  sending,
  onSending,
  onClose,
}: {
  workstation: Workstation
  sending: boolean
  onSending: (sending: boolean) => void
  onClose: () => void
}) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [sent, setSent] = useState({ calls: 0, of: 0, added: 0 })
  const [refused, setRefused] = useState<readonly Refused[]>([])
  const [failure, setFailure] = useState<unknown>()
  const stop = useRef<AbortController>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const refresh = useWrite('refresh_aso_app', { changes: ['list_aso_apps'] })
  const has = useMemo(() => new Set(workstation.keywords.map(({ term }) => foldedTerm(term))), [workstation])
  const read = useDeferredValue(text)
  const { country } = workstation.tracked
  const pasted = useMemo(() => pastedTerms(read, has, country), [read, has, country])
  const calls = callsFor([...pasted.fresh, ...pasted.noted]).length
  const sends = pasted.fresh.length + pasted.noted.length
  const room = keywordsPerApp - has.size

  const send = async () => {
    const now = pastedTerms(text, has, country)
    const terms = [...now.fresh, ...now.noted]
    const beyond = text.slice(text.length - now.beyond)
    const stopped = new AbortController()
    stop.current = stopped
    onSending(true)
    setFailure(undefined)
    setRefused([])
    setSent({ calls: 0, of: callsFor(terms).length, added: 0 })
    let added = 0
    let refusals = 0
    let isAllDone = false
    try {
      const told = ({ reply, left }: AddedTerms) => {
        added += reply.added.length
        setSent(({ calls, of }) => ({ calls: calls + 1, of, added }))
        setRefused((before) => [...before, ...reply.refused])
        // What was taken leaves the box; what was refused is listed with its reason. What has no room yet, and what is yet to
        // be sent, stays.
        const tooLong = now.tooLong.map((term) => ({ term }))
        const rest = [...writtenOut([...tooLong, ...left]), ...(beyond ? [beyond] : [])].join('\n')
        setText(rest)
        refusals += reply.refused.length
        isAllDone = rest === '' && refusals === 0
      }
      await addTerms(workstation.tracked.appId, terms, told, stopped.signal)
      if (added > 0)
        notify({
          kind: 'done',
          text: `${countWithNoun(added, 'keyword')} added`,
          next: {
            name: 'Refresh now',
            act: () => refresh.mutate({ appId: workstation.tracked.appId }),
          },
        })
    } catch (error) {
      setFailure(error)
    } finally {
      onSending(false)
      if (isAllDone) onClose()
      // The button that was pressed has gone, and the focus with it.
      else form.current?.querySelector('textarea')?.focus()
      await invalidateReads(queries, keywordChanges)
    }
  }

  return (
    <form
      ref={form}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (sends > 0 && !sending) void send()
      }}
    >
      <TextField
        label="Keywords"
        description="One per line, or separated by commas, semicolons or tabs. Tables exported from keyword tools work too, with tags and notes. Up to 200 characters each."
        lines={10}
        value={text}
        onChange={setText}
        isReadOnly={sending}
        autoFocus
      />
      <Counts {...pasted} calls={calls} room={room} />
      {sending && (
        <div className="row nowrap gap-3">
          <div className="grow">
            <Bar name="Adding keywords" done={sent.calls} total={sent.of} />
          </div>
          <span className="quiet">
            {count(sent.calls)} of {count(sent.of)} batches, {count(sent.added)} added
          </span>
        </div>
      )}
      {failure !== undefined && (
        <>
          <Problem error={failure} />
          <p>Keywords that were not added are still in the box. Add them again.</p>
        </>
      )}
      <RefusedTerms refused={refused} />
      <div className="row">
        {sending ? (
          <Button autoFocus onPress={() => stop.current?.abort()}>
            Stop after this batch
          </Button>
        ) : (
          <Button look="primary" type="submit" isDisabled={sends === 0}>
            {sends === 0
              ? 'Add'
              : pasted.fresh.length === 0
                ? `Update ${count(sends)}`
                : `Add ${count(pasted.fresh.length)}`}
          </Button>
        )}
        {!sending && (
          <Button look="bare" onPress={onClose}>
            {text === '' ? 'Close' : 'Cancel'}
          </Button>
        )}
      </div>
    </form>
  )
}

/** A preview of the keywords to be added. */
export function Counts({
  fresh,
  noted,
  known,
  repeated,
  elsewhere,
  tooLong,
  beyond,
  calls,
  room,
}: ReturnType<typeof pastedTerms> & { calls: number; room: number }) {
  const parts = [
    `${count(fresh.length)} to add`,
    ...(calls > 1 ? [`in ${count(calls)} batches`] : []),
    ...(noted.length > 0 ? [`${count(noted.length)} to update (tags or notes)`] : []),
    ...(known > 0 ? [`${count(known)} already tracked`] : []),
    ...(repeated > 0 ? [countWithNoun(repeated, 'duplicate')] : []),
    ...(elsewhere > 0 ? [`${count(elsewhere)} for another storefront, skipped`] : []),
    ...(tooLong.length > 0 ? [`${count(tooLong.length)} too long, left in the box`] : []),
  ]
  return (
    <div aria-live="polite">
      <p>{parts.join(', ')}.</p>
      {fresh.length > room && (
        <p className="warn">
          Up to {count(keywordsPerApp)} keywords per app: {count(room)} more can be added.
        </p>
      )}
      {beyond > 0 && (
        <p className="warn">Too long to add at once: the last {count(beyond)} characters stay in the box.</p>
      )}
    </div>
  )
}

/** Terms that the service refused, each with its reason. */
export function RefusedTerms({ refused }: { refused: readonly Refused[] }) {
  if (refused.length === 0) return null
  return (
    <section aria-label="Rejected keywords">
      <h3>{count(refused.length)} rejected</h3>
      <ul className="small scrolls" style={{ maxHeight: 180 }}>
        {refused.slice(0, 200).map(({ given, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same text may be refused twice, and the list only grows
          <li key={index}>
            <bdi className="foreign">{given}</bdi> <span className="quiet">{message}</span>
          </li>
        ))}
      </ul>
      {refused.length > 200 && <p className="quiet">and {count(refused.length - 200)} more</p>}
    </section>
  )
}
