import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { notify } from '../../api/notices.ts'
import { readPages } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { totalOf } from '../../evidence/format.ts'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/fields.tsx'
import { Pencil } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays.tsx'
import { Badge, Empty, Loaded } from '../../ui/parts.tsx'
import { compactSearch } from '../../ui/search-params.ts'
import { Boards } from './Boards.tsx'
import { CreativeCard } from './CreativeCard.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import styles from './creatives.module.css'
import { ExportSaved } from './ExportSaved.tsx'
import { Gallery, GallerySkeleton } from './Gallery.tsx'
import { useKnownTags } from './known-tags.ts'
import { SavedForm } from './SavedPanel.tsx'
import { mostSelected, SelectedSaved, type Selection } from './SelectedSaved.tsx'
import { adKey, type Piece, type PieceKey, postKey, type SavedMark } from './shapes.ts'

/** Note and tags below a card, in pixels. */
const footHeight = 76

/** What this account saved, as boards: one for each tag. */
export function SavedPage() {
  const { tag, kind = 'ads' } = useSearch({ from: '/creatives/saved' })
  const { isKnown } = useKnownTags()
  const [selected, setSelected] = useState<Selection>(new Set())
  const choose: Choose = (key, chosen) => {
    if (chosen && selected.size >= mostSelected)
      notify({ kind: 'failed', text: `Up to ${mostSelected} items can be selected at once.` })
    else setSelected(new Set(chosen ? [...selected, key] : [...selected].filter((one) => one !== key)))
  }
  return (
    <CreativesFrame
      title={tag ?? 'Saved'}
      subtitle={tag ? 'Saved with this tag' : 'Saved by this account, not visible to other accounts'}
      actions={<ExportSaved tag={tag} />}
    >
      {isKnown ? (
        <>
          <Boards tag={tag} />
          <nav className="picks row small" aria-label="Type">
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
          {selected.size > 0 && <SelectedSaved selected={selected} clear={() => setSelected(new Set())} />}
          {kind === 'ads' ? (
            <SavedAds tag={tag} selected={selected} choose={choose} />
          ) : (
            <SavedPosts tag={tag} selected={selected} choose={choose} />
          )}
        </>
      ) : (
        <GallerySkeleton />
      )}
    </CreativesFrame>
  )
}

/** Chooses a saved ad or post, or takes it out of what is chosen. */
type Choose = (key: PieceKey, chosen: boolean) => void

interface ListProps {
  tag: string | undefined
  selected: Selection
  choose: Choose
}

function SavedAds({ tag, selected, choose }: ListProps) {
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
          <Empty title="No saved ads" action={<LinkButton to="/creatives/ads">Browse ads</LinkButton>}>
            {tag ? 'No saved ads have this tag.' : 'Save an ad with the bookmark on its card.'}
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
                <SavedCard
                  piece={{ kind: 'ad', ad }}
                  mark={ad.saved}
                  reachable={reachable}
                  isSelected={selected.has(adKey(ad))}
                  choose={choose}
                />
              )}
              query={query}
            />
          </>
        )
      }
    </Loaded>
  )
}

function SavedPosts({ tag, selected, choose }: ListProps) {
  const query = useInfiniteQuery(
    readPages('list_saved_organic_content', { limit: 30, ...(tag === undefined ? {} : { tag: [tag] }) }),
  )
  const pages = query.data?.pages
  const saved = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages])
  return (
    <Loaded query={query} skeleton={<GallerySkeleton />}>
      {() =>
        saved.length === 0 ? (
          <Empty title="No saved posts" action={<LinkButton to="/creatives/posts">Browse posts</LinkButton>}>
            {tag ? 'No saved posts have this tag.' : 'Save a post with the bookmark on its card.'}
          </Empty>
        ) : (
          <Gallery
            label="Saved posts"
            items={saved}
            idOf={({ post }) => post.postId}
            size={query.hasNextPage ? undefined : saved.length}
            foot={footHeight}
            card={({ post, ...mark }, reachable) => (
              <SavedCard
                piece={{ kind: 'post', post }}
                mark={mark}
                reachable={reachable}
                isSelected={selected.has(postKey(post))}
                choose={choose}
              />
            )}
            query={query}
          />
        )
      }
    </Loaded>
  )
}

/** A saved card with its note and tags, which can be edited. */
function SavedCard({
  piece,
  mark,
  reachable,
  isSelected,
  choose,
}: {
  piece: Piece
  mark: SavedMark | null
  reachable: boolean
  isSelected: boolean
  choose: Choose
}) {
  const mayWrite = useHasScope('content:write')
  const key = piece.kind === 'ad' ? adKey(piece.ad) : postKey(piece.post)
  return (
    <div className="stack gap-0" style={{ height: '100%' }}>
      <div style={{ flex: 1, minHeight: 0 }}>
        <CreativeCard piece={piece} reachable={reachable} />
      </div>
      <div className={`${styles.note} row nowrap stretch gap-1 small fixed`}>
        <Checkbox
          aria-label="Select"
          excludeFromTabOrder={!reachable}
          isSelected={isSelected}
          onChange={(chosen) => choose(key, chosen)}
        />
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
