/** Whether two sets of pictures are the same, as far as their addresses tell. */
export type PictureSameness = 'same' | 'changed' | 'not-compared'

/**
 * What stays the same in the address of a picture of Apple's while the picture does. An address is
 * `…/image/thumb/{store}/v4/{xx}/{yy}/{zz}/{build}/{file}/{size}`: the host and the size mean nothing, and everything up to
 * the file is new with each build of the app. A screenshot's file begins with the id of its upload, which stays when Apple
 * moves the picture; an icon's file is named by the app's developers and holds nothing of the picture, so an icon is
 * the same only where the whole path is. Source: 2,730 addresses of 78 apps in answers of 2022 and 2023.
 */
export function pictureIdentity(address: string): string {
  const path = /^https?:\/\/is\d+(?:-ssl)?\.mzstatic\.com\/(.+)\/[^/]+$/.exec(address)?.[1]
  if (path === undefined) return address
  return uploadIn(path) ?? path
}

const uploadIn = (path: string) =>
  /\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}_[^/]+)$/.exec(path)?.[1]

/**
 * How a set of pictures compares with the one before it. It changed where there are more or fewer pictures, or known ones
 * stand in another order; where others stand in the place of known ones, only a look at them could tell.
 */
export function sameness(before: readonly string[], now: readonly string[]): PictureSameness {
  const [old, fresh] = [before.map(pictureIdentity), now.map(pictureIdentity)]
  if (old.length !== fresh.length) return 'changed'
  const places = fresh.map((identity) => old.indexOf(identity))
  const known = places.filter((place) => place !== -1)
  if (known.length === fresh.length && places.every((place, index) => place === index)) return 'same'
  return known.some((place, index) => index > 0 && place < (known[index - 1] ?? 0)) ||
    known.length === fresh.length
    ? 'changed'
    : 'not-compared'
}
