import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { count } from '../../evidence/format.ts'
import { customProperties } from '../../ui/css.ts'
import { Picture } from '../../ui/Picture.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import styles from './creatives.module.css'
import { useKnownTags } from './known-tags.ts'

/** Boards with a cover; the rest, which fewer have, are names. */
const mostCovered = 9

/** What this account saved, as boards: one for each tag, with a cover while none is open, and small beside the one that is. */
export function Boards({ tag }: { tag: string | undefined }) {
  const { tags, isAll } = useKnownTags()
  const unlisted = tag !== undefined && !tags.some((one) => one.tag === tag)
  const isOpen = tag !== undefined
  return (
    <nav className={isOpen ? 'picks round row small' : 'stack gap-2'} aria-label="Boards by tag">
      {isOpen ? (
        <>
          <Board tag={undefined} shown={tag}>
            All saved
          </Board>
          {unlisted && (
            <Board tag={tag} shown={tag}>
              <bdi>{tag}</bdi>
            </Board>
          )}
          {tags.map(({ tag: one, used }) => (
            <Board key={one} tag={one} shown={tag}>
              <bdi>{one}</bdi> <span className="quiet">{count(used)}</span>
            </Board>
          ))}
        </>
      ) : (
        <>
          <ul className="tiles" style={customProperties({ '--tile': '112px' })}>
            {tags.slice(0, mostCovered).map(({ tag: one, used, covers }) => (
              <li key={one}>
                <Board tag={one} shown={tag} className={`${styles.board} stack gap-0 box clipped ink`}>
                  <Cover covers={covers} />
                  <span className="row nowrap between pad-2">
                    <strong className="cut small">
                      <bdi>{one}</bdi>
                    </strong>
                    <span className="quiet small fixed">{count(used)}</span>
                  </span>
                </Board>
              </li>
            ))}
          </ul>
          {tags.length > mostCovered && (
            <div className="picks round row small">
              {tags.slice(mostCovered).map(({ tag: one, used }) => (
                <Board key={one} tag={one} shown={tag}>
                  <bdi>{one}</bdi> <span className="quiet">{count(used)}</span>
                </Board>
              ))}
            </div>
          )}
        </>
      )}
      {!isAll && <span className="quiet small">Tags of the latest 100 saved ads and 100 saved posts</span>}
    </nav>
  )
}

/** Up to four pictures of a board, in as many parts. */
function Cover({ covers }: { covers: readonly string[] }) {
  return (
    <span className={`${styles.cover} sunken`} data-pictures={covers.length} aria-hidden="true">
      {covers.map((src) => (
        <Picture key={src} src={src} alt="" loading="lazy" decoding="async" />
      ))}
      {covers.length === 0 && <span className="quiet small">No images</span>}
    </span>
  )
}

function Board({
  tag,
  shown,
  className,
  children,
}: {
  tag: string | undefined
  shown: string | undefined
  className?: string
  children: ReactNode
}) {
  const kind = useSearch({ from: '/creatives/saved', select: (search) => search.kind })
  return (
    <Link
      to="/creatives/saved"
      search={compactSearch({ tag, kind })}
      activeProps={{}}
      aria-current={tag === shown ? 'true' : undefined}
      {...(className ? { className } : {})}
    >
      {children}
    </Link>
  )
}
