import { type ComponentProps, createContext, use, useEffect, useRef, useState } from 'react'

/** Stands in the place of a picture that is waited for: one transparent pixel, laid out as the picture would be. */
export const nothingYet = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> {
  /** At our own origin. */
  src: string
  alt: string
  /** There is no picture, now or for too long. Nothing is shown then. */
  onMissing?: () => void
}

/** Whether the container is being scrolled. Pictures that come into view meanwhile are loaded when it stops. */
export const Scrolling = createContext(false)

/** A picture. One that is not there because the service is busy or away is asked for again. */
export const Picture = (props: PictureProps) => <PictureOf key={props.src} {...props} />

function PictureOf({ src, onMissing, ...image }: PictureProps) {
  const [state, setState] = useState<'shown' | 'awaited' | 'shown again' | 'missing'>(() =>
    isKnownMissing(src) ? 'missing' : 'shown',
  )
  const isScrolling = use(Scrolling)
  const [isHeld, setHeld] = useState(isScrolling)
  if (isHeld && !isScrolling) setHeld(false)
  const unmounted = useRef<AbortController>(undefined)
  useEffect(() => () => unmounted.current?.abort(), [])
  const isMissing = state === 'missing'
  const tell = useRef(onMissing)
  tell.current = onMissing
  useEffect(() => {
    if (isMissing) tell.current?.()
  }, [isMissing])
  const recover = async () => {
    const control = new AbortController()
    unmounted.current = control
    if (state === 'shown') {
      setState('awaited')
      const isBack = await comesBack(src, control.signal)
      if (control.signal.aborted) return
      if (isBack) return setState('shown again')
    }
    setState('missing')
  }
  if (isMissing) return null
  const isAwaited = isHeld || state === 'awaited'
  return (
    // biome-ignore lint/a11y/useAltText: among the attributes that are passed on
    <img
      {...image}
      key={state}
      src={isAwaited ? nothingYet : src}
      {...(isAwaited ? { 'data-loading': '' } : { onError: () => void recover() })}
    />
  )
}

/** Milliseconds before each further attempt; a random half more, so that the pictures of a page do not come all at once. */
const pausesMs = [1_000, 4_000, 15_000]
/** Too many requests, and unavailable for now. Any other answer is final. */
const passing: ReadonlySet<number> = new Set([429, 503])
/** The status that some browsers give a request limited to their cache, when the picture is not in it; in others it fails. */
const notInCache = 504

/** How long a picture that is not there is not asked for again: rows that scroll by would ask each time. */
const missingMs = 5 * 60_000
const mostMissing = 5_000
const missingUntil = new Map<string, number>()

function noteMissing(address: string): void {
  if (missingUntil.size >= mostMissing) missingUntil.clear()
  missingUntil.set(address, Date.now() + missingMs)
}

const isKnownMissing = (address: string): boolean => (missingUntil.get(address) ?? 0) > Date.now()

/**
 * Waits for a picture that an element could not load: a few attempts with growing pauses, none while the tab is hidden, none
 * before the time that the service names.
 * @returns whether it can be had now, from the browser's cache
 */
async function comesBack(address: string, signal: AbortSignal): Promise<boolean> {
  try {
    if (await isFinal(address, signal)) {
      noteMissing(address)
      return false
    }
    let named = 0
    for (const pause of pausesMs) {
      await waited(Math.max(pause, named) * (1 + Math.random() / 2), signal)
      await looked(signal)
      const reply = await fetch(address, { signal, redirect: 'manual' }).catch(() => undefined)
      // Only what was read to its end is kept in the cache.
      await reply?.blob().catch(() => undefined)
      if (reply && !passing.has(reply.status)) {
        const isThere = reply.ok || reply.type === 'opaqueredirect'
        if (!isThere) noteMissing(address)
        return isThere
      }
      named = Number(reply?.headers.get('retry-after') ?? 0) * 1_000
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return false
}

/**
 * An element does not tell why it has no picture. That there is none is in the browser's cache, where looking asks nobody; a
 * passing failure is not.
 */
const isFinal = (address: string, signal: AbortSignal): Promise<boolean> =>
  fetch(address, { signal, redirect: 'manual', cache: 'only-if-cached', mode: 'same-origin' }).then(
    ({ status }) => !passing.has(status) && status !== notInCache,
    () => false,
  )

/** @throws when the signal aborts */
const waited = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/** Waits until the tab is looked at. @throws when the signal aborts */
const looked = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    if (document.visibilityState === 'visible') return resolve()
    signal.addEventListener('abort', () => reject(signal.reason))
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && resolve(), {
      signal,
    })
  })
