import { type ComponentProps, createContext, use, useEffect, useRef, useState } from 'react'
import { comesBack, isKnownMissing } from './picture-retry.ts'

/** Stands in the place of a picture that is waited for: one transparent pixel, laid out as the picture would be. */
const nothingYet = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src' | 'alt' | 'onError'> {
  /** At our own origin. */
  src: string
  alt: string
  /** There is no picture, now or for too long. Nothing is shown then. */
  onMissing?: () => void
}

/** Whether what holds the pictures is being scrolled. Those that come into view meanwhile wait until it rests. */
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
