import { type RefObject, useEffect, useRef, useState } from 'react'
import { useWrite } from '../../api/operations.ts'
import { useHasScope } from '../../api/session.ts'
import { Measured } from '../../evidence/Fact.tsx'
import { languageName, momentText, playTime } from '../../evidence/format.ts'
import { isUnderWay } from '../../evidence/work.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/fields.tsx'
import { Dialog } from '../../ui/overlays.tsx'
import { Empty, Panel } from '../../ui/parts.tsx'
import { WorkProgress } from '../../ui/WorkProgress.tsx'
import styles from './ad.module.css'
import { languages } from './filter-fields.tsx'
import { MarkedText } from './MarkedText.tsx'
import { rangesOf, within } from './quotes.ts'
import { type AdDetail, isWithoutVideo, quotesIn, type Statement, type Transcript } from './reading.ts'
import { providerInWords, unavailableInWords } from './words.ts'

type Available = Extract<NonNullable<Transcript['result']>, { outcome: 'available' }>

/** What is said in the video, or how far its transcript is, or why there is none. */
export function TranscriptPanel({
  ad,
  player,
  statements,
  hot,
  onSeek,
}: {
  ad: AdDetail
  player: RefObject<HTMLVideoElement | null>
  statements: readonly Statement[]
  hot: string | undefined
  onSeek: (seconds: number) => void
}) {
  const { transcript } = ad
  const result = transcript?.result ?? null
  const isSilent = isWithoutVideo(ad)
  return (
    <Panel
      title="Transcript"
      note={result && <Made result={result} />}
      actions={!isSilent && <MakeTranscript ad={ad} />}
      flush={result?.outcome === 'available'}
    >
      {transcript && (isUnderWay(transcript) || transcript.status === 'failed') && (
        <div className="pad">
          <WorkProgress work={transcript} name="Transcript" />
        </div>
      )}
      {result?.outcome === 'available' && (
        <Segments result={result} player={player} statements={statements} hot={hot} onSeek={onSeek} />
      )}
      {result?.outcome === 'no-speech' && <Empty title="No speech">The video has no spoken words.</Empty>}
      {result?.outcome === 'unavailable' && (
        <Empty title="Transcript not available">{unavailableInWords[result.reason]}</Empty>
      )}
      {!transcript &&
        (isSilent ? (
          <Empty title="No video">The ad has no video, so there is nothing to transcribe.</Empty>
        ) : (
          <Empty title="No transcript yet">It has not been requested for this ad.</Empty>
        ))}
    </Panel>
  )
}

function Made({ result }: { result: NonNullable<Transcript['result']> }) {
  const by = 'provider' in result ? providerInWords(result.provider) : undefined
  const language = result.outcome === 'available' && result.language ? languageName(result.language) : undefined
  return (
    <Measured
      observedAt={result.madeAt}
      note={`Transcribed${by ? ` by ${by}` : ''} from the stored video or the captions of its source. The time is when the transcript was made.`}
    >
      {[language, by].filter(Boolean).join(', ') || momentText(result.madeAt)}
    </Measured>
  )
}

function Segments({
  result,
  player,
  statements,
  hot,
  onSeek,
}: {
  result: Available
  player: RefObject<HTMLVideoElement | null>
  statements: readonly Statement[]
  hot: string | undefined
  onSeek: (seconds: number) => void
}) {
  const { segments } = result
  const list = useRef<HTMLOListElement>(null)
  const current = useCurrent(player, segments)
  useEffect(() => {
    const box = list.current
    const row = box?.children[current]
    // The page itself stays where the reader put it.
    if (box && row instanceof HTMLElement && !box.matches(':hover, :focus-within'))
      box.scrollTop = row.offsetTop - box.clientHeight / 3
  }, [current])
  const ranges = rangesOf(segments.map(({ text }) => text).join(' '), quotesIn(statements, 'transcript'))
  let from = 0
  return (
    <ol ref={list} className={`${styles.segments} pad-2 anchor`} dir="auto" data-part="transcript">
      {segments.map(({ startSeconds, text }, index) => {
        const start = from
        from += text.length + 1
        return (
          <li key={`${startSeconds} ${start}`} aria-current={index === current ? 'true' : undefined}>
            <button type="button" onClick={() => onSeek(startSeconds)} data-seconds={startSeconds}>
              <time className="quiet end" dateTime={`PT${startSeconds}S`}>
                {playTime(startSeconds)}
              </time>
              <span className="foreign" dir="auto" lang={result.language ?? undefined}>
                <MarkedText text={text} ranges={within(ranges, start, start + text.length)} hot={hot} />
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}

/** The segment that is being said, -1 while none is. */
function useCurrent(player: RefObject<HTMLVideoElement | null>, segments: Available['segments']): number {
  const [current, setCurrent] = useState(-1)
  useEffect(() => {
    const video = player.current
    if (!video) return
    const follow = () => {
      const now = video.currentTime
      setCurrent(
        video.paused && now === 0
          ? -1
          : segments.findIndex(({ startSeconds, endSeconds }) => now >= startSeconds && now < endSeconds),
      )
    }
    for (const event of ['timeupdate', 'seeking', 'play']) video.addEventListener(event, follow)
    return () => {
      for (const event of ['timeupdate', 'seeking', 'play']) video.removeEventListener(event, follow)
    }
  }, [player, segments])
  return current
}

function MakeTranscript({ ad }: { ad: AdDetail }) {
  const mayWrite = useHasScope('content:write')
  const [language, setLanguage] = useState('unknown')
  const make = useWrite('generate_paid_ad_transcript', { changes: ['get_paid_ad'] })
  if (!mayWrite || isUnderWay(ad.transcript)) return null
  const again = ad.transcript !== null
  return (
    <Dialog
      title={again ? 'Redo the transcript' : 'Create a transcript'}
      trigger={<Button small>{again ? 'Redo…' : 'Create transcript…'}</Button>}
    >
      {(close) => (
        <>
          <p>
            Uses the captions of the source, or else transcribes the first video. The transcript is not
            translated, and all accounts can see it.
          </p>
          <Select
            label="Spoken language (optional)"
            options={[{ id: 'unknown', name: 'Unknown' }, ...languages]}
            value={language}
            onChange={setLanguage}
          />
          <Button
            look="primary"
            isPending={make.isPending}
            onPress={() => {
              make.mutate({
                platform: ad.platform,
                archiveId: ad.archiveId,
                force: again,
                ...(language === 'unknown' ? {} : { language }),
              })
              close()
            }}
          >
            {again ? 'Redo' : 'Create transcript'}
          </Button>
        </>
      )}
    </Dialog>
  )
}
