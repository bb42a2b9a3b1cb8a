import { useSyncExternalStore } from 'react'
import { listenToOtherTabs, notifyOtherTabs } from './other-tabs.ts'

export type Scope = 'context:read' | 'content:write'

/** Who is signed in, as `GET /session` answers. */
export type Session = SignedIn | SignedOut

export interface SignedIn {
  signedIn: true
  sessionId: string
  account: string
  credential: { kind: 'key' | 'token'; name: string }
  scopes: Scope[]
  bringsEvidence: boolean
  /** Makes, rotates and revokes keys of the account. */
  administers: boolean
  /** An admin of an account that operates the installation (docs/web.md). */
  operates: boolean
  createdAt: string
  expiresAt: string
  provider: Provider | null
}

interface SignedOut {
  signedIn: false
  provider: Provider | null
}

interface Provider {
  name: string
}

/** A session that has ended; waiting calls continue after the user has signed in again. */
export type SessionState = { session: Session; ended: boolean }

let state: SessionState = { session: sessionOfPage() ?? { signedIn: false, provider: null }, ended: false }
const listeners = new Set<() => void>()
/** This page has signed out and is being left: failures until then are not shown. */
let isLeaving = false
let waiting: { promise: Promise<void>; resolve: () => void } | undefined

/** The session that the server wrote into the page, which saves a request; null where the page came without. */
function sessionOfPage(): Session | null {
  return JSON.parse(document.getElementById('session')?.textContent ?? 'null') as Session | null
}

export function useSession(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Whether the session has a scope; actions without it are not offered. */
export function useHasScope(scope: Scope): boolean {
  const { session } = useSession()
  return session.signedIn && session.scopes.includes(scope)
}

/** Whether the session may act on the whole installation. */
export function useOperates(): boolean {
  const { session } = useSession()
  return session.signedIn && session.operates
}

/**
 * Asks for a new sign-in over the page as it stands, and resolves when there was one. Users without a session see the
 * sign-in page instead.
 */
export function signInAgain(): Promise<void> {
  waiting ??= Promise.withResolvers<void>()
  if (state.session.signedIn && !isLeaving) set({ ...state, ended: true })
  return waiting.promise
}

/** Resolves when somebody is signed in. */
export const signedIn = async (): Promise<void> => {
  if (!state.session.signedIn) await signInAgain()
}

document.addEventListener('visibilitychange', () => {
  if (state.ended && document.visibilityState === 'visible') void checkSession()
})
listenToOtherTabs(({ kind }) => {
  if (kind === 'session') void checkSession()
})

/** @throws SignInFailed with what to tell the person */
export async function signIn(key: string): Promise<void> {
  const response = await sessionFetch('/session', { method: 'POST', body: JSON.stringify({ key }) })
  if (!response.ok) throw new SignInFailed(await problemText(response))
  became((await response.json()) as Session)
  notifyOtherTabs({ kind: 'session' })
}

/** @throws SignInFailed where the service cannot be reached */
export async function signOut(): Promise<void> {
  isLeaving = true
  await sessionFetch('/session', { method: 'DELETE' }).catch((error: unknown) => {
    isLeaving = false
    throw error
  })
  notifyOtherTabs({ kind: 'session' })
  location.assign('/sign-in')
}

/** Refetches the session: it may have ended, and tabs share one session. */
export async function checkSession(): Promise<void> {
  const response = await sessionFetch('/session', { method: 'GET' }).catch(() => undefined)
  if (response?.ok) became((await response.json()) as Session)
}

/**
 * A read that is for the pages alone, and no operation of the contract. A session that has ended is renewed by the person first.
 * @throws Error with what the service said
 */
export const readOfPages = <Reply>(path: string, signal: AbortSignal): Promise<Reply> =>
  askOfPages(path, { method: 'GET', signal })

/**
 * Sends a file, or nothing, to an address that is for the pages alone. As `changeOfPages`.
 * @throws Error with what the service said
 */
export const sendOfPages = <Reply>(path: string, body: Blob | null): Promise<Reply> =>
  askOfPages(path, { method: 'POST', body }, body ? 'application/octet-stream' : undefined)

/**
 * A change that is for the pages alone, and no operation of the contract. It is sent again only where the session had ended, before
 * anything was done: nothing typed is lost.
 * @returns undefined where the service answers nothing
 * @throws Error with what the service said; SignInFailed where no answer came, and nobody knows whether it was done
 */
export const changeOfPages = <Reply>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Reply> => askOfPages(path, { method, ...(body ? { body: JSON.stringify(body) } : {}) })

async function askOfPages<Reply>(path: string, init: RequestInit, type?: string): Promise<Reply> {
  for (;;) {
    await signedIn()
    const response = await sessionFetch(path, init, type)
    if (response.status === 204) return undefined as Reply
    if (response.ok) return (await response.json()) as Reply
    if (response.status !== 401) throw new Error(await problemText(response))
    await signInAgain()
  }
}

export interface SessionListed {
  sessionId: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string
  current: boolean
  browser: string | null
  address: string | null
}

export async function listSessions(): Promise<SessionListed[]> {
  const response = await sessionFetch('/sessions', { method: 'GET' })
  if (response.status === 404) throw new NoSessionList('This server does not list sessions.')
  if (!response.ok) throw new SignInFailed(await problemText(response))
  return ((await response.json()) as { items: SessionListed[] }).items
}

export async function revokeSession(sessionId: string): Promise<void> {
  const response = await sessionFetch(`/sessions/${sessionId}`, { method: 'DELETE' })
  if (!response.ok) throw new SignInFailed(await problemText(response))
}

export class SignInFailed extends Error {}

/** The server has no session endpoints. */
export class NoSessionList extends SignInFailed {}

function became(session: Session): void {
  const before = state.session
  // The page stays as it was, since replacing it would lose what is typed in its forms.
  if (!session.signedIn) {
    set(before.signedIn ? { ...state, ended: !isLeaving } : { session, ended: false })
    return
  }
  // Everything shown, typed or waiting belongs to another account.
  if (before.signedIn && before.account !== session.account) {
    location.reload()
    return
  }
  set({ session, ended: false })
  waiting?.resolve()
  waiting = undefined
}

async function sessionFetch(
  path: string,
  init: RequestInit,
  type: string | undefined = init.body ? 'application/json' : undefined,
): Promise<Response> {
  try {
    return await fetch(path, {
      ...init,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { 'x-rivalscope-page': '1', ...(type ? { 'content-type': type } : {}) },
    })
  } catch {
    throw new SignInFailed('Rivalscope cannot be reached. Check that it is running.')
  }
}

async function problemText(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => undefined)) as
    | { detail?: string; errors?: readonly { pointer: string; message: string }[] }
    | undefined
  const wrong = problem?.errors?.map(({ pointer, message }) => {
    const field = pointer.split('/').at(2)
    return field ? `${field}: ${message}` : message
  })
  return wrong?.join('. ') || (problem?.detail ?? `Unexpected answer from the server: ${response.status}.`)
}

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
