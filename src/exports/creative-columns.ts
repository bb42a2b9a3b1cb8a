import type { z } from 'zod'
import type { OrganicPost } from '../contract/shapes/organic.ts'
import type { PaidAd } from '../contract/shapes/paid-ads.ts'
import { type Column, evidence, fact, numberFact, plain, score } from './columns.ts'

export type Post = z.output<typeof OrganicPost>
export type Ad = z.output<typeof PaidAd>

/** Ads with several cards or variants have a row for each; an ad without any has one row. */
export interface AdRow {
  ad: Ad
  creative: Ad['creatives'][number] | undefined
}

export function adRows(ad: Ad): AdRow[] {
  const { creatives } = ad
  return creatives.length === 0
    ? [{ ad, creative: undefined }]
    : creatives.map((creative) => ({ ad, creative }))
}

export const postColumns: Column<Post>[] = [
  ...plain<Post>('postId', (post) => post.postId),
  ...plain<Post>('network', (post) => post.network),
  ...plain<Post>('url', (post) => post.url),
  ...plain<Post>('author', (post) => post.author.handle),
  ...fact<Post>('authorName', (post) => post.author.name),
  ...numberFact<Post>('followers', (post) => post.author.followers),
  ...fact<Post>('community', (post) => post.community),
  ...fact<Post>('title', (post) => post.title),
  ...fact<Post>('text', (post) => post.text),
  ...fact<Post>('linkUrl', (post) => post.linkUrl),
  ...fact<Post>('language', (post) => post.language),
  ...fact<Post>('hashtags', (post) => post.hashtags),
  ...fact<Post>('publishedAt', (post) => post.publishedAt),
  ...fact<Post>('mediaType', (post) => post.mediaType),
  ...numberFact<Post>('views', (post) => post.metrics.views),
  ...numberFact<Post>('likes', (post) => post.metrics.likes),
  ...numberFact<Post>('comments', (post) => post.metrics.comments),
  ...numberFact<Post>('shares', (post) => post.metrics.shares),
  ...numberFact<Post>('saves', (post) => post.metrics.saves),
  ...score<Post>('engagementRate', (post) => post.engagementRate),
  ...score<Post>('outlierScore', (post) => post.outlierScore),
  ...mediaColumns<Post>((post) => post),
  ...commonColumns<Post>((post) => post),
]

export const adColumns: Column<AdRow>[] = [
  ...plain<AdRow>('platform', ({ ad }) => ad.platform),
  ...plain<AdRow>('archiveId', ({ ad }) => ad.archiveId),
  ...plain<AdRow>('libraryUrl', ({ ad }) => ad.libraryUrl),
  ...plain<AdRow>('advertiserId', ({ ad }) => ad.advertiser.advertiserId),
  ...fact<AdRow>('advertiser', ({ ad }) => ad.advertiser.name),
  ...fact<AdRow>('paidBy', ({ ad }) => ad.advertiser.paidBy),
  ...fact<AdRow>('beneficiaries', ({ ad }) => ad.advertiser.beneficiaries),
  ...fact<AdRow>('format', ({ ad }) => ad.format),
  ...fact<AdRow>('language', ({ ad }) => ad.language),
  ...fact<AdRow>('active', ({ ad }) => ad.active),
  ...fact<AdRow>('deliveryStartedOn', ({ ad }) => ad.deliveryStartedOn),
  ...fact<AdRow>('deliveryEndedOn', ({ ad }) => ad.deliveryEndedOn),
  ...score<AdRow>('daysRunning', ({ ad }) => ad.daysRunning),
  ...plain<AdRow>('daysRunningRelation', ({ ad }) =>
    ad.daysRunning.state === 'measured' ? ad.daysRunning.relation : '',
  ),
  ...numberFact<AdRow>('reach', ({ ad }) => ad.reachText),
  ...fact<AdRow>('countries', ({ ad }) => ad.countries),
  ...fact<AdRow>('publisherPlatforms', ({ ad }) => ad.publisherPlatforms),
  ...plain<AdRow>('transcriptState', ({ ad }) => ad.transcriptState),
  ...plain<AdRow>('analysisState', ({ ad }) => ad.analysisState),
  ...plain<AdRow>('creativeId', ({ creative }) => creative?.creativeId),
  ...plain<AdRow>('position', ({ creative }) => creative?.position),
  ...plain<AdRow>('current', ({ creative }) => creative?.current),
  ...fact<AdRow>('title', ({ creative }) => creative?.title),
  ...fact<AdRow>('body', ({ creative }) => creative?.body),
  ...fact<AdRow>('description', ({ creative }) => creative?.description),
  ...fact<AdRow>('displayLink', ({ creative }) => creative?.displayLink),
  ...fact<AdRow>('landingUrl', ({ creative }) => creative?.linkUrl),
  ...fact<AdRow>('callToAction', ({ creative }) => creative?.callToAction),
  ...mediaColumns<AdRow>(({ creative }) => creative),
  ...commonColumns<AdRow>(({ ad }) => ad),
  ...plain<AdRow>('broughtBy', ({ ad }) => ad.evidence.map(bringer)),
  ...plain<AdRow>('linkBroughtBy', ({ ad }) => ad.links.map(({ grounds }) => bringer(grounds[0]))),
]

/** Whether the exporting account or another one imported the item itself, and through which interface; empty where none did. */
const bringer = (of: { broughtBy?: Ad['evidence'][number]['broughtBy'] } | undefined) =>
  of?.broughtBy ? `${of.broughtBy.account} ${of.broughtBy.door}` : ''

function mediaColumns<Row>(of: (row: Row) => Pick<Post, 'media' | 'mediaStatus'> | undefined): Column<Row>[] {
  return [
    ...plain<Row>('mediaStatus', (row) => of(row)?.mediaStatus.status),
    ...plain<Row>('mediaUrls', (row) =>
      of(row)?.media.flatMap(({ sourceUrl }) => (sourceUrl === null ? [] : [sourceUrl])),
    ),
    ...plain<Row>('keptMedia', (row) =>
      of(row)?.media.flatMap(({ kept }) => (kept.status === 'stored' ? [kept.sha256] : [])),
    ),
  ]
}

type Creative = Pick<
  Post,
  'evidence' | 'links' | 'firstObservedAt' | 'lastObservedAt' | 'observationCount' | 'saved'
>

/** Linked apps with the strongest attribution of each, observations with their evidence, and the account's notes from saving. */
function commonColumns<Row>(of: (row: Row) => Creative): Column<Row>[] {
  return [
    ...plain<Row>('firstObservedAt', (row) => of(row).firstObservedAt),
    ...plain<Row>('lastObservedAt', (row) => of(row).lastObservedAt),
    ...plain<Row>('observations', (row) => of(row).observationCount),
    ...evidence<Row>((row) => of(row).evidence),
    ...plain<Row>('linkedApps', (row) => of(row).links.map(({ app }) => app.storeId)),
    ...plain<Row>('linkGrounds', (row) => of(row).links.map(({ grounds }) => grounds[0]?.kind ?? '')),
    ...plain<Row>('savedAt', (row) => of(row).saved?.savedAt),
    ...plain<Row>('savedNote', (row) => of(row).saved?.note),
    ...plain<Row>('savedTags', (row) => of(row).saved?.tags),
  ]
}
