import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { readPages } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { count, totalOf } from '../../evidence/format.ts'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { Pencil } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Empty, Loaded } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { CreativeCard } from './CreativeCard.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import styles from './creatives.module.css'
import { ExportSaved } from './ExportSaved.tsx'
import { Gallery, GallerySkeleton } from './Gallery.tsx'
import { useKnownTags } from './known-tags.ts'
import { SavedForm } from './SavedPanel.tsx'
import type { Piece, SavedMark } from './shapes.ts'

/** Note and tags below a card, in pixels. */
const footHeight = 76

/** What this account saved, as boards: one for each tag. */
export function SavedPage() {
  const { tag, kind = 'ads' } = useSearch({ from: '/creatives/saved' })
  const { tags, isAll } = useKnownTags()
  const unlisted = tag !== undefined && !tags.some((one) => one.tag === tag)
  return (
    <CreativesFrame
      title={tag ?? 'Saved'}
      subtitle={tag ? 'Saved with this tag' : 'Saved by this account; no other account sees it'}
      actions={<ExportSaved tag={tag} />}
    >
      <nav className="picks round row small" aria-label="Boards by tag">
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
        {!isAll && <span className="quiet">tags of the newest 100 saved ads and posts</span>}
      </nav>
      <nav className="picks row small" aria-label="Kind">
        {(['ads', 'posts'] as const).map((one) => (
          <Link
            key={one}
            to="/creatives/saved"
            search={compactSearch({ tag, kind: one })}
            activeProps={{}}
            aria-current={one === kind ? 'true' : undefined}
          >
            {one === 'ads' ? 'Ads' : 'Posts'}
          </Link>
        ))}
      </nav>
      {kind === 'ads' ? <SavedAds tag={tag} /> : <SavedPosts tag={tag} />}
    </CreativesFrame>
  )
}

function Board({
  tag,
  shown,
  children,
}: {
  tag: string | undefined
  shown: string | undefined
  children: ReactNode
}) {
  const kind = useSearch({ from: '/creatives/saved', select: (search) => search.kind })
  return (
    <Link
      to="/creatives/saved"
      search={compactSearch({ tag, kind })}
      activeProps={{}}
      aria-current={tag === shown ? 'true' : undefined}
    >
      {children}
    </Link>
  )
}

function SavedAds({ tag }: { tag: string | undefined }) {
  const query = useInfiniteQuery(
    readPages('search_paid_ads', { saved: true, limit: 30, ...compactSearch({ tag }) }),
  )
  const pages = query.data?.pages
  const ads = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  const total = pages?.[0]?.total
  return (
    <Loaded query={query} skeleton={<GallerySkeleton />}>
      {() =>
        ads.length === 0 ? (
          <Empty title="No saved ads" action={<LinkButton to="/creatives/ads">Find ads</LinkButton>}>
            {tag ? 'No ad is saved with this tag.' : 'Save ads with the bookmark on their cards.'}
          </Empty>
        ) : (
          <>
            {total && <p className="quiet">{totalOf(total, 'saved ad')}</p>}
            <Gallery
              label="Saved ads"
              items={ads}
              idOf={({ platform, archiveId }) => `${platform} ${archiveId}`}
              size={total?.relation === 'exact' ? total.value : undefined}
              foot={footHeight}
              card={(ad, reachable) => (
                <SavedCard piece={{ kind: 'ad', ad }} mark={ad.saved} reachable={reachable} />
              )}
              query={query}
            />
          </>
        )
      }
    </Loaded>
  )
}

function SavedPosts({ tag }: { tag: string | undefined }) {
  const query = useInfiniteQuery(
    readPages('list_saved_organic_content', { limit: 30, ...(tag === undefined ? {} : { tag: [tag] }) }),
  )
  const pages = query.data?.pages
  const saved = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  return (
    <Loaded query={query} skeleton={<GallerySkeleton />}>
      {() =>
        saved.length === 0 ? (
          <Empty title="No saved posts" action={<LinkButton to="/creatives/posts">Find posts</LinkButton>}>
            {tag ? 'No post is saved with this tag.' : 'Save posts with the bookmark on their cards.'}
          </Empty>
        ) : (
          <Gallery
            label="Saved posts"
            items={saved}
            idOf={({ post }) => post.postId}
            size={query.hasNextPage ? undefined : saved.length}
            foot={footHeight}
            card={({ post, ...mark }, reachable) => (
              <SavedCard piece={{ kind: 'post', post }} mark={mark} reachable={reachable} />
            )}
            query={query}
          />
        )
      }
    </Loaded>
  )
}

/** A saved card with its note and tags, which can be edited. */
function SavedCard({ piece, mark, reachable }: { piece: Piece; mark: SavedMark | null; reachable: boolean }) {
  const mayWrite = useHasScope('content:write')
  return (
    <div className="stack gap-0" style={{ height: '100%' }}>
      <div style={{ flex: 1, minHeight: 0 }}>
        <CreativeCard piece={piece} reachable={reachable} />
      </div>
      <div className={`${styles.note} row nowrap stretch gap-1 small fixed`}>
        <div className="grow">
          <p className="clamp lines-2 foreign" dir="auto">
            {mark?.note ?? <span className="quiet">No note</span>}
          </p>
          <p className="row nowrap stretch gap-1 clipped">
            {mark?.tags.map((tag) => (
              <Badge key={tag}>
                <bdi>{tag}</bdi>
              </Badge>
            ))}
          </p>
        </div>
        {mayWrite && (
          <Dialog
            title="Note and tags"
            trigger={
              <IconButton
                label="Edit note and tags"
                excludeFromTabOrder={!reachable}
                icon={<Pencil size={14} aria-hidden="true" />}
              />
            }
          >
            {(close) => <SavedForm piece={piece} mayWrite onDone={close} />}
          </Dialog>
        )}
      </div>
    </div>
  )
}
