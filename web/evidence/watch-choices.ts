import type { AdPlatform } from '../../src/vocabulary/ad-platforms.ts'
import type { ChartKind } from '../../src/vocabulary/chart-kinds.ts'
import type { Device } from '../../src/vocabulary/devices.ts'
import type { Watch, Whose } from '../api/watches.ts'
import type { Country } from './shapes.ts'
import { overallCategory } from './words.ts'

const places = [3, 10, 50]
const by = 10

interface Choice {
  label: string
  watch: (whose: Whose) => Watch
}

/** What can be watched of apps: one, or a group. @param app a group is chosen later when left out */
export const watchesOfApps = (country: Country, app?: string): readonly Choice[] => {
  const of = (make: (app: Whose) => Watch) => (whose: Whose) => make(app ?? whose)
  return [
    {
      label: 'Charts: enters or leaves the top 3, 10 or 50',
      watch: of((one) => ({ kind: 'top', app: one, country, in: 'charts', places })),
    },
    {
      label: `Charts: moves ${by} places or more`,
      watch: of((one) => ({ kind: 'moved', app: one, country, in: 'charts', by })),
    },
    {
      label: 'Tracked keywords: enters or leaves the top 3, 10 or 50',
      watch: of((one) => ({ kind: 'top', app: one, country, in: 'keywords', places })),
    },
    { label: 'Listing changes', watch: of((one) => ({ kind: 'listing', app: one, country })) },
    { label: 'New version', watch: of((one) => ({ kind: 'release', app: one, country })) },
    { label: 'Ad starts or ends', watch: of((one) => ({ kind: 'ads', app: one })) },
    {
      label: 'Removed from the App Store, or back',
      watch: of((one) => ({ kind: 'availability', app: one, country })),
    },
  ]
}

/** What of an account can be watched beside apps. */
export const watchesOfAccount = (country: Country): readonly Choice[] => [
  { label: 'Emerging app found', watch: () => ({ kind: 'emerging', country }) },
  { label: 'Ad import finishes', watch: () => ({ kind: 'import' }) },
  { label: 'Source fails for 24 hours', watch: () => ({ kind: 'source', hours: 24 }) },
]

export const watchesOfKeyword = (country: Country, term: string): readonly Choice[] => {
  const ranking = { country, in: 'keywords', term } as const
  return [
    {
      label: 'Enters or leaves the top 3, 10 or 50',
      watch: (app) => ({ kind: 'top', app, ...ranking, places }),
    },
    { label: `Moves ${by} places or more`, watch: (app) => ({ kind: 'moved', app, ...ranking, by }) },
    { label: 'Enters or leaves the search results', watch: (app) => ({ kind: 'chart', app, ...ranking }) },
  ]
}

export const watchesOfChart = ({
  country,
  chart,
  categoryId,
  device,
}: {
  country: Country
  chart: ChartKind
  categoryId: string
  device: Device
}): readonly Choice[] => {
  const category = Number(categoryId)
  const ranking = { country, in: 'charts', chart, category, device } as const
  return [
    {
      label: 'Enters or leaves the top 3, 10 or 50',
      watch: (app) => ({ kind: 'top', app, ...ranking, places }),
    },
    { label: `Moves ${by} places or more`, watch: (app) => ({ kind: 'moved', app, ...ranking, by }) },
    { label: 'Enters or leaves the chart', watch: (app) => ({ kind: 'chart', app, ...ranking }) },
    {
      label: 'Emerging app found in this category, tracked or not',
      watch: () => ({
        kind: 'emerging',
        country,
        ...(categoryId === overallCategory ? {} : { category }),
      }),
    },
  ]
}

export const watchesOfAdvertiser = (platform: AdPlatform, advertiserId: string): readonly Choice[] => [
  {
    label: 'Ad starts or ends, for any app',
    watch: () => ({ kind: 'ads', advertiser: `${platform}/${advertiserId}` }),
  },
]
