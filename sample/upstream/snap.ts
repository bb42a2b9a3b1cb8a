import { v5 as uuidv5 } from 'uuid'
import { dayText } from '../calendar.ts'
import { adsInLibraries, type SamplePaidAd } from '../paid-ads.ts'
import { json, type UpstreamAnswer, type UpstreamRequest } from './answer.ts'
import type { MadeUpStore } from './made-up-store.ts'

/**
 * What a made-up Snap does: it answers, or refuses as the real one is seen to do, with an error and status 200, with status 429, or
 * with success and no ads.
 */
export type SnapMood = 'answers' | 'E1009' | '429' | 'empty'

/** An ad as Snap's library shows it. */
export type SnapAd = { id: string; paying_advertiser_name: string; status: string } & Record<string, unknown>

const path = '/v1/ads_library/ads'
const pageLength = 10

const success = (more: object) =>
  json(JSON.stringify({ request_status: 'SUCCESS', request_id: 'made-up', ...more }))
const error = (error_code: string, debug_message: string, status = 200) =>
  json(JSON.stringify({ request_status: 'ERROR', request_id: 'made-up', error_code, debug_message }), status)

/** What Snap's ads library answers over some ads; undefined where the request is none of it. */
export function snapAnswer(
  ads: readonly SnapAd[],
  { url, body }: Pick<UpstreamRequest, 'url' | 'body'>,
  mood: SnapMood = 'answers',
): UpstreamAnswer | undefined {
  if (!url.pathname.startsWith(`${path}/`)) return undefined
  if (mood === 'E1009') return error('E1009', 'Too many requests')
  if (mood === '429') return { status: 429, type: 'text/plain', body: 'Too Many\nRequests' }
  if (mood === 'empty') return success({ paging: {}, ad_previews: [] })
  if (url.pathname === `${path}/search`) return searched(ads, url, body)
  const ad = ads.find(({ id }) => url.pathname === `${path}/${id}`)
  return ad ? success({ ad_preview: ad }) : error('E1007', 'Not found', 404)
}

interface Question {
  paying_advertiser_name?: string
  countries?: string[]
  status?: string
  start_date?: string
  end_date?: string
}

/** A part of the name is enough, in any case; a page needs the body of the first one again. */
function searched(ads: readonly SnapAd[], url: URL, body: string): UpstreamAnswer {
  const asked = JSON.parse(body === '' ? '{}' : body) as Question
  const { paying_advertiser_name: name = '', countries = [], status } = asked
  if (name === '') return error('E3024', 'payingAdvertiserName is required')
  const found = ads.filter(
    (ad) =>
      ad.paying_advertiser_name.toLowerCase().includes(name.toLowerCase()) &&
      countries.some((country) => Number((ad.impressions_map as Record<string, number>)?.[country] ?? 0) > 0) &&
      (status === undefined || ad.status === status) &&
      String(ad.start_date) <= (asked.end_date ?? '9'),
  )
  const from = Number(url.searchParams.get('cursor')?.replace('at-', '') ?? 0)
  const end = from + pageLength
  return success({
    paging:
      end < found.length ? { next_link: `https://adsapi.snapchat.com${path}/search?cursor=at-${end}` } : {},
    ad_previews: found.slice(from, end).map((ad_preview) => ({ sub_request_status: 'SUCCESS', ad_preview })),
  })
}

const covered = 'at be bg cy cz de dk ee el es fi fr hr hu ie it lt lu lv mt nl pl pt ro se si sk tr'.split(' ')
const namespace = '3c1f5d0a-7c1e-5f0b-9a56-0d1d4b5c2e77'

/** Some of the sample's advertisers have ads at Snap too. */
export const snapAdsOf = (store: MadeUpStore): SnapAd[] =>
  adsInLibraries(store.sampleApps, store.span, store.today())
    .filter(({ platform, archiveId }) => platform === 'tiktok' && Number(archiveId.slice(-3)) % 20 === 0)
    .map((ad) => snapAd(ad, dayText(store.today())))

function snapAd(ad: SamplePaidAd, today: string): SnapAd {
  const [creative] = ad.creatives
  const [medium] = creative?.media ?? []
  const link = creative?.linkUrl
  const isStore = link?.includes('apps.apple.com')
  return {
    id: uuidv5(ad.archiveId, namespace),
    name: `made-up-${ad.archiveId.slice(-6)}`,
    ad_account_name: `${ad.advertiser.name} EU`,
    status: ad.active ? 'ACTIVE' : 'PAUSED',
    creative_type: isStore ? 'APP_INSTALL' : 'WEB_VIEW',
    ad_type: isStore ? 'APP_INSTALL' : 'REMOTE_WEBPAGE',
    ad_render_type: 'STATIC',
    languages: ad.languages,
    headline: creative?.title ?? '',
    call_to_action: creative?.callToAction.toUpperCase() ?? 'MORE',
    ...(medium && {
      top_snap_media_type: medium.kind.toUpperCase(),
      top_snap_media_download_link: medium.url,
    }),
    start_date: `${ad.startedOn <= today ? ad.startedOn : today}T00:00:00.000Z`,
    impressions_total: 1_000,
    impressions_map: Object.fromEntries(
      covered.map((country) => [country, ad.countries.includes(country) ? 1_000 : 0]),
    ),
    paying_advertiser_name: `${ad.advertiser.name}, Inc.`,
    profile_name: ad.advertiser.name,
    ...(isStore
      ? { app_install_properties: { app_name: ad.advertiser.name, ios_app_url: link } }
      : link
        ? { web_view_properties: { url: link } }
        : {}),
    review_status: 'APPROVED',
    rejection_reasons: [],
  }
}
