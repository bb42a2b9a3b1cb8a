import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { notify } from '../../api/notices.ts'
import { changeOfPages, type Scope, type SignedIn, SignInFailed } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Checkbox, DayField, Select, TextField } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { TokensField } from '../../ui/TokensField.tsx'
import { type KeyMade, type KeyShown, keysOfAccount, scopeInWords } from './keys.ts'

/** A write about keys. Without an answer nobody knows whether it was done, so the list is read anew in any case. */
function useKeyWrite<Given, Reply>(write: (given: Given) => Promise<Reply>, done: (reply: Reply) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: done,
    onSettled: () => queries.invalidateQueries(keysOfAccount),
  })
}

export function NewKey({ session, onMade }: { session: SignedIn; onMade: (made: KeyMade) => void }) {
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(['context:read'])
  const [bringsEvidence, setBringsEvidence] = useState(false)
  const [lastDay, setLastDay] = useState<string>()
  const [networks, setNetworks] = useState<readonly string[]>([])
  const make = useKeyWrite(
    () =>
      changeOfPages<KeyMade>('POST', '/keys', {
        name: name.trim(),
        scopes,
        bringsEvidence,
        ...(networks.length > 0 ? { networks } : {}),
        ...(lastDay ? { expiresAt: `${lastDay}T23:59:59Z` } : {}),
      }),
    (key) => {
      setOpen(false)
      setName('')
      onMade(key)
    },
  )
  const isWhole = name.trim() !== '' && scopes.length > 0
  return (
    <Dialog
      title="New API key"
      trigger={<Button small>New key…</Button>}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        make.reset()
      }}
    >
      {(close) => (
        <form
          className="stack gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (isWhole && !make.isPending) make.mutate(undefined)
          }}
        >
          <TextField
            label="Name"
            description="What the key is for, such as reports, an agent or a colleague"
            value={name}
            onChange={setName}
            maxLength={100}
            isRequired
            autoFocus
          />
          <fieldset className="stack">
            <legend className="quiet small medium">Scopes</legend>
            {session.scopes.map((scope) => (
              <Checkbox
                key={scope}
                isSelected={scopes.includes(scope)}
                onChange={(isSelected) =>
                  setScopes(isSelected ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              >
                <span>
                  <code>{scope}</code> {scopeInWords[scope]}
                </span>
              </Checkbox>
            ))}
            {session.bringsEvidence && (
              <Checkbox isSelected={bringsEvidence} onChange={setBringsEvidence}>
                May add data of your own, which is marked as yours everywhere
              </Checkbox>
            )}
          </fieldset>
          <DayField label="Expires after (UTC)" value={lastDay} onChange={setLastDay} />
          <TokensField
            label="Allowed networks"
            description="Such as 10.0.0.0/8. If left empty, the expiry and networks of your own key apply."
            values={networks}
            onChange={setNetworks}
            most={50}
          />
          {make.error && <Failure error={make.error} />}
          <div className="row">
            <Button type="submit" look="primary" isDisabled={!isWhole} isPending={make.isPending}>
              Create key
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

const Failure = ({ error }: { error: Error }) => (
  <p role="alert" className="pad-2-3 rounded bad-fill">
    {error.message}
    {error instanceof SignInFailed &&
      ' Check the list before you try again: if the key was created after all, revoke it.'}
  </p>
)

const overlaps = [
  { id: '0', name: 'expires now' },
  { id: '1', name: 'expires in 1 hour' },
  { id: '24', name: 'expires in 1 day' },
  { id: '168', name: 'expires in 7 days' },
] as const

/** Another secret for the same rights; the old one works on for a while, so that nothing stops meanwhile. */
export function Rotate({
  shown: { keyId, name },
  onMade,
}: {
  shown: KeyShown
  onMade: (made: KeyMade) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]['id']>('24')
  const rotate = useKeyWrite(
    () => changeOfPages<KeyMade>('POST', `/keys/${keyId}/rotation`, { overlapHours: Number(overlap) }),
    (key) => {
      setOpen(false)
      onMade(key)
    },
  )
  return (
    <Dialog
      title={`Rotate “${name}”`}
      trigger={
        <Button small aria-label={`Rotate ${name}`}>
          Rotate…
        </Button>
      }
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        rotate.reset()
      }}
    >
      {(close) => (
        <>
          <p>Creates a new key with the same name and scopes.</p>
          <Select label="The old key" options={overlaps} value={overlap} onChange={setOverlap} />
          {rotate.error && <Failure error={rotate.error} />}
          <div className="row">
            <Button look="primary" isPending={rotate.isPending} onPress={() => rotate.mutate(undefined)}>
              Rotate key
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

export function Revoke({ shown: { keyId, name, current } }: { shown: KeyShown }) {
  const [isOpen, setOpen] = useState(false)
  const revoke = useKeyWrite(
    () => changeOfPages<void>('DELETE', `/keys/${keyId}`),
    () => {
      setOpen(false)
      notify({ kind: 'done', text: `The key “${name}” was revoked.` })
    },
  )
  return (
    <Dialog
      title={`Revoke “${name}”`}
      trigger={
        <Button small look="danger" aria-label={`Revoke ${name}`}>
          Revoke…
        </Button>
      }
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        revoke.reset()
      }}
    >
      {(close) => (
        <>
          <p>
            Programs that use it lose access at once, and browsers signed in with it are signed out.
            {current && ' You are signed in with this key: your session ends, too.'}
          </p>
          {revoke.error && <Failure error={revoke.error} />}
          <div className="row">
            <Button look="danger" isPending={revoke.isPending} onPress={() => revoke.mutate(undefined)}>
              Revoke key
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
