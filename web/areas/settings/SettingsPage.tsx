import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { notify } from '../../api/notices.ts'
import {
  listSessions,
  NoSessionList,
  revokeSession,
  type Scope,
  type SessionListed,
  signOut,
  useSession,
} from '../../api/session.ts'
import { defaultCountry, useChooseCountry, useCountry } from '../../evidence/country.ts'
import { countryName, fromNow, momentText, timeAgo } from '../../evidence/format.ts'
import { storefronts } from '../../evidence/storefronts.ts'
import { signOutOrTell } from '../../shell/sign-out.ts'
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../../shell/theme-choice.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyableText } from '../../ui/CopyableText.tsx'
import { customProperties } from '../../ui/css.ts'
import { Choice } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Loaded, Page, Panel, Skeleton } from '../../ui/parts.tsx'
import { type Segment, Segments } from '../../ui/Segments.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import { Keys } from './Keys.tsx'
import { scopeInWords } from './keys.ts'

/** Who is signed in and where, how pages look, and the other ways to the same evidence. */
export function SettingsPage() {
  return (
    <Page title="Settings">
      <div className="tiles spread top gap-4" style={customProperties({ '--tile': '440px' })}>
        <div className="stack gap-4 shrinks">
          <AboutYou />
          <ShownTogether skeleton={<Skeleton height={420} />}>
            <Keys />
            <Sessions />
          </ShownTogether>
        </div>
        <div className="stack gap-4 shrinks">
          <Looks />
          <Doors />
        </div>
      </div>
    </Page>
  )
}

/** Who is signed in, and what they may do. */
function AboutYou() {
  const { session } = useSession()
  if (!session.signedIn) return null
  const { account, credential, scopes, bringsEvidence, createdAt, expiresAt } = session
  const missing = (Object.keys(scopeInWords) as Scope[]).filter((scope) => !scopes.includes(scope))
  return (
    <Panel title="Signed in">
      <dl className="pairs ruled pad-rows" style={customProperties({ '--names': '8rem' })}>
        <div>
          <dt>Account</dt>
          <dd>
            <bdi>{account}</bdi>
          </dd>
        </div>
        <div>
          <dt>Signed in with</dt>
          <dd>
            {credential.kind === 'key' ? 'API key ' : 'sign-in provider, as '}
            <bdi>{credential.name}</bdi>
          </dd>
        </div>
        <div>
          <dt>Scopes</dt>
          <dd className="stack">
            {scopes.map((scope) => (
              <p key={scope}>
                <Badge tone="good">{scope}</Badge> {scopeInWords[scope]}
              </p>
            ))}
            {missing.map((scope) => (
              <p key={scope} className="quiet">
                <Badge>{scope}</Badge> Not included: {scopeInWords[scope].toLowerCase()}
              </p>
            ))}
          </dd>
        </div>
        <div>
          <dt>Own data</dt>
          <dd>
            {bringsEvidence
              ? 'May add data of your own, which is marked as yours everywhere'
              : 'May not add data of your own'}
          </dd>
        </div>
        <div>
          <dt>Session</dt>
          <dd>
            Since <time dateTime={createdAt}>{momentText(createdAt)}</time>, expires{' '}
            <time dateTime={expiresAt}>{momentText(expiresAt)}</time> ({fromNow(expiresAt)})
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

/** The other ways to the same evidence: the reference, the document of the interface, agents. */
function Doors() {
  return (
    <Panel title="Programs and agents">
      <div className="stack">
        <p>
          <a href="/docs/reference">API reference</a> for all operations, also as{' '}
          <a href="/openapi.json">OpenAPI document</a>.
        </p>
        <p>Agents connect over HTTP (Model Context Protocol) with an API key:</p>
        <CopyableText text={mcpSetUp()} />
      </div>
    </Panel>
  )
}

const mcpSetUp = () =>
  JSON.stringify(
    {
      mcpServers: {
        rivalscope: {
          type: 'http',
          url: `${location.origin}/mcp`,
          // biome-ignore lint/suspicious/noTemplateCurlyInString: agents fill it in from their environment
          headers: { Authorization: 'Bearer ${RIVALSCOPE_KEY}' },
        },
      },
    },
    undefined,
    2,
  )

const Help = lazy(() => import('../../shell/Help.tsx'))

const themes: readonly Segment<ThemeChoice>[] = [
  { id: 'system', name: 'System' },
  { id: 'light', name: 'Light' },
  { id: 'dark', name: 'Dark' },
]

const countries = storefronts.map(({ code, name }) => ({ id: code, name }))

/** Settings stored in this browser: theme and storefront. */
function Looks() {
  const theme = useThemeChoice()
  const choose = useChooseCountry()
  const [here, usual] = [useCountry(), defaultCountry()]
  const [help, setHelp] = useState(false)
  return (
    <Panel title="This browser" note="Saved in this browser only">
      <div className="stack">
        <Segments label="Theme" segments={themes} value={theme} onChange={chooseTheme} />
        <div style={{ maxWidth: 320 }}>
          <Choice label="Default storefront" options={countries} value={usual} onChange={choose} />
        </div>
        <p className="quiet">
          Shown when a page’s address has no storefront.
          {here !== usual && ` This page’s address has ${countryName(here)}.`}
        </p>
        <div>
          <Button onPress={() => setHelp(true)}>
            Keyboard shortcuts <kbd>?</kbd>
          </Button>
        </div>
      </div>
      <Suspense>{help && <Help onClose={() => setHelp(false)} />}</Suspense>
    </Panel>
  )
}

const queryKey = ['sessions']

/** Browsers that are signed in with this credential, and their end. */
function Sessions() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey, queryFn: listSessions })
  const changed = () => queries.invalidateQueries({ queryKey })
  const revoke = useMutation({
    mutationFn: ({ sessionId }: SessionListed) => revokeSession(sessionId),
    onSuccess: () => notify({ kind: 'done', text: 'The session was ended.' }),
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
      note="Browsers where you are signed in"
      actions={
        sessions.data ? (
          <Dialog title="Sign out everywhere" trigger={<Button small>Sign out everywhere…</Button>}>
            {(close) => (
              <>
                <p>
                  Ends {others.length === 0 ? 'this session' : `this session and ${others.length} more`}. API
                  keys keep working.
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
                      {session.lastUsedAt && `, last used ${timeAgo(session.lastUsedAt)}`}, expires{' '}
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
                      End session
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
