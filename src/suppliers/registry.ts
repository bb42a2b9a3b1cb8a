import type { AdForm } from '../ingest/ads/ad-draft.ts'
import type { Around, PostForm } from '../ingest/posts/post-draft.ts'
import type { AskedPlatform } from '../vocabulary/ad-platforms.ts'
import type { PostFormName } from '../vocabulary/networks.ts'
import type { AdLibrary, LibraryPage, LibraryParts } from './ad-library.ts'
import { applePage, isAppleAnswer, openAppleLibrary } from './apple/ad-repository.ts'
import { appleRepositoryAd } from './apple/ad-repository-ad.ts'
import { googleAd, googleAdvertisers } from './google/ad.ts'
import { instagramNode, instagramUser, otherInstaloaderRecord } from './instagram/nodes.ts'
import { instagramCollected, instagramItem, instagramMedia, instagramProfile } from './instagram/posts.ts'
import { metaPage, openMetaLibrary } from './meta/archive.ts'
import { metaArchiveAd } from './meta/archive-ad.ts'
import { metaLibraryReport } from './meta/library-report.ts'
import { metaWebAd } from './meta/web-ad.ts'
import { capturedPost } from './own-files/captured-post.ts'
import { downloadedPost } from './own-files/downloaded-post.ts'
import { foreplayAd } from './own-files/foreplay-ad.ts'
import { reddit } from './reddit/posts.ts'
import { snapAd, snapSponsored } from './snapchat/ad.ts'
import { openSnapLibrary, snapPage } from './snapchat/library.ts'
import { tiktokLibraryAd } from './tiktok/ad-library.ts'
import { tiktokMaterial } from './tiktok/creative-center.ts'
import { openTiktokLibrary, tiktokPage } from './tiktok/library.ts'
import { tiktokAweme, tiktokCollected, tiktokItem } from './tiktok/posts.ts'
import { tiktokRelayed, tiktokRow } from './tiktok/relayed-posts.ts'
import { tiktokWebAd } from './tiktok/web-ad.ts'
import { xAnswer, xApiPost, xCollected, xServed, xStatus } from './x/posts.ts'
import { youtube, youtubeCollected, youtubeTrending } from './youtube/posts.ts'

/** What the folders of suppliers do, by the names that their rows in `src/vocabulary/suppliers.ts` give. */

/** Forms of posts, in the order in which they are tried. */
export const postForms: Readonly<Record<PostFormName, readonly PostForm[]>> = {
  'yt-dlp': [downloadedPost],
  // The id of a file stands where apps have that of the post, so what relays come first.
  tiktok: [tiktokCollected, tiktokRelayed, tiktokAweme, tiktokItem, tiktokRow],
  reddit: [reddit],
  youtube: [youtube, youtubeCollected],
  'youtube-trending': [youtubeTrending],
  instagram: [instagramCollected, instagramNode, instagramItem, instagramMedia],
  x: [xApiPost, xStatus, xCollected, xServed],
}

/** Posts with what stands around them, or why there are none; undefined for any other record. */
export type PostAnswer = (record: object) => { around: Around; posts: unknown } | string | undefined

/** Answers that tell of their posts beside them, and what is saved beside posts, in the order in which they are tried. */
export const postAnswers: readonly PostAnswer[] = [
  instagramProfile,
  instagramUser,
  otherInstaloaderRecord,
  xAnswer,
  capturedPost,
]

/** Where answers and collectors keep their lists of posts. */
export const postLists: readonly string[] = [
  'data.children',
  'data.videos',
  'data.user',
  'data.shortcode_media',
  'data.xdt_shortcode_media',
  'data.hashtag.edge_hashtag_to_media.edges',
  'data.xdt_api__v1__feed__user_timeline_graphql_connection.edges',
  'graphql.user',
  'graphql.shortcode_media',
  'graphql.hashtag.edge_hashtag_to_media.edges',
  'collector',
  'items',
  'itemList',
  'item_list',
  'aweme_list',
  'posts',
  'results',
  'videos',
  'data',
  'media.data',
  'statuses',
  'tweets',
  'tweet',
  'entries',
  'edges',
  'node',
]

/** Forms of ads, in the order in which they are tried. */
export const adForms: readonly AdForm[] = [
  metaWebAd,
  appleRepositoryAd,
  snapAd,
  snapSponsored,
  googleAd,
  tiktokLibraryAd,
  tiktokMaterial,
  tiktokWebAd,
  foreplayAd,
  metaArchiveAd,
]

/** Answers that say something of their ads around the list; others are read as lists. */
export const adAnswers: readonly {
  is(document: Record<string, unknown>): boolean
  /** @throws UnfitPayload */
  pageOf(document: unknown): LibraryPage
}[] = [{ is: isAppleAnswer, pageOf: applePage }]

/** Tables of libraries that hold no ads, and what they are instead. */
export const tablesWithoutAds: readonly { is(columns: readonly string[]): boolean; reason: string }[] = [
  metaLibraryReport,
  googleAdvertisers,
]

/** Keys under which answers hold their ads, the innermost last. */
export const adLists: readonly string[] = [
  'data',
  'payload',
  'ad_library_main',
  'search_results_connection',
  'edges',
  'node',
  'collated_results',
  'results',
  'searchResults',
  'ad_previews',
  'ads',
  'ad_creatives',
  'materials',
  'items',
]

interface LibraryCode {
  /** Reads a page of it. @throws UnfitPayload */
  pageOf(document: unknown): LibraryPage
  open(parts: LibraryParts): AdLibrary
}

export const libraries: Readonly<Record<AskedPlatform, LibraryCode>> = {
  meta: { pageOf: metaPage, open: openMetaLibrary },
  tiktok: { pageOf: tiktokPage, open: openTiktokLibrary },
  snapchat: { pageOf: snapPage, open: openSnapLibrary },
  apple: { pageOf: applePage, open: openAppleLibrary },
}
