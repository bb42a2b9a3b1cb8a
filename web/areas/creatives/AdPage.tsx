import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type RefObject, useRef, useState } from 'react'
import { searchSubjectsOf } from '../../../src/vocabulary/ad-platforms.ts'
import { read } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { languageName } from '../../evidence/format.ts'
import { watchesOfAdvertiser } from '../../evidence/watch-choices.ts'
import { adPlatformInWords } from '../../evidence/words.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { customProperties } from '../../ui/css.ts'
import { EvidencePanel } from '../../ui/EvidencePanel.tsx'
import { ExternalLink, Languages } from '../../ui/icons.ts'
import { Menu } from '../../ui/overlays.tsx'
import { Loaded, Skeleton } from '../../ui/parts.tsx'
import { WatchThis } from '../../ui/WatchThis.tsx'
import { AnalysisPanel } from './AnalysisPanel.tsx'
import styles from './ad.module.css'
import { fileNameOf, saveAsJson, saveCaptions } from './ad-export.ts'
import { Coverage } from './Coverage.tsx'
import { beside, CreativesFrame } from './CreativesFrame.tsx'
import { CountriesPanel, DeliveryPanel, ObservationsPanel } from './DeliveryPanel.tsx'
import { AdLinksPanel } from './LinksPanel.tsx'
import { MediaStage } from './MediaStage.tsx'
import { CompareButton } from './PieceTools.tsx'
import { type AdDetail, creativeWith, type Quote, type Statement, statementsOf } from './reading.ts'
import { SavedPanel } from './SavedPanel.tsx'
import type { AdPlatform } from './search.ts'
import { adKey } from './shapes.ts'
import { Texts } from './Texts.tsx'
import { TranscriptPanel } from './TranscriptPanel.tsx'
import { useAdImport } from './use-ad-import.ts'

const everyMs = 1_500

/** One ad: its media, what it says, what was read in it, and how it was delivered. */
export function AdPage() {
  const { platform, archiveId } = useParams({ from: '/creatives/ads/$platform/$archiveId' })
  const query = useQuery({
    // An address may name any library; the service refuses those there are none of.
    ...read('get_paid_ad', { platform: platform as AdPlatform, archiveId }),
    refetchInterval: ({ state: { data } }) =>
      data && (isUnderWay(data.transcript) || isUnderWay(data.analysis)) ? everyMs : false,
  })
  const ad = query.data
  const name = ad?.advertiser.name
  return (
    <CreativesFrame
      title={name?.state === 'measured' ? name.value : 'Paid ad'}
      subtitle={ad ? `${adPlatformInWords[ad.platform]} ad ${ad.archiveId}` : `Ad ${archiveId}`}
      actions={ad && <Actions ad={ad} />}
    >
      <Loaded
        query={query}
        skeleton={
          <div className="columns" style={beside}>
            <Skeleton height={480} />
            <Skeleton height={640} />
          </div>
        }
      >
        {(loaded) => <AdView key={`${loaded.platform} ${loaded.archiveId}`} ad={loaded} />}
      </Loaded>
    </CreativesFrame>
  )
}

function Actions({ ad }: { ad: AdDetail }) {
  const heard = ad.transcript?.result
  return (
    <>
      {searchSubjectsOf(ad.platform).includes('archiveIds') && <AskForLanguages ad={ad} />}
      <CompareButton piece={adKey(ad)} />
      {ad.advertiser.advertiserId && (
        <WatchThis
          title="Watch advertiser"
          subject={ad.advertiser.name.state === 'measured' ? ad.advertiser.name.value : 'this advertiser'}
          choices={watchesOfAdvertiser(ad.platform, ad.advertiser.advertiserId)}
        />
      )}
      <Menu
        label="Export"
        trigger={<Button>Export</Button>}
        entries={[
          { id: 'json', name: 'Full data (JSON)', onAction: () => saveAsJson(fileNameOf(ad), ad) },
          ...(heard?.outcome === 'available'
            ? [
                {
                  id: 'vtt',
                  name: 'Captions (VTT)',
                  onAction: () => saveCaptions(fileNameOf(ad), heard),
                },
              ]
            : []),
        ]}
      />
      <a href={ad.libraryUrl} target="_blank" rel="noreferrer noopener" className="row">
        <ExternalLink size={14} aria-hidden="true" /> View in ad library
      </a>
    </>
  )
}

/** Has the library asked for this ad alone, whose answer has its variants in all languages. */
function AskForLanguages({ ad: { platform, archiveId } }: { ad: AdDetail }) {
  const mayWrite = useHasScope('content:write')
  const { run, ask, isPending } = useAdImport()
  if (!mayWrite) return null
  return (
    <Button
      icon={<Languages size={14} aria-hidden="true" />}
      isPending={isPending || isUnderWay(run)}
      onPress={() => ask({ platform, archiveIds: [archiveId] })}
    >
      Get all languages
    </Button>
  )
}

/** What is known of one ad, laid out: media at the side, words and what was read in them beside it. */
function AdView({ ad }: { ad: AdDetail }) {
  const { creative: chosen } = useSearch({ from: '/creatives/ads/$platform/$archiveId' })
  const navigate = useNavigate({ from: '/creatives/ads/$platform/$archiveId' })
  const player = useRef<HTMLVideoElement>(null)
  const page = useRef<HTMLDivElement>(null)
  const [hot, setHot] = useState<string>()
  const statements = ad.analysis?.result ? statementsOf(ad.analysis.result.reading) : []
  const heard = ad.transcript?.result?.outcome === 'available' ? ad.transcript.result : undefined
  const heardIn = heard && placeOf(ad, heard.mediaId)
  const shown = Math.min(chosen ?? heardIn ?? 1, ad.creatives.length)
  const creative = ad.creatives[shown - 1]
  const by = ad.advertiser.name.state === 'measured' ? ad.advertiser.name.value : 'Unknown advertiser'
  const scrollTo = ({ id }: Statement, { foundIn }: Quote) =>
    page.current
      ?.querySelector(`[data-part="${foundIn}"] [data-quotes~="${id}"]`)
      ?.scrollIntoView({ block: 'center', behavior: 'auto' })
  const show = async (place: number | undefined) => {
    if (place === undefined || place === shown) return
    await navigate({ search: (before) => ({ ...before, creative: place }), replace: true, resetScroll: false })
  }
  const onSeek = async (seconds: number) => {
    await show(heardIn)
    seek(player, seconds)
  }
  const onQuote = async (statement: Statement, quote: Quote) => {
    if (quote.foundIn !== 'transcript') await show(creativeWith(ad.creatives, shown, quote))
    else if (quote.startSeconds !== null) await onSeek(quote.startSeconds)
    scrollTo(statement, quote)
  }
  return (
    <div className="columns" style={beside} ref={page}>
      <div className={`${styles.side} stack gap-4 shrinks`}>
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
          <nav className={`${styles.creatives} picks row gap-1 small`} aria-label="Creatives of this ad">
            {ad.creatives.map(({ creativeId, current, locale }, index) => (
              <Link
                key={creativeId}
                to="."
                search={(before: object) => ({ ...before, creative: index + 1 })}
                replace
                resetScroll={false}
                aria-current={index + 1 === shown ? 'true' : undefined}
                activeProps={{}}
              >
                {locale.state === 'measured' ? languageName(locale.value) : `Creative ${index + 1}`}
                {!current && <span className="quiet">&nbsp;earlier</span>}
              </Link>
            ))}
          </nav>
        )}
        <SavedPanel piece={{ kind: 'ad', ad }} />
      </div>
      <div className="stack gap-4 shrinks">
        <div className="tiles spread top gap-4" style={customProperties({ '--tile': '290px' })}>
          {creative && <Texts creative={creative} evidence={ad.evidence} statements={statements} hot={hot} />}
          <TranscriptPanel
            ad={ad}
            player={player}
            statements={statements}
            hot={hot}
            onSeek={(seconds) => void onSeek(seconds)}
          />
        </div>
        <AnalysisPanel
          ad={ad}
          statements={statements}
          onHot={setHot}
          onQuote={(statement, quote) => void onQuote(statement, quote)}
        />
        <DeliveryPanel ad={ad} />
        <CountriesPanel ad={ad} />
        <AdLinksPanel ad={ad} />
        <ObservationsPanel ad={ad} />
        <EvidencePanel evidence={ad.evidence} />
        <Coverage coverage={[ad.coverage]} />
      </div>
    </div>
  )
}

/** The place of the creative that holds a medium, 1 is first. */
function placeOf({ creatives }: AdDetail, mediaId: string): number | undefined {
  const index = creatives.findIndex(({ media }) => media.some((medium) => medium.mediaId === mediaId))
  return index === -1 ? undefined : index + 1
}

/** Goes to a place of the video and plays on from there. */
function seek(player: RefObject<HTMLVideoElement | null>, seconds: number): void {
  const video = player.current
  if (!video) return
  video.currentTime = seconds
  // A browser may refuse to play with sound; then the place is shown and waits.
  video.play().catch(() => undefined)
}
