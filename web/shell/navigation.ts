import {
  Bell,
  ChartNoAxesColumn,
  Clapperboard,
  House,
  type IconComponent,
  Rocket,
  Search,
  Settings,
  ShieldCheck,
  Target,
} from '../ui/icons.ts'

/** The areas of the workstation, in the order of the sidebar. */
export interface Area {
  name: string
  /** Where the name has no room: at the foot of a phone's screen. */
  shortName?: string
  to: '/' | '/apps' | '/charts' | '/emerging' | '/creatives/ads' | '/aso' | '/alerts' | '/admin' | '/settings'
  /** Addresses below it that belong to the area too. */
  under: string
  icon: IconComponent
  /** Shows what it has of all storefronts; the one chosen in the header does not apply. */
  ofAllStorefronts?: true
  /** Pressed after g. */
  key: string
  hint: string
}

export const areas: readonly Area[] = [
  { name: 'Home', to: '/', under: '/', icon: House, key: 'h', hint: 'Latest changes and data status' },
  {
    name: 'Competitors',
    shortName: 'Apps',
    to: '/apps',
    under: '/apps',
    icon: Search,
    key: 'c',
    hint: 'Search, track and compare apps',
  },
  {
    name: 'Charts',
    to: '/charts',
    under: '/charts',
    icon: ChartNoAxesColumn,
    key: 't',
    hint: 'Top charts by storefront and category',
  },
  {
    name: 'Emerging',
    shortName: 'Rising',
    to: '/emerging',
    under: '/emerging',
    icon: Rocket,
    key: 'e',
    hint: 'New and fast-rising apps',
  },
  {
    name: 'Creatives',
    shortName: 'Ads',
    to: '/creatives/ads',
    under: '/creatives',
    icon: Clapperboard,
    ofAllStorefronts: true,
    key: 'l',
    hint: 'Ads and organic posts',
  },
  {
    name: 'ASO',
    to: '/aso',
    under: '/aso',
    icon: Target,
    key: 'a',
    hint: 'Keywords, keyword gap and listing plans',
  },
  {
    name: 'Alerts',
    to: '/alerts',
    under: '/alerts',
    icon: Bell,
    ofAllStorefronts: true,
    key: 'w',
    hint: 'Watches, channels and weekly report',
  },
  {
    name: 'Admin',
    to: '/admin',
    under: '/admin',
    icon: ShieldCheck,
    ofAllStorefronts: true,
    key: 'd',
    hint: 'Imports, ad links, requests and sources',
  },
  {
    name: 'Settings',
    to: '/settings',
    under: '/settings',
    icon: Settings,
    ofAllStorefronts: true,
    key: 's',
    hint: 'Theme, API keys and sessions',
  },
]

/** Whether an address belongs to an area. */
export const isInArea = ({ under }: Area, path: string): boolean =>
  under === '/' ? path === '/' : path === under || path.startsWith(`${under}/`)
