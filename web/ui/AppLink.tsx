import { Link } from '@tanstack/react-router'
import type { AppLabel, Country } from '../evidence/shapes.ts'
import { Picture } from './Picture.tsx'
import styles from './parts.module.css'
import { pictureAddress } from './pictures.ts'

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
  const letter = [...(name ?? '?').trim()][0] ?? '?'
  return (
    <span
      className={styles.icon}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
      aria-hidden="true"
    >
      <span>{letter.toLocaleUpperCase()}</span>
      {url && (
        <Picture
          src={pictureAddress(url, size * 2)}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
        />
      )}
    </span>
  )
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
