import { saveFile } from '../../ui/csv.ts'
import type { AdDetail, Transcript } from './reading.ts'

type Heard = Extract<NonNullable<Transcript['result']>, { outcome: 'available' }>

/** The ad as the service answered it, with states, evidence, transcript and analysis. */
export function saveAsJson(name: string, answer: unknown): void {
  saveFile(`${name}.json`, new Blob([`${JSON.stringify(answer, null, 2)}\n`], { type: 'application/json' }))
}

export const fileNameOf = ({ platform, archiveId }: Pick<AdDetail, 'platform' | 'archiveId'>): string =>
  `ad-${platform}-${archiveId}`

export function saveCaptions(name: string, heard: Heard): void {
  saveFile(`${name}.vtt`, new Blob([captionsOf(heard)], { type: 'text/vtt' }))
}

/** The transcript as WebVTT (W3C). What a stranger said cannot end a cue or open a tag. */
export function captionsOf({ segments }: Pick<Heard, 'segments'>): string {
  const cues = segments.map(
    ({ startSeconds, endSeconds, text }) =>
      `${stamp(startSeconds)} --> ${stamp(endSeconds)}\n${text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll(/\s*\n\s*/g, ' ')}`,
  )
  return `WEBVTT\n\n${cues.join('\n\n')}\n`
}

/** `00:01:05.250` */
function stamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1_000)
  const part = (value: number, digits: number) => String(value).padStart(digits, '0')
  return `${part(Math.floor(milliseconds / 3_600_000), 2)}:${part(Math.floor(milliseconds / 60_000) % 60, 2)}:${part(Math.floor(milliseconds / 1_000) % 60, 2)}.${part(milliseconds % 1_000, 3)}`
}
