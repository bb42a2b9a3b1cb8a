import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChannelKind, Digest, WebhookShape } from '../../../src/vocabulary/watches.ts'
import { digests } from '../../../src/vocabulary/watches.ts'
import { notify } from '../../api/notices.ts'
import { useHasScope } from '../../api/session.ts'
import {
  addChannel,
  type ChannelListed,
  channelsQuery,
  freshId,
  muteChannel,
  removeChannel,
  resendGivenUp,
  testChannel,
  useChange,
} from '../../api/watches.ts'
import { countWithNoun, momentText, timeAgo } from '../../evidence/format.ts'
import { channelInWords, digestInWords } from '../../evidence/watches.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { Select, TextField } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import styles from './alerts.module.css'
import { QuietHours } from './QuietHours.tsx'

/** How the account is told, and when. */
export function ChannelsTab() {
  const channels = useQuery(channelsQuery)
  const mayWrite = useHasScope('content:write')
  return (
    <Loaded query={channels} skeleton={<Skeleton height={420} />}>
      {({ items, times, noMail, notSent }) => (
        <div className="stack gap-4">
          <Panel title="Channels" note="Every event is sent to all channels." flush>
            {items.length === 0 ? (
              <Empty title="No channel yet">Until you add one, events are listed in the history only.</Empty>
            ) : (
              <ul className={`${styles.rows} ruled`} aria-label="Channels">
                {items.map((one) => (
                  <ChannelRow key={one.channelId} channel={one} />
                ))}
              </ul>
            )}
          </Panel>
          {mayWrite && <AddChannel noMail={noMail} notSent={notSent} />}
          <QuietHours key={JSON.stringify(times)} times={times} />
        </div>
      )}
    </Loaded>
  )
}

function ChannelRow({ channel }: { channel: ChannelListed }) {
  const { channelId, kind, digest, address, mutedAt, pending, dead, lastError, retryAt } = channel
  const mayWrite = useHasScope('content:write')
  const name = `${channelInWords(channel)}${address ? ` ${address}` : ''}`
  const test = useChange(testChannel, {
    changes: ['channels'],
    done: ({ failure }) => (failure === null ? 'Test delivered.' : undefined),
  })
  const resend = useChange(resendGivenUp, {
    changes: ['channels', 'watch-events'],
    done: ({ events }) => `${countWithNoun(events, 'event')} will be sent again.`,
  })
  const mute = useChange(muteChannel, {
    changes: ['channels'],
    done: (_, { muted }) => (muted ? 'Muted. Nothing is sent to this channel.' : 'Unmuted.'),
  })
  return (
    <li className="row between gap-4 rows-1">
      <div className="grow stack gap-0">
        <span>
          <strong>{channelInWords(channel)}</strong>{' '}
          {digest && digest !== 'immediate' && <Badge>{digestInWords[digest]}</Badge>}{' '}
          {mutedAt && <Badge tone="warn">Muted</Badge>} {lastError && <Badge tone="bad">Failing</Badge>}
        </span>
        {address && (
          <span className="quiet anywhere">
            <bdi>{address}</bdi>
          </span>
        )}
        <span className="quiet small">
          {kind === 'feed'
            ? 'Readable by anyone with its URL'
            : `${countWithNoun(pending, 'event')} waiting, ${dead} not delivered`}
        </span>
        {lastError && (
          <span className="bad small">
            {lastError} {retryAt && `Next attempt ${momentText(retryAt)}.`}
          </span>
        )}
        <Tested channel={channel} />
      </div>
      {mayWrite && (
        <span className="line wrap gap-2">
          {kind !== 'feed' && (
            <Button
              small
              aria-label={`Test: ${name}`}
              isPending={test.isPending}
              onPress={() =>
                test.mutate(channel, {
                  onSuccess: ({ failure }) => failure !== null && notify({ kind: 'failed', text: failure }),
                })
              }
            >
              Test
            </Button>
          )}
          {dead > 0 && (
            <Button
              small
              aria-label={`Send again: ${name}`}
              isPending={resend.isPending}
              onPress={() => resend.mutate(channel)}
            >
              Send again
            </Button>
          )}
          {kind !== 'feed' && (
            <Button
              small
              aria-label={`${mutedAt ? 'Unmute' : 'Mute'}: ${name}`}
              isPending={mute.isPending}
              onPress={() => mute.mutate({ channelId, muted: mutedAt === null })}
            >
              {mutedAt ? 'Unmute' : 'Mute'}
            </Button>
          )}
          <RemoveChannel channel={channel} name={name} />
        </span>
      )}
    </li>
  )
}

function Tested({ channel: { testedAt, testError } }: { channel: ChannelListed }) {
  if (testedAt === null) return null
  return (
    <span className={testError === null ? 'quiet small' : 'bad small'}>
      Tested {timeAgo(testedAt)}: {testError ?? 'delivered'}
    </span>
  )
}

function RemoveChannel({ channel, name }: { channel: ChannelListed; name: string }) {
  const remove = useChange(removeChannel, { changes: ['channels'], done: () => 'Channel removed.' })
  return (
    <Dialog
      title="Remove channel"
      trigger={
        <Button small look="danger" aria-label={`Remove: ${name}`}>
          Remove
        </Button>
      }
    >
      {(close) => (
        <>
          <p>
            Nothing more is sent to <bdi>{name}</bdi>, including events that are waiting.{' '}
            {channel.kind !== 'email' && 'Its secret is lost: a new channel gets a new one.'}
          </p>
          <div className="row">
            <Button
              look="danger"
              isPending={remove.isPending}
              onPress={() => remove.mutate(channel, { onSuccess: close })}
            >
              Remove
            </Button>
            <Button onPress={close}>Cancel</Button>
          </div>
        </>
      )}
    </Dialog>
  )
}

type Form = 'email' | 'feed' | WebhookShape

const forms: readonly { id: Form; name: string; address?: string; help: string }[] = [
  {
    id: 'email',
    name: 'Email',
    address: 'Email address',
    help: 'Immediately, or as a daily or weekly digest.',
  },
  {
    id: 'slack',
    name: 'Slack',
    address: 'Webhook URL',
    help: 'Create an incoming webhook in Slack and paste its URL.',
  },
  {
    id: 'discord',
    name: 'Discord',
    address: 'Webhook URL',
    help: 'Create a webhook in the settings of a Discord channel and paste its URL.',
  },
  {
    id: 'teams',
    name: 'Microsoft Teams',
    address: 'Webhook URL',
    help: 'Create a workflow in Teams that posts webhook requests and paste its URL.',
  },
  {
    id: 'generic',
    name: 'Webhook',
    address: 'Webhook URL',
    help: 'JSON with up to 20 events, signed as in the Standard Webhooks specification.',
  },
  { id: 'feed', name: 'Feed (Atom)', help: 'A URL for a feed reader, shown once.' },
]

function AddChannel({ noMail, notSent }: { noMail: string | null; notSent: string | null }) {
  const [form, setForm] = useState<Form>(notSent ? 'feed' : noMail ? 'slack' : 'email')
  const [address, setAddress] = useState('')
  const [digest, setDigest] = useState<Digest>('immediate')
  // The same until the channel is made or something else is asked for: a reply that was lost does not make two of it.
  const [channelId, setChannelId] = useState(freshId)
  const asksFor = (change: () => void) => {
    change()
    setChannelId(freshId())
  }
  const [made, setMade] = useState<{ kind: ChannelKind; secret: string }>()
  const chosen = forms.find(({ id }) => id === form)
  const add = useChange(addChannel, {
    changes: ['channels'],
    done: ({ isNew }, { kind }) =>
      isNew
        ? 'Channel added.'
        : `This channel already exists.${kind === 'email' ? '' : ` To see its ${kind === 'feed' ? 'URL' : 'secret'}, remove it and add it again.`}`,
  })
  return (
    <Panel title="Add channel">
      <form
        className="stack gap-3"
        style={{ maxWidth: 560 }}
        onSubmit={(event) => {
          event.preventDefault()
          const kind = form === 'email' || form === 'feed' ? form : 'webhook'
          add.mutate(
            {
              channelId,
              kind,
              ...(kind === 'feed' ? {} : { address: address.trim() }),
              ...(kind === 'email' ? { digest } : {}),
              ...(form === 'email' || form === 'feed' ? {} : { shape: form }),
            },
            {
              onSuccess: ({ secret }) => {
                setChannelId(freshId())
                setAddress('')
                setMade(secret === null ? undefined : { kind, secret })
              },
            },
          )
        }}
      >
        <Select
          label="Send to"
          options={forms}
          value={form}
          onChange={(value) => {
            asksFor(() => setForm(value))
            setMade(undefined)
          }}
        />
        {chosen && <p className="quiet">{chosen.help}</p>}
        {notSent ? (
          <p className="pad rounded warn-fill">{notSent}</p>
        ) : (
          form === 'email' && noMail && <p className="pad rounded warn-fill">{noMail}</p>
        )}
        {chosen?.address && (
          <TextField
            label={chosen.address}
            type={form === 'email' ? 'email' : 'url'}
            isRequired
            maxLength={2_000}
            autoComplete="off"
            value={address}
            onChange={(value) => asksFor(() => setAddress(value))}
          />
        )}
        {form === 'email' && (
          <Select
            label="Frequency"
            options={digests.map((id) => ({ id, name: digestInWords[id] }))}
            value={digest}
            onChange={(value) => asksFor(() => setDigest(value))}
          />
        )}
        <div>
          <Button type="submit" look="primary" isPending={add.isPending}>
            Add channel
          </Button>
        </div>
      </form>
      {made && (
        <div
          className="stack gap-2 pad rounded warn-fill"
          role="status"
          style={{ marginTop: 'var(--space-4)' }}
        >
          <p>
            <strong>{made.kind === 'feed' ? 'The feed URL' : 'The signing secret'}</strong> is shown only once.{' '}
            {made.kind === 'feed' && 'Anyone who has it can read your events.'}
          </p>
          <CopyableText
            text={made.kind === 'feed' ? new URL(made.secret, location.origin).href : made.secret}
          />
        </div>
      )}
    </Panel>
  )
}
