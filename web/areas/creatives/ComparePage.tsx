import { useQueries } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { read } from '../../api/operations.ts'
import { useCountry } from '../../evidence/country.ts'
import type { OrganicPost } from '../../evidence/shapes.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { IconButton, LinkButton } from '../../ui/Button.tsx'
import { X } from '../../ui/icons.ts'
import { Empty, Problem, Skeleton } from '../../ui/parts.tsx'
import { ShownTogether } from '../../ui/ShownTogether.tsx'
import { CardMedia } from './CardMedia.tsx'
import { CreativesFrame } from './CreativesFrame.tsx'
import { chosenOf, useChosen } from './chosen.ts'
import { rows } from './compare-rows.tsx'
import styles from './creatives.module.css'
import { shownOf } from './lead-medium.ts'
import type { AdDetail } from './reading.ts'
import { nameOf, type PieceKey } from './shapes.ts'

type Loaded = { key: PieceKey; error?: unknown; ad?: AdDetail | undefined; post?: OrganicPost | undefined }

/** Up to four ads and posts side by side; which ones stands in the address. */
export function ComparePage() {
  const items = useSearch({ from: '/creatives/compare', select: (search) => search.items })
  const chosen = chosenOf(items)
  const pieces = usePieces(chosen)
  return (
    <CreativesFrame title="Compare" subtitle="Ads and posts side by side">
      {chosen.length === 0 ? (
        <Empty
          title="Nothing selected"
          action={
            <div className="row">
              <LinkButton to="/creatives/ads">Browse ads</LinkButton>
              <LinkButton to="/creatives/posts">Browse posts</LinkButton>
            </div>
          }
        >
          Add up to four ads and posts with the compare button on each card.
        </Empty>
      ) : (
        <ShownTogether skeleton={<Skeleton height={760} />}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard */}
          <section className="scrolls box" aria-label="Comparison" tabIndex={0}>
            <table className={`${styles.compared} full`} style={{ minWidth: 140 + pieces.length * 220 }}>
              <thead>
                <tr>
                  <td />
                  {pieces.map((piece) => (
                    <th key={piece.key} scope="col">
                      <Head piece={piece} />
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">Apps</th>
                  {pieces.map((piece) => (
                    <td key={piece.key}>
                      <Apps piece={piece} />
                    </td>
                  ))}
                </tr>
                {rows
                  .filter((row) => pieces.some(({ ad, post }) => (ad && row.ad) || (post && row.post)))
                  .map((row) => (
                    <tr key={row.name}>
                      <th scope="row">{row.name}</th>
                      {pieces.map(({ key, ad, post }) => (
                        <td key={key}>
                          {(ad && row.ad?.(ad)) ??
                            (post && row.post?.(post)) ??
                            ((ad || post) && <span className="quiet">n/a</span>)}
                        </td>
                      ))}
                    </tr>
                  ))}
              </tbody>
            </table>
          </section>
        </ShownTogether>
      )}
    </CreativesFrame>
  )
}

function usePieces(chosen: readonly PieceKey[]): Loaded[] {
  const ads = useQueries({
    queries: chosen.map(nameOf).flatMap((name) => ('postId' in name ? [] : [read('get_paid_ad', name)])),
  })
  const posts = useQueries({
    queries: chosen
      .map(nameOf)
      .flatMap((name) => ('postId' in name ? [read('get_organic_content', name)] : [])),
  })
  const [nextAd, nextPost] = [ads.values(), posts.values()]
  return chosen.map((key): Loaded => {
    if (key.startsWith('ad.')) {
      const { data, error } = nextAd.next().value ?? {}
      return { key, error, ad: data }
    }
    const { data, error } = nextPost.next().value ?? {}
    return { key, error, post: data }
  })
}

function Head({ piece: { key, ad, post, error } }: { piece: Loaded }) {
  const [broken, setBroken] = useState(false)
  const { toggle } = useChosen()
  const away = (
    <IconButton
      label="Remove from comparison"
      icon={<X size={15} aria-hidden="true" />}
      onPress={() => toggle(key)}
    />
  )
  if (error)
    return (
      <>
        {away}
        <Problem error={error} />
      </>
    )
  if (!ad && !post) return <Skeleton height={280} />
  const creative = ad?.creatives.find(({ media }) => media.length > 0) ?? ad?.creatives[0]
  const media = post?.media ?? creative?.media ?? []
  const title = post?.title ?? creative?.title
  const body = post?.text ?? creative?.body
  const by = ad
    ? ad.advertiser.name.state === 'measured'
      ? ad.advertiser.name.value
      : 'Unknown advertiser'
    : ''
  return (
    <div className="stack gap-2">
      <div className="row nowrap between normal bold" style={{ minHeight: 'var(--control)' }}>
        {ad && (
          <Link
            to="/creatives/ads/$platform/$archiveId"
            params={{ platform: ad.platform, archiveId: ad.archiveId }}
          >
            <bdi>{by}</bdi>
          </Link>
        )}
        {post && (
          <Link to="/creatives/posts/$postId" params={{ postId: post.postId }}>
            <bdi>{post.author.handle === null ? 'Unknown author' : `@${post.author.handle}`}</bdi>
          </Link>
        )}
        <span data-screen-only>{away}</span>
      </div>
      <div className={`${styles.comparedMedia} rounded regular`}>
        <CardMedia
          media={media}
          status={post?.mediaStatus ?? creative?.mediaStatus ?? { status: 'not-kept', reason: null }}
          playing={false}
          shown={broken ? 'text' : shownOf(media)}
          onBroken={() => setBroken(true)}
          poster={{
            by: by || (post?.author.handle ?? ''),
            title: title?.state === 'measured' ? title.value : undefined,
            body: body?.state === 'measured' ? body.value : undefined,
            button: undefined,
          }}
        />
      </div>
    </div>
  )
}

function Apps({ piece: { ad, post } }: { piece: Loaded }) {
  const country = useCountry()
  const links = (ad ?? post)?.links ?? []
  if (!ad && !post) return null
  if (links.length === 0) return <span className="quiet">no linked app</span>
  return (
    <div className="stack">
      {links.map(({ app }) => (
        <AppLink key={app.storeId} app={app} country={country} />
      ))}
    </div>
  )
}
