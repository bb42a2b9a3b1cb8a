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
