import { useEffect, useState } from 'react'

/** Whether an element was ever near the screen: what is costly to read or draw may wait until then. */
export function useEverInView(place: { current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = place.current
    if (isSeen || !element) return
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setSeen(true),
      { rootMargin: '200px' },
    )
    watch.observe(element)
    return () => watch.disconnect()
  }, [isSeen, place])
  return isSeen
}

const whatThen = new WeakMap<Element, () => void>()
let nearness: IntersectionObserver | undefined

/** Calls once when an element is near the screen: one watch for hundreds of them. @returns what ends it */
export function whenNear(element: Element, act: () => void): () => void {
  nearness ??= new IntersectionObserver(
    (entries, watch) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) {
          watch.unobserve(target)
          whatThen.get(target)?.()
        }
    },
    { rootMargin: '200px' },
  )
  const watch = nearness
  whatThen.set(element, act)
  watch.observe(element)
  return () => watch.unobserve(element)
}
