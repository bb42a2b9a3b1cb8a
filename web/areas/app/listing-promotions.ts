import type { CSSProperties } from 'react'
import type { ReplyOf } from '../../api/operations.ts'
import { countWithNoun } from '../../evidence/format.ts'
import { adPlatformInWords, networkInWords } from '../../evidence/words.ts'

type Media = ReplyOf<'get_competitor_media'>
export type AppEvent = Media['events'][number]
export type ProductPage = Media['productPages'][number]

export const eventStateInWords = {
  upcoming: 'Upcoming',
  running: 'Live',
  over: 'Ended',
  'taken-down': 'Taken down',
  gone: 'No longer shown',
} as const satisfies Record<AppEvent['state'], string>

const labels: Partial<Record<string, string>> = { ...networkInWords, ...adPlatformInWords }

/** `2 ads on Meta`, `1 post on TikTok, added by accounts`. */
export const seenOnInWords = ({ count, kind, on, brought }: ProductPage['seen'][number]): string =>
  `${countWithNoun(count, kind)} on ${labels[on] ?? on}${brought ? ', added by accounts' : ''}`

/** Longest axis: an event in a thousand years must not press all others together. */
const longestDays = 400
const day = 86_400_000

/**
 * Events with their places on one axis, in shares of its width. The axis is from the first start to the last stated end, at most 400
 * days before the latest sighting and after it; what reaches beyond it is cut, and an event without an end runs to its end.
 */
export function eventBars(events: readonly AppEvent[]): { event: AppEvent; style: CSSProperties }[] {
  const looked = Math.max(...events.map(({ lastSeenAt }) => Date.parse(lastSeenAt)))
  const [least, most] = [looked - longestDays * day, looked + longestDays * day]
  const within = (time: string) => Math.min(Math.max(Date.parse(time), least), most)
  const from = Math.min(...events.map(({ startsAt }) => within(startsAt)))
  const to = Math.max(from + day, ...events.map(({ startsAt, endsAt }) => within(endsAt ?? startsAt)))
  const share = (time: number) => ((time - from) / (to - from)) * 100
  return events.map((event) => {
    const start = share(within(event.startsAt))
    const end = event.endsAt === null ? 100 : share(within(event.endsAt))
    return { event, style: { insetInlineStart: `${start}%`, width: `${Math.max(end - start, 1)}%` } }
  })
}
