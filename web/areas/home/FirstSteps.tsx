import { useAllowed } from '../../api/session.ts'
import { LinkButton } from '../../ui/Button.tsx'
import { css } from '../../ui/css.ts'
import { BookOpen, Search, Target } from '../../ui/icons.ts'
import { Page } from '../../ui/parts.tsx'

/** A new installation, or an account that tracks nothing yet: what to do first. */
export function FirstSteps() {
  const mayWrite = useAllowed('content:write')
  return (
    <Page title="Start here" subtitle="Once you track an app, this page says every morning what moved.">
      <ol className="tiles spread gap-5" style={css({ '--tile': '240px' })}>
        <li className="stack top gap-2" style={{ paddingBlock: 'var(--space-4)' }}>
          <Search size={20} aria-hidden="true" className="accent" />
          <h2>Find an app</h2>
          <p>
            Search what is stored. A new store is empty: the operator fills it with{' '}
            <code>rivalscope collect</code> or <code>rivalscope import</code>.
          </p>
          <LinkButton to="/apps" look="primary">
            Search apps
          </LinkButton>
        </li>
        <li className="stack top gap-2" style={{ paddingBlock: 'var(--space-4)' }}>
          <Target size={20} aria-hidden="true" className="accent" />
          <h2>Track your app and its rivals</h2>
          <p>
            {mayWrite
              ? 'Add your app as own and its rivals beside it, then the keywords you care about.'
              : 'Your key may only read. Sign in with a key that may write to track apps.'}
          </p>
          {mayWrite && (
            <LinkButton to="/aso" look="primary">
              Track an app
            </LinkButton>
          )}
        </li>
        <li className="stack top gap-2" style={{ paddingBlock: 'var(--space-4)' }}>
          <BookOpen size={20} aria-hidden="true" className="accent" />
          <h2>Read how it works</h2>
          <p>Every number here is also an operation: for programs, for agents and in the terminal.</p>
          <p>
            <a href="/docs/reference">API reference</a>
          </p>
        </li>
      </ol>
    </Page>
  )
}
