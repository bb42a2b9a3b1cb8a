import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../../evidence/Fact.tsx'
import { compact, dayText, languageName } from '../../evidence/format.ts'
import { ProvenanceTabStop } from '../../evidence/provenance.tsx'
import type { OrganicPost } from '../../evidence/shapes.ts'
import { formatInWords, networkInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { Eye, TrendingUp } from '../../ui/icons.ts'
import { CardMedia } from './CardMedia.tsx'
import styles from './creatives.module.css'
import { linkedNames, shownOf } from './lead-medium.ts'
import { PieceTools } from './PieceTools.tsx'
import { Outlier } from './values.tsx'

/** A post in the gallery. Only the card that the keyboard stands on lets Tab into what it holds. */
export function PostCard({ post, reachable }: { post: OrganicPost; reachable: boolean }) {
  const [playing, setPlaying] = useState(false)
  const by = post.author.handle === null ? 'Unnamed author' : `@${post.author.handle}`
  const title = post.title.state === 'measured' ? post.title.value : undefined
  const text = post.text.state === 'measured' ? post.text.value : undefined
  const [app] = post.links
  const [broken, setBroken] = useState<string>()
  const shown = shownOf(post.media, broken)
  return (
    <ProvenanceTabStop value={reachable ? 0 : -1}>
      <article
        className={styles.card}
        onPointerEnter={() => setPlaying(true)}
        onPointerLeave={() => setPlaying(false)}
        onFocus={() => setPlaying(true)}
        onBlur={() => setPlaying(false)}
      >
        <div className={styles.cardText}>
          <h2 className={styles.cardBy}>
            <Link
              to="/creatives/posts/$postId"
              params={{ postId: post.postId }}
              className={styles.cardLink}
              tabIndex={reachable ? 0 : -1}
              data-card
            >
              <bdi>{by}</bdi>
              {(title ?? text) && <span className="hidden">: {(title ?? text)?.slice(0, 80)}</span>}
            </Link>
            <span className={styles.cardKind}>{networkInWords[post.network]}</span>
          </h2>
          {shown === 'picture' ? (
            <p className={`${styles.cardBody} foreign`} dir="auto">
              {title ?? text ?? 'No text is known.'}
            </p>
          ) : (
            <p className={styles.cardBody}>{detailsOf(post)}</p>
          )}
          <div className={styles.cardFacts}>
            <span className={styles.state}>
              <Eye size={12} aria-hidden="true" />
              <span className="hidden">Views</span>
              <Fact fact={post.metrics.views} evidence={post.evidence} format={compact} />
            </span>
            <span className={styles.state}>
              <TrendingUp size={12} aria-hidden="true" />
              <span className="hidden">Outlier score</span>
              <Outlier post={post} />
            </span>
            {app && (
              <span className={styles.cardApp} title={linkedNames(post.links)}>
                <span className="hidden">Linked to {linkedNames(post.links)}</span>
                <AppIcon url={app.app.iconUrl} name={app.app.name} size={18} />
              </span>
            )}
          </div>
        </div>
        <CardMedia
          media={post.media}
          status={post.mediaStatus}
          playing={playing}
          shown={shown}
          onBroken={setBroken}
          poster={{ title, body: text, by, button: undefined }}
        />
        <PieceTools piece={{ kind: 'post', post }} reachable={reachable} />
      </article>
    </ProvenanceTabStop>
  )
}

/** What stands below a poster, which has the text already. */
function detailsOf({ mediaType, language, publishedAt }: OrganicPost): string {
  return [
    mediaType.state === 'measured' ? formatInWords[mediaType.value] : undefined,
    language.state === 'measured' ? languageName(language.value) : undefined,
    publishedAt.state === 'measured' ? dayText(publishedAt.value) : undefined,
  ]
    .filter(Boolean)
    .join(' · ')
}
