import { z } from 'zod'
import type { SeenCreative } from '../../domain/paid-ads/ad.ts'
import type { AdDraft, AdForm } from '../../ingest/ads/ad-draft.ts'
import {
  Address,
  AdRefusal,
  advertiserIdOf,
  archiveIdOf,
  callToActionOf,
  countriesIn,
  dayOf,
  fitting,
  isRecord,
  languageIn,
  mediumAt,
  type ReadMedia,
  requireOneOf,
  Text,
  Texts,
} from '../../ingest/ads/ad-values.ts'
import { carried, type Unreadable, unreadable } from '../../ingest/unreadable.ts'
import type { AdFormat } from '../../vocabulary/ad-fields.ts'

/** What a snap leads to; the kind of ad says which of these it has. Collectors and parts of stories call them previews. */
const Target = z.record(z.string(), z.unknown()).nullish()

const Snap = z.object({
  headline: Text,
  call_to_action: Text,
  top_snap_media_type: Text,
  top_snap_media_download_link: Address.optional(),
  web_view_properties: Target,
  web_view_preview: Target,
  app_install_properties: Target,
  app_install_preview: Target,
  deep_link_properties: Target,
  deep_link_preview: Target,
})
type Snap = z.output<typeof Snap>

const Product = z.object({
  title: Text,
  description: Text,
  link: Address.optional(),
  main_image: z.object({ image_links: z.array(Address).nullish() }).nullish(),
})

/** An ad of Snap's library. Its impressions are not read; where they are told for a country, the ad was shown there. */
const Preview = z.object({
  ...Snap.shape,
  paying_advertiser_name: Text,
  brand_name: Text,
  profile_name: Text,
  status: Text,
  ad_type: Text,
  ad_render_type: Text,
  languages: Texts,
  impressions_map: z.record(z.string(), z.number().nullable()).nullish(),
  composite_preview: z.object({ ad_snaps: z.array(Snap).nullish() }).nullish(),
  dpa_preview: z.object({ items: z.array(Product).nullish() }).nullish(),
})
type Preview = z.output<typeof Preview>

/** Fields that only ads of Snap have. */
const adFields = [
  'paying_advertiser_name',
  'top_snap_media_type',
  'top_snap_media_download_link',
  'ad_account_name',
  'impressions_map',
]

/** An ad of Snap's library: by itself, as its search lists it, or as the answer for one ad holds it. */
export const snapAd: AdForm = {
  label: "Snap's ads library",
  platform: 'snapchat',
  ids: ['id'],
  fields: adFields,
  is: (record) => {
    const ad = previewIn(record)
    return isRecord(record.ad_preview) || ('id' in ad && adFields.some((name) => name in ad))
  },
  read: readSnapAd,
}

/** Creators' posts for sponsors, which the same library lists, are no ads. */
export const snapSponsored: AdForm = {
  is: (record) => 'sponsored_content_preview' in record,
  read: () => {
    throw new AdRefusal(
      'unknown-form',
      "sponsored_content_preview is a creator's post for a sponsor, and no ad.",
    )
  },
}

function previewIn(record: Record<string, unknown>): Record<string, unknown> {
  const ad = record.ad_preview ?? record.adPreview ?? record
  return isRecord(ad) ? inSnakeCase(ad) : record
}

/** Names as some collectors write them, such as `payingAdvertiserName`. */
const inSnakeCase = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, part]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      isRecord(part)
        ? inSnakeCase(part)
        : Array.isArray(part)
          ? part.map((one) => (isRecord(one) ? inSnakeCase(one) : one))
          : part,
    ]),
  )

/** @throws AdRefusal */
function readSnapAd(record: Record<string, unknown>): AdDraft {
  const given = previewIn(record)
  const archiveId = archiveIdOf(given.id, 'id', 'snapchat')
  requireOneOf(given, ['headline', 'status', 'start_date', ...adFields])
  const ad = fitting(Preview, given)
  const payer = ad.paying_advertiser_name
  const status = ad.status?.toUpperCase()
  const active = status ? (statuses.get(status) ?? unreadable) : undefined
  const creatives = creativesOf(ad)
  return {
    platform: 'snapchat',
    archiveId,
    advertiserId: advertiserIdOf('snapchat', payer),
    stated: carried({
      advertiserName: ad.profile_name ?? ad.brand_name ?? payer,
      paidBy: payer ? [payer] : undefined,
      language: languageIn(ad.languages),
      format: formatOf(ad, creatives.length),
      active,
      startedOn: dayOf(given.start_date, 'start_date'),
      // No end is told, only that an ad does not run.
      endedOn: active === true ? null : undefined,
      countries: countriesOf(ad),
    }),
    creatives,
  }
}

const statuses: ReadonlyMap<string, boolean> = new Map([
  ['ACTIVE', true],
  ['PAUSED', false],
])

/** Greece is `el` in the library. */
function countriesOf({ impressions_map }: Preview): string[] | null | undefined | Unreadable {
  const shown = Object.entries(impressions_map ?? {}).filter(([, times]) => (times ?? 0) > 0)
  if (shown.length === 0) return undefined
  return countriesIn(shown.map(([country]) => (country.toLowerCase() === 'el' ? 'gr' : country)))
}

function formatOf(ad: Preview, creatives: number): AdFormat | undefined | Unreadable {
  const type = ad.top_snap_media_type?.toUpperCase()
  if (type === 'DYNAMIC' || ad.ad_render_type?.toUpperCase() === 'DYNAMIC') return 'dynamic'
  if (creatives > 1) return 'carousel'
  return type === 'VIDEO' ? 'video' : type === 'IMAGE' ? 'image' : type ? unreadable : undefined
}

/** The snaps of a story or the products of a dynamic ad, where there are any, else the ad itself. */
function creativesOf(ad: Preview): SeenCreative[] {
  const snaps = ad.composite_preview?.ad_snaps ?? []
  const products = ad.dpa_preview?.items ?? []
  if (snaps.length > 0)
    return snaps.map((snap) =>
      carried(
        snapCreative({
          ...snap,
          headline: snap.headline ?? ad.headline,
          call_to_action: snap.call_to_action ?? ad.call_to_action,
        }),
      ),
    )
  const own = snapCreative(ad)
  if (products.length === 0) return [carried(own)]
  return products.map(({ title, description, link, main_image }) => {
    const [picture] = main_image?.image_links ?? []
    return carried({
      ...own,
      title: title ?? own.title,
      description,
      linkUrl: link ?? own.linkUrl,
      media: picture ? [mediumAt('image', picture)] : own.media,
    })
  })
}

function snapCreative(snap: Snap) {
  return {
    title: snap.headline,
    linkUrl: linkOf(snap),
    callToAction: callToActionOf(snap.call_to_action),
    callToActionText: snap.call_to_action,
    media: mediaOf(snap),
  }
}

function mediaOf({ top_snap_media_type, top_snap_media_download_link: url }: Snap): ReadMedia | undefined {
  if (url === undefined || url === null) return undefined
  const type = top_snap_media_type?.toUpperCase()
  return type === 'VIDEO' ? [mediumAt('video', url)] : type === 'IMAGE' ? [mediumAt('image', url)] : undefined
}

/** The page an ad leads to, else that of its app in the App Store, else in Google Play. */
function linkOf(snap: Snap): z.output<typeof Address> {
  const page = snap.web_view_properties ?? snap.web_view_preview
  if (page?.url) return Address.parse(page.url)
  const app = snap.app_install_properties ?? snap.app_install_preview
  const deep = snap.deep_link_properties ?? snap.deep_link_preview
  const told = Object.entries({ ...deep, ...app }).filter(([name]) => !/icon|media|image|logo/i.test(name))
  const addresses = told.flatMap(([, value]) =>
    typeof value === 'string' && /^https?:/i.test(value) ? value : [],
  )
  const store = addresses.find((one) => /^https?:\/\/(?:apps|itunes)\.apple\.com\//i.test(one))
  const iosId = told.find(
    ([name, value]) => /^(?:ios|apple)_app_id$/.test(name) && /^\d{6,19}$/.test(String(value)),
  )
  const address = store ?? (iosId ? `https://apps.apple.com/app/id${iosId[1]}` : addresses[0])
  return address === undefined ? undefined : Address.parse(address)
}
