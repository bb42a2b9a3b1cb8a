import { Link } from '@tanstack/react-router'
import { type RefObject, use, useEffect, useRef, useState } from 'react'
import { type Icon, iconKnown, iconTogether } from '../api/icons-together.ts'
import type { AppLabel, Country } from '../evidence/shapes.ts'
import { whenNear } from './ever-in-view.ts'
import { nothingYet, Picture, Scrolling } from './Picture.tsx'
import styles from './parts.module.css'
import { pictureAddress, widthOfPicture } from './pictures.ts'

/** The icon of an app from our own origin, or its first letter where there is none. */
export function AppIcon({
  url,
  name,
  size = 24,
}: {
  url: string | null | undefined
  name: string | null
  size?: number
}) {
  const place = useRef<HTMLSpanElement>(null)
  const icon = useIcon(place, url, widthOfPicture(size * 2))
  const letter = [...(name ?? '?').trim()][0] ?? '?'
  return (
    <span
      ref={place}
      className={styles.icon}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
      aria-hidden="true"
    >
      <span>{letter.toLocaleUpperCase()}</span>
      {icon === 'asked' && <img src={nothingYet} alt="" data-loading="" />}
      {typeof icon === 'object' && <img src={icon.src} alt="" width={size} height={size} />}
      {icon === 'alone' && url && (
        <Picture src={pictureAddress(url, size * 2)} alt="" width={size} height={size} decoding="async" />
      )}
    </span>
  )
}

/** An icon, asked for with all others that come near the screen in the same moment; undefined before that, and while a list is scrolled. */
function useIcon(
  place: RefObject<Element | null>,
  url: string | null | undefined,
  width: number,
): Icon | 'asked' | undefined {
  const isScrolling = use(Scrolling)
  const [state, setState] = useState<{ url: string; icon: Icon | 'asked' }>()
  const known = url ? iconKnown(url, width) : undefined
  const isWanted = known === undefined && !isScrolling
  useEffect(() => {
    const element = place.current
    if (!isWanted || !url || !element) return
    let isGone = false
    const show = (icon: Icon | 'asked') => {
      if (!isGone) setState({ url, icon })
    }
    const unwatch = whenNear(element, () => {
      show('asked')
      void iconTogether(url, width).then(show)
    })
    return () => {
      isGone = true
      unwatch()
    }
  }, [place, url, width, isWanted])
  return known ?? (state?.url === url ? state?.icon : undefined)
}

/** An app as a link to its page: icon, name and developer. */
export function AppLink({ app, country, size = 24 }: { app: AppLabel; country: Country; size?: number }) {
  return (
    <Link
      to="/apps/$storeId"
      params={{ storeId: app.storeId }}
      search={{ country }}
      className="line medium shrinks ink fits"
    >
      <AppIcon url={app.iconUrl} name={app.name} size={size} />
      <span className="stack gap-0 shrinks">
        <bdi className="cut">{app.name ?? `App ${app.storeId}`}</bdi>
        {size > 28 && app.developer && (
          <span className="cut quiet small regular">
            <bdi>{app.developer}</bdi>
          </span>
        )}
      </span>
    </Link>
  )
}
