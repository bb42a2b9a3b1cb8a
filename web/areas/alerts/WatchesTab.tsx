import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { notify } from '../../api/notices.ts'
import { useHasScope } from '../../api/session.ts'
import {
  addWatch,
  muteWatch,
  removeWatch,
  useChange,
  type WatchListed,
  watchesQuery,
} from '../../api/watches.ts'
import { useCountry } from '../../evidence/country.ts'
import { count, countWithNoun, timeAgo } from '../../evidence/format.ts'
import { watchesOfAccount, watchesOfApps } from '../../evidence/watch-choices.ts'
import { watchInWords } from '../../evidence/watches.ts'
import { Button } from '../../ui/Button.tsx'
import { Bell, BellOff, Trash2 } from '../../ui/icons.ts'
import { Badge, Empty, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'
import { WatchThis } from '../../ui/WatchThis.tsx'
import styles from './alerts.module.css'

/** All watches of the account, with what each has found. */
export function WatchesTab() {
  const watches = useQuery(watchesQuery)
  return (
    <Panel
      title="Watches"
      note="To watch an app, keyword, chart or advertiser, press Watch on its page."
      actions={<AddWatches />}
      flush
    >
      <Loaded query={watches} skeleton={<Skeleton height={320} />}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="No watches yet" action={<AddWatches />}>
              Add watches for your apps and competitors, or open an app, keyword, chart or ad and press Watch.
            </Empty>
          ) : (
            <ul className={`${styles.rows} ruled`} aria-label="Watches">
              {items.map((one) => (
                <WatchRow key={one.watchId} listed={one} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}

function AddWatches() {
  const country = useCountry()
  return (
    <WatchThis
      title="Add watches"
      subject="my apps and competitors"
      country={country}
      choices={[...watchesOfApps(country), ...watchesOfAccount(country)]}
      choosesWhose
    />
  )
}

function WatchRow({ listed }: { listed: WatchListed }) {
  const { watchId, watch, mutedAt, fromConfiguration, events, lastEventAt } = listed
  const mayWrite = useHasScope('content:write')
  const { what, where } = watchInWords(watch, listed)
  const mute = useChange(muteWatch, {
    changes: ['watches'],
    done: (_, { muted }) => (muted ? 'Muted. Events are listed in the history only.' : 'Unmuted.'),
  })
  const again = useChange(addWatch, { changes: ['watches'] })
  const remove = useChange(removeWatch, { changes: ['watches'] })
  return (
    <li className="row between gap-4 rows-1">
      <div className="grow stack gap-0">
        <span>
          <strong>{what}</strong> {mutedAt && <Badge tone="warn">Muted</Badge>}{' '}
          {fromConfiguration && <Badge>From configuration</Badge>}
        </span>
        <span className="quiet anywhere">{where}</span>
        <State listed={listed} />
      </div>
      <span className="line wrap gap-2">
        <Link to="/alerts/history" search={{ watch: watchId }}>
          {events === 0 ? 'No events' : countWithNoun(events, 'event')}
          {lastEventAt && <span className="quiet">, {timeAgo(lastEventAt)}</span>}
        </Link>
        {mayWrite && (
          <Button
            small
            icon={mutedAt ? <Bell size={13} aria-hidden="true" /> : <BellOff size={13} aria-hidden="true" />}
            aria-label={`${mutedAt ? 'Unmute' : 'Mute'}: ${what}, ${where}`}
            isPending={mute.isPending}
            onPress={() => mute.mutate({ watchId, muted: mutedAt === null })}
          >
            {mutedAt ? 'Unmute' : 'Mute'}
          </Button>
        )}
        {mayWrite && !fromConfiguration && (
          <Button
            small
            look="danger"
            icon={<Trash2 size={13} aria-hidden="true" />}
            aria-label={`Remove: ${what}, ${where}`}
            isPending={remove.isPending}
            onPress={() =>
              remove.mutate(listed, {
                onSuccess: () =>
                  notify({
                    kind: 'done',
                    text: 'Watch removed. Its events stay in the history.',
                    undo: () => again.mutate(watch),
                  }),
              })
            }
          >
            Remove
          </Button>
        )}
      </span>
    </li>
  )
}

/** Whether it can look at anything, and since when. */
function State({ listed: { lastError, rankings, evaluatedAt } }: { listed: WatchListed }) {
  if (lastError) return <span className="bad small">Failed: {lastError}</span>
  if (rankings === 0) return <span className="warn small">No data to compare yet: collect it first.</span>
  return (
    <span className="quiet small">
      {rankings !== null && `${count(rankings)} ${rankings === 1 ? 'ranking' : 'rankings'} compared. `}
      {evaluatedAt ? `Checked ${timeAgo(evaluatedAt)}` : 'Not checked yet'}
    </span>
  )
}
