import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Fact } from '../../evidence/Fact.tsx'
import { languageName, shortDayText } from '../../evidence/format.ts'
import { ProvenanceTabStop } from '../../evidence/provenance.tsx'
import type { PaidAd } from '../../evidence/shapes.ts'
import { adPlatformInWords, formatInWords } from '../../evidence/words.ts'
import { AppIcon } from '../../ui/AppLink.tsx'
import { CircleDot, CircleStop } from '../../ui/icons.ts'
import { CardMedia } from './CardMedia.tsx'
import styles from './creatives.module.css'
import { linkedNames, shownOf } from './lead-medium.ts'
import { PieceTools } from './PieceTools.tsx'
import { DaysRunning } from './values.tsx'
import { callToActionText } from './words.ts'

/** An ad in the gallery. Only the card that the keyboard stands on lets Tab into what it holds. */
export function AdCard({ ad, reachable }: { ad: PaidAd; reachable: boolean }) {
  const [playing, setPlaying] = useState(false)
  const creative = ad.creatives.find(({ media }) => media.length > 0) ?? ad.creatives[0]
  const by = ad.advertiser.name.state === 'measured' ? ad.advertiser.name.value : 'Unnamed advertiser'
  const title = creative?.title.state === 'measured' ? creative.title.value : undefined
  const body = creative?.body.state === 'measured' ? creative.body.value : undefined
  const [app] = ad.links
  const [broken, setBroken] = useState<string>()
  const shown = shownOf(creative?.media ?? [], broken)
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
              to="/creatives/ads/$platform/$archiveId"
              params={{ platform: ad.platform, archiveId: ad.archiveId }}
              className={styles.cardLink}
              tabIndex={reachable ? 0 : -1}
              data-card
            >
              <bdi>{by}</bdi>
              {title && <span className="hidden">: {title}</span>}
            </Link>
            <span className={styles.cardKind}>{adPlatformInWords[ad.platform]}</span>
          </h2>
          {shown === 'picture' ? (
            <p className={`${styles.cardBody} foreign`} dir="auto">
              {body ?? title ?? 'No text is known.'}
            </p>
          ) : (
            <p className={styles.cardBody}>{detailsOf(ad)}</p>
          )}
          <div className={styles.cardFacts}>
            <span className={styles.state}>
              <Fact
                fact={ad.active}
                evidence={ad.evidence}
                format={(active) =>
                  active ? (
                    <span className={styles.running}>
                      <CircleDot size={12} aria-hidden="true" /> Running
                    </span>
                  ) : (
                    <span className={styles.state}>
                      <CircleStop size={12} aria-hidden="true" /> Ended
                    </span>
                  )
                }
              />
            </span>
            <DaysRunning days={ad.daysRunning} />
            {app && (
              <span className={styles.cardApp} title={linkedNames(ad.links)}>
                <span className="hidden">Linked to {linkedNames(ad.links)}</span>
                <AppIcon url={app.app.iconUrl} name={app.app.name} size={18} />
              </span>
            )}
          </div>
        </div>
        <CardMedia
          media={creative?.media ?? []}
          status={creative?.mediaStatus ?? { status: 'not-kept', reason: null }}
          playing={playing}
          shown={shown}
          onBroken={setBroken}
          poster={{
            title,
            body,
            by,
            button:
              creative?.callToActionText.state === 'measured'
                ? creative.callToActionText.value
                : creative?.callToAction.state === 'measured'
                  ? callToActionText(creative.callToAction.value)
                  : undefined,
          }}
        />
        <PieceTools piece={{ kind: 'ad', ad }} reachable={reachable} />
      </article>
    </ProvenanceTabStop>
  )
}

/** What stands below a poster, which has the text already. */
function detailsOf(ad: PaidAd): string {
  const { format, language, countries, deliveryStartedOn } = ad
  return [
    format.state === 'measured' ? formatInWords[format.value] : undefined,
    language.state === 'measured' ? languageName(language.value) : undefined,
    countries.state === 'measured' ? someCountries(countries.value) : undefined,
    deliveryStartedOn.state === 'measured' ? `from ${shortDayText(deliveryStartedOn.value)}` : undefined,
  ]
    .filter(Boolean)
    .join(' · ')
}

const someCountries = (codes: readonly string[]): string =>
  codes.length > 3 ? `${codes.length} countries` : codes.map((code) => code.toUpperCase()).join(', ')
