import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { placementLabel } from '../../../src/vocabulary/ad-platforms.ts'
import { Fact } from '../../evidence/Fact.tsx'
import { compactNumber, dayText, languageName } from '../../evidence/format.ts'
import { ProvenanceTabStop } from '../../evidence/provenance.tsx'
import type { FactOf, OrganicPost, PaidAd } from '../../evidence/shapes.ts'
import { adPlatformInWords, formatInWords, networkInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { CircleDot, CircleStop, Eye, TrendingUp } from '../../ui/icons.ts'
import { CardMedia } from './CardMedia.tsx'
import styles from './creatives.module.css'
import { linkedNames, shownOf } from './lead-medium.ts'
import { PieceTools } from './PieceTools.tsx'
import type { CreativeLink, MediaStatus, Medium, Piece } from './shapes.ts'
import { DaysRunning, Outlier } from './values.tsx'
import { activeText, callToActionText } from './words.ts'

/** What a card shows of an ad or a post. */
interface Shown {
  page: LinkProps
  /** Whoever published it, and where. */
  by: string
  network: string
  /** Said of the link besides, for whoever does not see the card. */
  heading: string | undefined
  /** Below a picture; where the poster has the text already, the details stand there. */
  text: string | undefined
  details: readonly (string | undefined)[]
  facts: ReactNode
  links: readonly CreativeLink[]
  media: readonly Medium[]
  status: MediaStatus
  poster: { title: string | undefined; body: string | undefined; button: string | undefined }
}

/** An ad or a post in the gallery. Only the card that the keyboard stands on lets Tab into what it holds. */
export function CreativeCard({ piece, reachable }: { piece: Piece; reachable: boolean }) {
  const [playing, setPlaying] = useState(false)
  const [broken, setBroken] = useState<string>()
  const { page, by, network, heading, text, details, facts, links, media, status, poster } =
    piece.kind === 'ad' ? ofAd(piece.ad) : ofPost(piece.post)
  const [app] = links
  const shown = shownOf(media, broken)
  return (
    <ProvenanceTabStop value={reachable ? 0 : -1}>
      <article
        className={`${styles.card} stack gap-0 box anchor`}
        onPointerEnter={() => setPlaying(true)}
        onPointerLeave={() => setPlaying(false)}
        onFocus={() => setPlaying(true)}
        onBlur={() => setPlaying(false)}
      >
        <div className={`${styles.cardText} stack gap-1 pad-2-3 rule-above fixed`}>
          <h2 className="row nowrap baseline between normal">
            <Link
              {...page}
              className={`${styles.cardLink} covers cut shrinks ink`}
              tabIndex={reachable ? 0 : -1}
              data-card
            >
              <bdi>{by}</bdi>
              {heading && <span className="hidden">: {heading}</span>}
            </Link>
            <span className="quiet tiny fixed regular">{network}</span>
          </h2>
          {shown === 'picture' ? (
            <p className={`${styles.cardBody} quiet small clamp lines-2 foreign`} dir="auto">
              {text ?? 'No text'}
            </p>
          ) : (
            <p className={`${styles.cardBody} quiet small clamp lines-2`}>
              {details.filter(Boolean).join(' · ')}
            </p>
          )}
          <div className={`${styles.cardFacts} row nowrap gap-3 small nobreak`}>
            {facts}
            {app && (
              <span className="pushed" title={linkedNames(links)}>
                <span className="hidden">Linked to {linkedNames(links)}</span>
                <AppIcon url={app.app.iconUrl} name={app.app.name} size={18} />
              </span>
            )}
          </div>
        </div>
        <CardMedia
          media={media}
          status={status}
          playing={playing}
          shown={shown}
          onBroken={setBroken}
          poster={{ ...poster, by }}
        />
        <PieceTools piece={piece} reachable={reachable} />
      </article>
    </ProvenanceTabStop>
  )
}

function ofAd(ad: PaidAd): Shown {
  const creative = ad.creatives.find(({ media }) => media.length > 0) ?? ad.creatives[0]
  const title = creative && measured(creative.title)
  const body = creative && measured(creative.body)
  const button = creative && measured(creative.callToAction)
  const started = measured(ad.deliveryStartedOn)
  return {
    page: {
      to: '/creatives/ads/$platform/$archiveId',
      params: { platform: ad.platform, archiveId: ad.archiveId },
    },
    by: measured(ad.advertiser.name) ?? 'Unknown advertiser',
    // Where in the App Store says more than that it is Apple's.
    network:
      wordOf(ad.placements, (codes) => codes.map(placementLabel).join(', ')) ?? adPlatformInWords[ad.platform],
    heading: title,
    text: body ?? title,
    details: [
      wordOf(ad.format, (format) => formatInWords[format]),
      wordOf(ad.language, languageName),
      wordOf(ad.countries, someCountries),
      started && `from ${dayText(started)}`,
    ],
    facts: (
      <>
        <Fact fact={ad.active} evidence={ad.evidence} format={activeMark} />
        <DaysRunning days={ad.daysRunning} />
      </>
    ),
    links: ad.links,
    media: creative?.media ?? [],
    status: creative?.mediaStatus ?? { status: 'not-kept', reason: null },
    poster: {
      title,
      body,
      button: (creative && measured(creative.callToActionText)) ?? (button && callToActionText(button)),
    },
  }
}

function ofPost(post: OrganicPost): Shown {
  const title = measured(post.title)
  const text = measured(post.text)
  return {
    page: { to: '/creatives/posts/$postId', params: { postId: post.postId } },
    by: post.author.handle === null ? 'Unknown author' : `@${post.author.handle}`,
    network: networkInWords[post.network],
    heading: (title ?? text)?.slice(0, 80),
    text: title ?? text,
    details: [
      wordOf(post.mediaType, (type) => formatInWords[type]),
      wordOf(post.language, languageName),
      wordOf(post.publishedAt, dayText),
    ],
    facts: (
      <>
        <span className="line gap-1">
          <Eye size={12} aria-hidden="true" />
          <span className="hidden">Views</span>
          <Fact fact={post.metrics.views} evidence={post.evidence} format={compactNumber} />
        </span>
        <span className="line gap-1">
          <TrendingUp size={12} aria-hidden="true" />
          <span className="hidden">Outlier score</span>
          <Outlier post={post} />
        </span>
      </>
    ),
    links: post.links,
    media: post.media,
    status: post.mediaStatus,
    poster: { title, body: text, button: undefined },
  }
}

const activeMark = (active: boolean) => (
  <span className={active ? 'line gap-1 good' : 'line gap-1'}>
    {active ? <CircleDot size={12} aria-hidden="true" /> : <CircleStop size={12} aria-hidden="true" />}
    {activeText(active)}
  </span>
)

const measured = <Value,>(fact: FactOf<Value>): Value | undefined =>
  fact.state === 'measured' ? fact.value : undefined

const wordOf = <Value,>(fact: FactOf<Value>, word: (value: Value) => string): string | undefined =>
  fact.state === 'measured' ? word(fact.value) : undefined

const someCountries = (codes: readonly string[]): string =>
  codes.length > 3 ? `${codes.length} countries` : codes.map((code) => code.toUpperCase()).join(', ')
