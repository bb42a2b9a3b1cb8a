import type { TrackedField } from '../../vocabulary/listing-fields.ts'
import { eventsInHistory, pictureFields } from './listing.ts'

/** A value a field had, with the first and last sighting that showed it. */
export interface FieldVersion {
  value: string | null
  firstSeenAt: number
  lastSeenAt: number
}

/** A field as one observation showed it. */
export interface FieldSighting {
  value: string | null
  /** Milliseconds. */
  at: number
}

/**
 * Which of two values of one instant holds: the greater one, and any before none. That choice means nothing, but it
 * does not depend on which of them arrived first.
 */
export function compareFieldTexts(one: string | null, other: string | null): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  return one > other ? 1 : -1
}

export const noInstants: ReadonlySet<number> = new Set()

/**
 * The versions with sightings strictly inside or at an end of them that show another value, which part them, and those that rest on
 * instants that no longer count.
 */
export function versionsSplitBySightings(
  versions: readonly FieldVersion[],
  sightings: readonly FieldSighting[],
  gone = noInstants,
): FieldVersion[] {
  return versions.filter(({ value, firstSeenAt, lastSeenAt }) => {
    const holdsAt = (at: number) => at >= firstSeenAt && at <= lastSeenAt
    if (gone.size > 0 && gone.values().some(holdsAt)) return true
    return firstSeenAt < lastSeenAt && sightings.some(({ at, ...seen }) => holdsAt(at) && seen.value !== value)
  })
}

/**
 * Adds sightings, in any order, to the versions of one field, which are ordered by time and do not overlap. The result
 * is what all sightings together show, whichever arrived first: a version ends at the last sighting before another value.
 * @param within all instants at which the field was seen in a version that is split (`versionsSplitBySightings`)
 * @param gone instants that no longer count, unless they are still among those
 */
export function addSightingsToVersions(
  versions: readonly FieldVersion[],
  sightings: readonly FieldSighting[],
  within: (version: FieldVersion) => readonly number[],
  gone = noInstants,
): FieldVersion[] {
  const values = new Map<number, string | null>()
  const split = new Set(versionsSplitBySightings(versions, sightings, gone))
  for (const version of versions) {
    const { value, firstSeenAt, lastSeenAt } = version
    const ends = [firstSeenAt, lastSeenAt].filter((at) => !gone.has(at))
    for (const at of [...ends, ...(split.has(version) ? within(version) : [])]) values.set(at, value)
  }
  for (const { value, at } of sightings) {
    const known = values.get(at)
    if (known === undefined || compareFieldTexts(value, known) > 0) values.set(at, value)
  }
  const joined: FieldVersion[] = []
  for (const [at, value] of [...values].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && last.value === value) last.lastSeenAt = at
    else joined.push({ value, firstSeenAt: at, lastSeenAt: at })
  }
  return joined
}

/**
 * How a value of a tracked field compares with the one before it: `same`, `changed`, or `not-compared` where only the
 * addresses of pictures differ and nobody looked at the pictures.
 */
function compareValues(field: TrackedField, before: string | null, now: string | null): PictureSameness {
  if (before === now) return 'same'
  if (before === null || now === null) return 'changed'
  if (field === 'events') return compareEvents(before, now)
  // Apple lists what sells best first, and tags as it thinks fit, so their order changes without the app.
  if (field === 'inAppPurchases' || field === 'tags')
    return sortedLines(before) === sortedLines(now) ? 'same' : 'changed'
  return pictureFields.has(field) ? comparePictureSets(before.split('\n'), now.split('\n')) : 'changed'
}

/** A version with what is known of its difference from the one before; null for the first. */
interface ComparedVersion extends FieldVersion {
  comparison: 'changed' | 'not-compared' | null
}

/** The versions of a field, oldest first; neighbours that show the same are one, with the newest of their texts. */
export function mergeUnchangedVersions(
  field: TrackedField,
  versions: readonly FieldVersion[],
): ComparedVersion[] {
  const joined: ComparedVersion[] = []
  // The last version with identifiable pictures: one without must not hide a difference between its neighbours.
  let lastComparable: string | null = null
  for (const version of versions) {
    const last = joined.at(-1)
    const comparison = last ? compareValues(field, lastComparable, version.value) : null
    const isSame = last && comparison === 'same'
    if (!isSame || isComparable(field, version.value)) lastComparable = version.value
    if (!isSame) joined.push({ ...version, comparison: comparison === 'same' ? null : comparison })
    else joined[joined.length - 1] = { ...version, firstSeenAt: last.firstSeenAt, comparison: last.comparison }
  }
  return joined
}

const isComparable = (field: TrackedField, value: string | null) =>
  !pictureFields.has(field) || value === null || tellsOfPictures(value.split('\n'))

/** Events with the same texts and times are the same where their pictures are. Where those may differ, nobody looked at them. */
function compareEvents(before: string, now: string): PictureSameness {
  const told = (text: string, pictureOf: (address: string | null) => string | null) =>
    eventsInHistory(text)
      .map((event) =>
        JSON.stringify({ ...event, imageUrl: pictureOf(event.imageUrl), videoUrl: pictureOf(event.videoUrl) }),
      )
      .sort()
      .join('\n')
  const without = (text: string) => told(text, () => null)
  if (without(before) !== without(now)) return 'changed'
  const shown = (text: string) => told(text, (address) => address && pictureIdentity(address))
  return shown(before) === shown(now) ? 'same' : 'not-compared'
}

const sortedLines = (text: string) => text.split('\n').sort().join('\n')

/** Whether two sets of pictures are the same, as far as their addresses tell. */
type PictureSameness = 'same' | 'changed' | 'not-compared'

/** Information about a picture in its address. */
interface PictureNamed {
  /** Apple's id of the upload, which stays when Apple moves the picture; null where the address holds none. */
  upload: string | null
  /** The developer's name of the file or, for an icon, of the asset; null where Apple replaced it. */
  name: string | null
}

/**
 * An address of Apple's is `…/image/thumb/{store}/v4/{xx}/{yy}/{zz}/{build}/{file}/{size}`: the host and the size mean
 * nothing, and everything up to the file is new with each build of the app. A screenshot's file begins with the id of its
 * upload, or is one (`mzl.…`, `tns.…`). An icon's file is named after the asset in the app, with attributes behind the name
 * that change with Apple's tools, and holds nothing of the picture. `source` and `pr_source` are Apple's own names. Source:
 * 2,730 addresses of 78 apps in answers of 2022 and 2023, and 1,097 icons of charts of 2026. A film is
 * `…itunes.apple.com/{folder}/PurpleVideo{n}/v4/{xx}/{yy}/{zz}/{id}/P{number}_default.m3u8`, of which the number stays; source:
 * ten addresses that others published.
 */
function pictureNamed(address: string): PictureNamed {
  const film = filmIn(address)
  if (film !== undefined) return { upload: film, name: null }
  const path = pathOf(address)
  if (path === undefined) return { upload: null, name: address }
  const file = path.slice(path.lastIndexOf('/') + 1)
  const [, id, uploaded] = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_(.+)$/.exec(file) ?? []
  if (id !== undefined && uploaded !== undefined) return { upload: id, name: uploaded }
  if (/^(?:mzl|tns)\.[a-z]{6,}\.\w+$/.test(file)) return { upload: file, name: null }
  return { upload: null, name: assetIn(file) ?? null }
}

const pathOf = (address: string) => /^https?:\/\/is\d+(?:-ssl)?\.mzstatic\.com\/(.+)\/[^/]+$/.exec(address)?.[1]
const filmIn = (address: string) =>
  /^https?:\/\/[a-z-]+\.itunes\.apple\.com\/[^?]+\/PurpleVideo\d*\/[^?]+\/(P\d+)_\w+\.m3u8(?:\?|$)/.exec(
    address,
  )?.[1]
const assetIn = (file: string) => /^(.+?)(?:-\d+)*-\dx_U007e[a-z]+-[^/]*$/.exec(file)?.[1]

/** The part of a picture's address that stays the same while the picture does. */
export function pictureIdentity(address: string): string {
  const { upload, name } = pictureNamed(address)
  if (upload !== null) return name === null ? upload : `${upload}_${name}`
  return name ?? pathOf(address) ?? address
}

/** Whether the addresses identify their pictures, beyond their number. */
const tellsOfPictures = (addresses: readonly string[]): boolean =>
  addresses.map(pictureNamed).every(({ upload, name }) => upload !== null || name !== null)

/**
 * How a set of pictures compares with the one before it. It changed where there are more or fewer, where known uploads stand
 * in another order, and where new uploads stand in the place of known ones. Two cases need a look: a set uploaded anew as a
 * whole under the same names, as build tools do with every version, and an icon or a foreign address of another name.
 * A new address that tells nothing else is no difference.
 */
export function comparePictureSets(before: readonly string[], now: readonly string[]): PictureSameness {
  if (before.length !== now.length) return 'changed'
  const old = before.map(pictureNamed)
  const pairs = now.map((address, index) => [old[index], pictureNamed(address)] as const)
  const fresh = pairs.filter(([one, other]) => one?.upload && other.upload && one.upload !== other.upload)
  const renamed = pairs.filter(([one, other]) => one?.name && other.name && one.name !== other.name)
  // One upload cannot have two names, so what was renamed without being uploaded anew has no upload id at all.
  if (fresh.length === 0) return renamed.length > 0 ? 'not-compared' : 'same'
  const known = new Set(old.map(({ upload }) => upload))
  const isWhole = fresh.length === pairs.length && !fresh.some(([, other]) => known.has(other.upload))
  return isWhole && renamed.length === 0 ? 'not-compared' : 'changed'
}
