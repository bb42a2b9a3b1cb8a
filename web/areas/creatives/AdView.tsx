import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { AnalysisPanel } from './AnalysisPanel.tsx'
import styles from './ad.module.css'
import { Coverage } from './Coverage.tsx'
import { DeliveryPanel, ObservationsPanel } from './DeliveryPanel.tsx'
import { EvidencePanel } from './EvidencePanel.tsx'
import { AdLinksPanel } from './LinksPanel.tsx'
import { MediaStage } from './MediaStage.tsx'
import { type AdDetail, creativeWith, type Quote, type Statement, statementsOf } from './reading.ts'
import { SavedPanel } from './SavedPanel.tsx'
import { Texts } from './Texts.tsx'
import { seek, TranscriptPanel } from './TranscriptPanel.tsx'

/** What is known of one ad, laid out: media at the side, words and what was read in them beside it. */
export function AdView({ ad }: { ad: AdDetail }) {
  const { creative: place = 1 } = useSearch({ from: '/creatives/ads/$platform/$archiveId' })
  const navigate = useNavigate({ from: '/creatives/ads/$platform/$archiveId' })
  const player = useRef<HTMLVideoElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const [hot, setHot] = useState<string>()
  const shown = Math.min(place, ad.creatives.length)
  const creative = ad.creatives[shown - 1]
  const statements = ad.analysis?.result ? statementsOf(ad.analysis.result.reading) : []
  const heard = ad.transcript?.result?.outcome === 'available' ? ad.transcript.result : undefined
  const by = ad.advertiser.name.state === 'measured' ? ad.advertiser.name.value : 'Unnamed advertiser'
  const scrollTo = ({ id }: Statement, { foundIn }: Quote) =>
    page.current
      ?.querySelector(`[data-part="${foundIn}"] [data-quotes~="${id}"]`)
      ?.scrollIntoView({ block: 'center', behavior: 'auto' })
  const onQuote = async (statement: Statement, quote: Quote) => {
    if (quote.foundIn === 'transcript') {
      if (quote.startSeconds !== null) seek(player, quote.startSeconds)
    } else {
      const says = creativeWith(ad.creatives, shown, quote)
      if (says !== undefined && says !== shown)
        await navigate({ search: (before) => ({ ...before, creative: says }), resetScroll: false })
    }
    scrollTo(statement, quote)
  }
  return (
    <div className={styles.columns} ref={page}>
      <div className={styles.side}>
        {creative && (
          <MediaStage
            key={creative.creativeId}
            media={creative.media}
            status={creative.mediaStatus}
            player={player}
            heard={heard}
            poster={{
              by,
              title: creative.title.state === 'measured' ? creative.title.value : undefined,
              body: creative.body.state === 'measured' ? creative.body.value : undefined,
              button:
                creative.callToActionText.state === 'measured' ? creative.callToActionText.value : undefined,
            }}
          />
        )}
        {ad.creatives.length > 1 && (
          <nav className={styles.creatives} aria-label="Creatives of this ad">
            {ad.creatives.map(({ creativeId, current }, index) => (
              <Link
                key={creativeId}
                to="."
                search={(before: object) => ({ ...before, creative: index + 1 })}
                replace
                resetScroll={false}
                aria-current={index + 1 === shown ? 'true' : undefined}
                activeProps={{}}
              >
                <span className="hidden">Creative </span>
                {index + 1}
                {!current && <span className="quiet">&nbsp;earlier</span>}
              </Link>
            ))}
          </nav>
        )}
        <SavedPanel piece={{ kind: 'ad', ad }} />
      </div>
      <div className={styles.main}>
        <div className={styles.beside}>
          {creative && <Texts creative={creative} evidence={ad.evidence} statements={statements} hot={hot} />}
          <TranscriptPanel ad={ad} player={player} statements={statements} hot={hot} />
        </div>
        <AnalysisPanel
          ad={ad}
          statements={statements}
          onHot={setHot}
          onQuote={(statement, quote) => void onQuote(statement, quote)}
        />
        <DeliveryPanel ad={ad} />
        <AdLinksPanel ad={ad} />
        <ObservationsPanel ad={ad} />
        <EvidencePanel evidence={ad.evidence} />
        <Coverage coverage={[ad.coverage]} />
      </div>
    </div>
  )
}
