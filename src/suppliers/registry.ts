import type { AdForm } from '../ingest/ads/ad-draft.ts'
import type { PostForm } from '../ingest/posts/post-draft.ts'
import type { AdPlatform } from '../vocabulary/ad-platforms.ts'
import type { PostFormName } from '../vocabulary/networks.ts'
import type { AdLibrary, LibraryPage, LibraryParts } from './ad-library.ts'
import { instagramCollected, instagramItem, instagramMedia } from './instagram/posts.ts'
import { metaPage, openMetaLibrary } from './meta/archive.ts'
import { metaArchiveAd } from './meta/archive-ad.ts'
import { metaWebAd } from './meta/web-ad.ts'
import { reddit } from './reddit/posts.ts'
import { tiktokLibraryAd } from './tiktok/ad-library.ts'
import { tiktokMaterial } from './tiktok/creative-center.ts'
import { openTiktokLibrary, tiktokPage } from './tiktok/library.ts'
import { tiktokAweme, tiktokCollected, tiktokItem } from './tiktok/posts.ts'
import { youtube, youtubeTrending } from './youtube/posts.ts'

/** What the folders of suppliers do, by the names that their rows in `src/vocabulary/suppliers.ts` give. */

/** Forms of posts, in the order in which they are tried. */
export const postForms: Readonly<Record<PostFormName, readonly PostForm[]>> = {
  tiktok: [tiktokCollected, tiktokAweme, tiktokItem],
  reddit: [reddit],
  youtube: [youtube],
  'youtube-trending': [youtubeTrending],
  instagram: [instagramCollected, instagramItem, instagramMedia],
}

/** Where answers and collectors keep their lists of posts. */
export const postLists: readonly string[] = [
  'data.children',
  'data.videos',
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
]

/** Forms of ads, in the order in which they are tried. */
export const adForms: readonly AdForm[] = [metaWebAd, tiktokLibraryAd, tiktokMaterial, metaArchiveAd]

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
  'ads',
  'materials',
  'items',
]

interface LibraryCode {
  /** Reads a page of it. @throws UnfitPayload */
  pageOf(document: unknown): LibraryPage
  open(parts: LibraryParts): AdLibrary
}

export const libraries: Readonly<Record<AdPlatform, LibraryCode>> = {
  meta: { pageOf: metaPage, open: openMetaLibrary },
  tiktok: { pageOf: tiktokPage, open: openTiktokLibrary },
}
