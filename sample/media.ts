import { sampleApps } from './apps.ts'
import type { Span } from './calendar.ts'
import { type SamplePaidAd, samplePaidAds } from './paid-ads.ts'
import type { PictureOptions } from './pictures.ts'
import { type SamplePost, samplePosts } from './posts.ts'

/** The pictures of all sample posts and ads by address. Addresses of videos have no content. */
export function samplePictures(span: Span): Map<string, PictureOptions> {
  const apps = sampleApps(span)
  const pictures = new Map<string, PictureOptions>()
  const add = (title: string, media: SamplePost['media'] | SamplePaidAd['creatives'][number]['media']) => {
    for (const { kind, url, width, height } of media)
      if (kind === 'image') pictures.set(url, { address: url, width, height, title })
  }
  for (const { content } of samplePosts(apps, span))
    for (const { author, media } of linesOf<SamplePost>(content)) add(author.name, media)
  for (const { content } of samplePaidAds(apps, span))
    for (const { advertiser, creatives } of linesOf<SamplePaidAd>(content))
      for (const { media } of creatives) add(advertiser.name, media)
  return pictures
}

const linesOf = <Line>(content: string) =>
  content
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** The icons and screenshots of sample apps by path, in any size that an address may end with. */
export function samplePictureOfApp(span: Span): (path: string) => PictureOptions | undefined {
  const names = new Map(sampleApps(span).map((app) => [String(app.storeId), app.names.us]))
  return (path) => {
    const [, art = '', storeId = '', width, height] = artPath.exec(path) ?? []
    const title = names.get(storeId)
    return title === undefined
      ? undefined
      : { address: art, width: Number(width), height: Number(height), title }
  }
}

/** The place of a picture, the app, and the size. */
const artPath = /^(\/apps\/(\d+)\/[\w/-]+)\/([1-9]\d{1,3})x([1-9]\d{1,3})\w*\.\w+$/
