import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { AdPlatform } from '../../src/vocabulary/ad-platforms.ts'
import type { ChartKind } from '../../src/vocabulary/chart-kinds.ts'
import type { Device } from '../../src/vocabulary/devices.ts'
import type { ChannelKind, DeliveryState, Digest, WebhookShape } from '../../src/vocabulary/watches.ts'
import { notify } from './notices.ts'
import { invalidateReads, type Tool } from './operations.ts'
import { changeOfPages, readOfPages } from './session.ts'

/* What an account watches and how it is told: routes for the pages alone, beside the contract (docs/http.md). */

/** Which apps: an App Store id, or the tracked ones by their role. */
export type Whose = 'own' | 'rivals' | 'tracked' | (string & {})

interface OfRanks {
  app: Whose
  country: string
  in: 'charts' | 'keywords'
  chart?: ChartKind
  category?: number
  device?: Device
  term?: string
}

/** What a watch looks for, with all that its kind takes. */
export type Watch =
  | ({ kind: 'top'; places: number[] } & OfRanks)
  | ({ kind: 'moved'; by: number } & OfRanks)
  | ({ kind: 'chart' } & OfRanks)
  | { kind: 'listing' | 'release' | 'availability'; app: Whose; country: string }
  | { kind: 'ads'; app: Whose }
  | { kind: 'ads'; advertiser: `${AdPlatform}/${string}` }
  | { kind: 'emerging'; country: string; category?: number }
  | { kind: 'source'; country?: string; hours: number }
  | { kind: 'import' }

export interface WatchListed {
  watchId: string
  watch: Watch
  /** Of the one app and the one category that it names. */
  appName: string | null
  categoryName: string | null
  mutedAt: string | null
  fromConfiguration: boolean
  evaluatedAt: string | null
  lastError: string | null
  events: number
  lastEventAt: string | null
  /** Rankings that it compares; null where its kind has none. */
  rankings: number | null
}

export interface ChannelListed {
  channelId: string
  kind: ChannelKind
  shape: WebhookShape | null
  digest: Digest | null
  address: string | null
  mutedAt: string | null
  pending: number
  dead: number
  lastError: string | null
  retryAt: string | null
  testedAt: string | null
  testError: string | null
}

export interface Times {
  timeZone: string
  quietHours: { from: string; until: string } | null
}

export interface FoundEvent {
  eventId: string
  watch: Watch
  appName: string | null
  categoryName: string | null
  title: string
  page: string
  evidence: Record<string, unknown>
  observedAt: string
  recordedAt: string
  muted: boolean
  told: {
    kind: ChannelKind
    state: DeliveryState
    attempts: number
    lastError: string | null
    settledAt: string | null
  }[]
}

export interface ReportLink {
  linkId: string
  title: string
  createdAt: string
  expiresAt: string
}

export const watchesQuery = queryOptions({
  queryKey: ['watches'] as const,
  queryFn: async ({ signal }) => (await readOfPages<{ items: WatchListed[] }>('/watches', signal)).items,
})

export const channelsQuery = queryOptions({
  queryKey: ['channels'] as const,
  queryFn: ({ signal }) =>
    readOfPages<{ items: ChannelListed[]; times: Times; noMail: string | null; notSent: string | null }>(
      '/channels',
      signal,
    ),
})

export const reportLinksQuery = queryOptions({
  queryKey: ['report-links'] as const,
  queryFn: async ({ signal }) => (await readOfPages<{ items: ReportLink[] }>('/report-links', signal)).items,
})

/** The history, newest first; of one watch if it is given. Read anew now and then: a worker writes it. */
export const historyQuery = (watch: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['watch-events', watch ?? null] as const,
    queryFn: ({ signal, pageParam }) => {
      const asked = new URLSearchParams({ ...(watch && { watch }), ...(pageParam && { before: pageParam }) })
      return readOfPages<{ items: FoundEvent[]; next: string | null }>(`/watch-events?${asked}`, signal)
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: 15_000,
  })

type Read = 'watches' | 'channels' | 'watch-events' | 'report-links' | 'listing-drafts'

/**
 * A change of a route beside the contract. `mutate` does nothing while one is under way: a double click is one change. A failure is told
 * in a notice, and what is typed stays.
 */
export function useChange<Given, Reply>(
  send: (given: Given) => Promise<Reply>,
  {
    changes,
    done,
  }: { changes: readonly (Read | Tool)[]; done?: (reply: Reply, given: Given) => string | undefined },
) {
  const queries = useQueryClient()
  const underWay = useRef(false)
  const change = useMutation({
    mutationFn: send,
    onSuccess: (reply, given) => {
      const text = done?.(reply, given)
      if (text) notify({ kind: 'done', text })
    },
    onError: (error) => notify({ kind: 'failed', text: error.message }),
    onSettled: () => {
      underWay.current = false
      return invalidateReads(queries, changes)
    },
  })
  const mutate: typeof change.mutate = (...asked) => {
    if (underWay.current) return
    underWay.current = true
    change.mutate(...asked)
  }
  return { ...change, mutate }
}

export const addWatch = (watch: Watch) => changeOfPages<{ watchId: string }>('POST', '/watches', { watch })
export const muteWatch = ({ watchId, muted }: { watchId: string; muted: boolean }) =>
  changeOfPages<void>('PATCH', `/watches/${watchId}`, { muted })
export const removeWatch = ({ watchId }: Pick<WatchListed, 'watchId' | 'watch'>) =>
  changeOfPages<void>('DELETE', `/watches/${watchId}`)

/** @returns the secret of a new webhook or the path of a new feed; null for mail, and for a channel that was there before */
export const addChannel = (channel: {
  channelId: string
  kind: ChannelKind
  address?: string
  shape?: WebhookShape
  digest?: Digest
}) => changeOfPages<{ channelId: string; isNew: boolean; secret: string | null }>('POST', '/channels', channel)
export const muteChannel = ({ channelId, muted }: { channelId: string; muted: boolean }) =>
  changeOfPages<void>('PATCH', `/channels/${channelId}`, { muted })
export const testChannel = ({ channelId }: { channelId: string }) =>
  changeOfPages<{ failure: string | null }>('POST', `/channels/${channelId}/test`)
export const resendGivenUp = ({ channelId }: { channelId: string }) =>
  changeOfPages<{ events: number }>('POST', `/channels/${channelId}/resend`)
export const removeChannel = ({ channelId }: { channelId: string }) =>
  changeOfPages<void>('DELETE', `/channels/${channelId}`)
export const setTimes = (times: Times) => changeOfPages<Times>('PUT', '/watch-times', times)

export const shareReport = (link: { linkId: string; week?: string; country?: string; days: number }) =>
  changeOfPages<ReportLink & { path: string }>('POST', '/report-links', link)
export const revokeReport = ({ linkId }: { linkId: string }) =>
  changeOfPages<void>('DELETE', `/report-links/${linkId}`)

/** An id for something new, by which the service knows it again. Browsers have no `randomUUID` outside secure contexts. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
