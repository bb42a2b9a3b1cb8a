import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type SignedIn, useSession } from '../../api/session.ts'
import { momentText, timeAgo } from '../../evidence/format.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { NewKey, Revoke, Rotate } from './key-dialogs.tsx'
import { type KeyMade, type KeyShown, keysOfAccount } from './keys.ts'

/** The API keys of the account, for its admins. A new key is shown once, and may never do more than who makes it. */
export function Keys() {
  const { session } = useSession()
  if (!session.signedIn) return null
  return session.administers ? <KeysOfAccount session={session} /> : <KeysOfOthers />
}

const KeysOfOthers = () => (
  <Panel title="API keys">
    <p className="quiet">
      Only admins of this account create, rotate and revoke its keys. Ask an admin, or the operator of this
      installation.
    </p>
  </Panel>
)

function KeysOfAccount({ session }: { session: SignedIn }) {
  const [made, setMade] = useState<KeyMade>()
  const keys = useQuery(keysOfAccount)
  return (
    <Panel
      title="API keys"
      note="For programs, agents and colleagues. Each key is shown once, when it is created."
      actions={<NewKey session={session} onMade={setMade} />}
    >
      <Loaded query={keys} skeleton={<Skeleton height={110} />}>
        {(items) => (
          <ul className="ruled pad-rows" aria-label="Keys of this account">
            {items.map((key) => (
              <OneKey key={key.keyId} shown={key} onMade={setMade} />
            ))}
          </ul>
        )}
      </Loaded>
      {made && <MadeKey made={made} onClose={() => setMade(undefined)} />}
    </Panel>
  )
}

/** The only time that a key is seen. */
const MadeKey = ({ made, onClose }: { made: KeyMade; onClose: () => void }) => (
  <Dialog title={`Key “${made.name}”`} open fixed>
    <p>
      <strong>Copy the key now.</strong> Only its hash is stored, so it cannot be shown again.
    </p>
    <CopyableText text={made.key} />
    <div className="row">
      <Button look="primary" onPress={onClose}>
        I have copied it
      </Button>
    </div>
  </Dialog>
)

function OneKey({ shown, onMade }: { shown: KeyShown; onMade: (made: KeyMade) => void }) {
  const { name, scopes, bringsEvidence, administers, networks, createdAt, expiresAt, lastUsedAt, current } =
    shown
  return (
    <li className="row gap-3">
      <div className="grow">
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        {current && <Badge tone="accent">This session</Badge>} {administers && <Badge>Admin</Badge>}{' '}
        {scopes.map((scope) => (
          <span key={scope}>
            <Badge tone="good">{scope}</Badge>{' '}
          </span>
        ))}
        <p className="quiet">
          {bringsEvidence && 'may add data, '}
          {networks.length > 0 && `from ${networks.join(', ')} only, `}
          created {momentText(createdAt)}, {lastUsedAt ? `last used ${timeAgo(lastUsedAt)}` : 'never used'},{' '}
          {expiresAt ? `expires ${momentText(expiresAt)}` : 'no expiry'}
        </p>
      </div>
      <Rotate shown={shown} onMade={onMade} />
      <Revoke shown={shown} />
    </li>
  )
}
