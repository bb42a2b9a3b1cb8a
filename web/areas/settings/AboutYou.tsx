import { type Scope, useSession } from '../../api/session.ts'
import { fromNow, momentText } from '../../evidence/format.ts'
import { css } from '../../ui/css.ts'
import { Badge, Panel } from '../../ui/parts.tsx'

const scopeInWords: Record<Scope, string> = {
  'context:read': 'Reads the evidence of this installation, and what this account tracks and saved',
  'content:write': 'Tracks, saves, links and imports, and asks for work such as refreshes',
}

/** Who is signed in, and what they may do. */
export function AboutYou() {
  const { session } = useSession()
  if (!session.signedIn) return null
  const { account, credential, scopes, bringsEvidence, createdAt, expiresAt } = session
  const missing = (Object.keys(scopeInWords) as Scope[]).filter((scope) => !scopes.includes(scope))
  return (
    <Panel title="Signed in">
      <dl className="pairs ruled pad-rows" style={css({ '--names': '8rem' })}>
        <div>
          <dt>Account</dt>
          <dd>
            <bdi>{account}</bdi>
          </dd>
        </div>
        <div>
          <dt>With</dt>
          <dd>
            {credential.kind === 'key' ? 'the API key ' : 'the provider, as '}
            <bdi>{credential.name}</bdi>
          </dd>
        </div>
        <div>
          <dt>May</dt>
          <dd className="stack">
            {scopes.map((scope) => (
              <p key={scope}>
                <Badge tone="good">{scope}</Badge> {scopeInWords[scope]}
              </p>
            ))}
            {missing.map((scope) => (
              <p key={scope} className="quiet">
                <Badge>{scope}</Badge> Not allowed: {scopeInWords[scope].toLowerCase()}
              </p>
            ))}
          </dd>
        </div>
        <div>
          <dt>Evidence</dt>
          <dd>
            {bringsEvidence
              ? 'May bring evidence of its own, which is marked as such everywhere'
              : 'May not bring evidence of its own'}
          </dd>
        </div>
        <div>
          <dt>Session</dt>
          <dd>
            Since <time dateTime={createdAt}>{momentText(createdAt)}</time>, ends{' '}
            <time dateTime={expiresAt}>{momentText(expiresAt)}</time> ({fromNow(expiresAt)})
          </dd>
        </div>
      </dl>
    </Panel>
  )
}
