import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { notify } from '../../api/notices.ts'
import { listSessions, NoSessionList, revokeSession, type SessionListed, signOut } from '../../api/session.ts'
import { ago, momentText } from '../../evidence/format.ts'
import { signOutOrTell } from '../../shell/sign-out.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Loaded, Panel, Skeleton } from '../../ui/parts.tsx'

const queryKey = ['sessions']

/** Browsers that are signed in with this credential, and their end. */
export function Sessions() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey, queryFn: listSessions })
  const changed = () => queries.invalidateQueries({ queryKey })
  const revoke = useMutation({
    mutationFn: ({ sessionId }: SessionListed) => revokeSession(sessionId),
    onSuccess: () => notify({ kind: 'done', text: 'The session has ended.' }),
    onError: (error) => notify({ kind: 'failed', text: error.message }),
    onSettled: changed,
  })
  const everywhere = useMutation({
    mutationFn: async (others: readonly SessionListed[]) => {
      for (const { sessionId } of others) await revokeSession(sessionId)
      await signOut()
    },
    onError: (error) => notify({ kind: 'failed', text: error.message }),
    onSettled: changed,
  })
  const isMissing = sessions.error instanceof NoSessionList
  const others = sessions.data?.filter(({ current }) => !current) ?? []
  return (
    <Panel
      title="Sessions"
      note="Browsers in which you are signed in"
      actions={
        sessions.data ? (
          <Dialog title="Sign out everywhere" trigger={<Button small>Sign out everywhere…</Button>}>
            {(close) => (
              <>
                <p>
                  Ends {others.length === 0 ? 'this session' : `this session and ${others.length} more`}. API
                  keys go on working.
                </p>
                <div className="row">
                  <Button
                    look="danger"
                    isPending={everywhere.isPending}
                    onPress={() => everywhere.mutate(others)}
                  >
                    Sign out everywhere
                  </Button>
                  <Button onPress={close}>Cancel</Button>
                </div>
              </>
            )}
          </Dialog>
        ) : (
          <Button small onPress={signOutOrTell}>
            Sign out
          </Button>
        )
      }
    >
      {isMissing ? (
        <p className="quiet">Not available: this server does not list sessions.</p>
      ) : (
        <Loaded query={sessions} skeleton={<Skeleton height={110} />}>
          {(items) => (
            <ul className="ruled pad-rows">
              {items.map((session) => (
                <li key={session.sessionId} className="row nowrap gap-3">
                  <div className="grow">
                    <strong>
                      <bdi>{session.browser ?? 'Unknown browser'}</bdi>
                    </strong>{' '}
                    {session.current && <Badge tone="accent">This browser</Badge>}
                    <p className="quiet">
                      {session.address && (
                        <>
                          <bdi>{session.address}</bdi>,{' '}
                        </>
                      )}
                      since {momentText(session.createdAt)}
                      {session.lastUsedAt && `, used ${ago(session.lastUsedAt)}`}, ends{' '}
                      {momentText(session.expiresAt)}
                    </p>
                  </div>
                  {session.current ? (
                    <Button small onPress={signOutOrTell}>
                      Sign out
                    </Button>
                  ) : (
                    <Button
                      small
                      look="danger"
                      isPending={revoke.isPending && revoke.variables.sessionId === session.sessionId}
                      onPress={() => revoke.mutate(session)}
                    >
                      End
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </Panel>
  )
}
