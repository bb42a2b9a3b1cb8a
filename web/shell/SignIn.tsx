import { type FormEvent, useState } from 'react'
import { SignInFailed, signIn, useSession } from '../api/session.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/fields.tsx'
import styles from './shell.module.css'

/** Signs in with an API key, or with the configured OpenID provider. */
export function SignInForm({ returnTo }: { returnTo: string }) {
  const { session } = useSession()
  const [key, setKey] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isPending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isPending) return
    setPending(true)
    try {
      await signIn(key.trim())
      setKey('')
      setProblem(undefined)
    } catch (error) {
      setProblem(error instanceof SignInFailed ? error.message : String(error))
    } finally {
      setPending(false)
    }
  }
  return (
    <div className="stack">
      <form className="stack" onSubmit={(event) => void submit(event)}>
        <TextField
          label="API key"
          type="password"
          autoComplete="current-password"
          value={key}
          onChange={setKey}
          isRequired
          autoFocus
          error={problem}
          description="An admin of your account creates keys in Settings, the operator with “rivalscope keys create”. It is not stored in this browser."
        />
        <Button type="submit" look="primary" isPending={isPending}>
          Sign in
        </Button>
      </form>
      {session.provider && (
        <>
          <p className="row middle quiet">or</p>
          <a
            className={`${styles.provider} row middle medium ink`}
            href={`/session/provider?${new URLSearchParams({ returnTo })}`}
          >
            Continue with {session.provider.name}
          </a>
        </>
      )}
    </div>
  )
}

const problemsInWords: Record<string, string> = {
  'link-used': 'This sign-in link was already used or has expired. Ask for a new one.',
  'provider-refused': 'The provider refused the sign-in.',
  'provider-failed': 'The provider could not be reached, or its answer was invalid. Try again.',
  expired: 'Signing in took too long. Try again.',
}

/**
 * The page for those who are not signed in.
 * @param isNowhere whether there is no page at the address, which nobody should sign in to learn
 */
export function SignInPage({ isNowhere }: { isNowhere: boolean }) {
  const here = new URLSearchParams(location.search)
  const problem = here.get('problem')
  const returnTo = location.pathname === '/sign-in' || isNowhere ? '/' : location.pathname + location.search
  return (
    <main className={`${styles.signIn} stack gap-4`}>
      <h1 className="row gap-3" style={{ fontSize: 'var(--text-xxl)' }}>
        <span className={styles.mark} aria-hidden="true" />
        Rivalscope
      </h1>
      <p className="quiet">Self-hosted competitive research for mobile apps.</p>
      {problem && (
        <p role="alert" className="pad-2-3 rounded bad-fill">
          {problemsInWords[problem] ?? 'Sign-in failed.'}
        </p>
      )}
      {isNowhere && (
        <p role="status" className="pad-2-3 rounded warn-fill">
          Page not found. The link may be outdated or mistyped. <a href="/">Go to Home</a>
        </p>
      )}
      <SignInForm returnTo={returnTo} />
      <p className="quiet">
        <a href="/docs/using-the-pages">Using the pages</a> · <a href="/docs/reference">API reference</a>
      </p>
    </main>
  )
}
