import type { MediaDevice, mediaKinds } from '../../vocabulary/devices.ts'
import type { Listing } from './listing.ts'
import { fieldVersionsOf } from './listing-history.ts'
import { mergeUnchangedVersions, pictureIdentity } from './listing-versions.ts'
import type { RecordState } from './record.ts'

export type MediaKind = (typeof mediaKinds)[number]

/** The sets of media a listing has, by the field that holds each. */
export const mediaSets = [
  { field: 'iconUrl', kind: 'icon', device: 'any' },
  { field: 'screenshotsIphone', kind: 'screenshot', device: 'iphone' },
  { field: 'screenshotsIpad', kind: 'screenshot', device: 'ipad' },
  { field: 'screenshotsTv', kind: 'screenshot', device: 'tv' },
  { field: 'previews', kind: 'preview', device: 'iphone' },
  { field: 'headerMedia', kind: 'header', device: 'any' },
  { field: 'searchMedia', kind: 'search-result', device: 'any' },
] as const satisfies { field: keyof Listing; kind: MediaKind; device: MediaDevice }[]

type MediaSet = (typeof mediaSets)[number]

/** Fields with pictures or films of an app; an app with only an icon has no media. */
export const mediaFields = mediaSets.flatMap((set) => (set.kind === 'icon' ? [] : [set.field]))

export interface MediaItem {
  kind: MediaKind
  device: MediaDevice
  /** 1 is first; the newest place it had. */
  position: number
  url: string
  width: number | null
  height: number | null
  /** Milliseconds. */
  firstSeenAt: number
  lastSeenAt: number
  current: boolean
}

export interface MediaChange {
  /** Milliseconds: the first sighting of the new set. */
  at: number
  /** `not-compared`: only addresses are known to differ. */
  comparison: 'changed' | 'not-compared'
  kind: MediaKind
  device: MediaDevice
  added: string[]
  removed: string[]
  reordered: boolean
}

/** One set, as it was between two sightings. */
interface SeenSet {
  urls: string[]
  comparison: MediaChange['comparison'] | null
  firstSeenAt: number
  lastSeenAt: number
}

/** Every item a record's media sets ever showed: current ones first, then by kind, device and place. */
export function mediaItems(state: RecordState): MediaItem[] {
  const items = mediaSets.flatMap((set) => itemsOfSet(set, seenSets(state, set)))
  return items.sort((one, other) => Number(other.current) - Number(one.current))
}

/** Differences between neighbouring sightings of each set, newest first. */
export function mediaChanges(state: RecordState): MediaChange[] {
  return mediaSets
    .flatMap((set) => {
      const seen = seenSets(state, set)
      return seen.slice(1).map((now, index) => changeOf(set, seen[index] ?? now, now))
    })
    .sort((one, other) => other.at - one.at)
}

/**
 * The versions of a set, oldest first; a set that never changed has one, a set never looked at none. The newest one has its
 * addresses as they were last seen.
 */
function seenSets(state: RecordState, { field }: MediaSet): SeenSet[] {
  const versions = mergeUnchangedVersions(field, fieldVersionsOf(state, field))
  const value = state.record.facts[field] ?? []
  const newest = Array.isArray(value) ? value : [value]
  return versions.map(({ value, ...seen }, index) => ({
    ...seen,
    urls: index === versions.length - 1 ? newest : (value?.split('\n') ?? []),
  }))
}

function itemsOfSet({ kind, device }: MediaSet, seen: readonly SeenSet[]): MediaItem[] {
  const items = new Map<string, MediaItem>()
  for (const [index, set] of seen.entries()) {
    for (const [place, url] of set.urls.entries()) {
      const identity = pictureIdentity(url)
      const first = items.get(identity)?.firstSeenAt ?? set.firstSeenAt
      items.set(identity, {
        kind,
        device,
        position: place + 1,
        url,
        ...sizeIn(url),
        firstSeenAt: first,
        lastSeenAt: set.lastSeenAt,
        current: index === seen.length - 1,
      })
    }
  }
  return [...items.values()].sort((one, other) => one.position - other.position)
}

function changeOf({ kind, device }: MediaSet, before: SeenSet, now: SeenSet): MediaChange {
  const old = before.urls.map(pictureIdentity)
  const fresh = now.urls.map(pictureIdentity)
  const stayedBefore = old.filter((url) => fresh.includes(url))
  const stayedNow = fresh.filter((url) => old.includes(url))
  return {
    at: now.firstSeenAt,
    kind,
    device,
    comparison: now.comparison ?? 'changed',
    added: now.urls.filter((url) => !old.includes(pictureIdentity(url))),
    removed: before.urls.filter((url) => !fresh.includes(pictureIdentity(url))),
    reordered: stayedBefore.join('\n') !== stayedNow.join('\n'),
  }
}

/** The size in the last part of a picture's address, such as `392x696bb.png`: the picture fits into it, and may be smaller. */
function sizeIn(url: string): { width: number | null; height: number | null } {
  const match = /\/(\d{1,5})x(\d{1,5})[a-z-]*\.(?:png|jpe?g|webp)$/i.exec(url)
  return { width: match ? Number(match[1]) : null, height: match ? Number(match[2]) : null }
}
