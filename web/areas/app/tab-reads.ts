import type { LocalizationCode } from '../../../src/vocabulary/storefronts.ts'
import { read, readPages } from '../../api/operations.ts'
import { readTogether } from '../../api/read-together.ts'
import type { Country } from '../../evidence/shapes.ts'
import type { AdsSearch, PostsSearch, RequestsSearch } from './choices.ts'

/** The queries of the tabs, started by their routes while the code loads. */

export const similarAppsQueryOf = (storeId: string, country: Country) =>
  read('get_similar_competitors', { storeId, country, limit: 50 })

export const mediaQueryOf = (storeId: string, country: Country) =>
  read('get_competitor_media', { storeId, country })

export const listingQueryOf = (storeId: string, country: Country) =>
  read('get_competitor_aso', { storeId, country })

export const localizationQueryOf = (storeId: string, country: Country, language: LocalizationCode) =>
  readTogether('get_competitor', { storeId, country, language })

export const postsQueryOf = (storeId: string, { network, media, sort = 'recent' }: PostsSearch) =>
  readPages('get_competitor_organic', {
    storeId,
    sort,
    ...(network ? { network: [network] } : {}),
    ...(media ? { mediaType: [media] } : {}),
  })

export const adsQueryOf = (storeId: string, { platform, format, active, sort = 'recent' }: AdsSearch) =>
  readPages('search_paid_ads', {
    competitor: [storeId],
    sort,
    limit: 50,
    ...(platform ? { platform } : {}),
    ...(format ? { format: [format] } : {}),
    ...(active ? { active: active === 'yes' } : {}),
  })

export const requestsQueryOf = (storeId: string, { status, kind }: RequestsSearch) =>
  readPages('list_competitor_data_requests', {
    storeId,
    limit: 100,
    ...(status ? { status } : {}),
    ...(kind ? { kind } : {}),
  })
