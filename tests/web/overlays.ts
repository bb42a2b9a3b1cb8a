import type { Locator, Page } from 'playwright-core'
import { sampleIds } from './support/sample-ids.ts'
import type { Device } from './support/visitor.ts'

/** Something that opens over a page. */
export interface Overlay {
  name: string
  path: string
  /** What has the focus before it opens, and after it is closed. */
  opener: (page: Page) => Locator
  /** The keys that open it. */
  keys?: readonly string[]
  /** A choice in a menu that leads on to it, or typing in it. */
  next?: (page: Page) => Promise<unknown>
  shown: (page: Page) => Locator
  /** Whether the focus goes into it, or stays at what opened it. */
  focus?: 'inside' | 'stays'
  devices?: readonly Device[]
}

const { app, trackedApp, ad, post } = sampleIds
const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first()
const dialog = (name: string | RegExp) => (page: Page) => page.getByRole('dialog', { name })
const anyMenu = (page: Page) => page.getByRole('menu')
const anyList = (page: Page) => page.getByRole('listbox')

const dialogs: readonly Overlay[] = [
  {
    name: 'the palette',
    path: '/settings',
    opener: button('Search or jump to'),
    shown: dialog('Search or jump to'),
    next: (page) => page.keyboard.type('budget'),
  },
  {
    name: 'the help',
    path: '/settings',
    opener: button('Theme'),
    keys: ['?'],
    shown: dialog('Help'),
  },
  {
    name: 'signing out everywhere',
    path: '/settings',
    opener: button(/^Sign out everywhere/),
    shown: dialog('Sign out everywhere'),
  },
  { name: 'making a key', path: '/settings', opener: button(/^New key/), shown: dialog('New API key') },
  { name: 'rotating a key', path: '/settings', opener: button(/^Rotate /), shown: dialog(/^Rotate /) },
  { name: 'revoking a key', path: '/settings', opener: button(/^Revoke /), shown: dialog(/^Revoke /) },
  { name: 'tracking an app', path: '/aso', opener: button(/^Add app/), shown: dialog('Add app') },
  {
    name: 'ending the tracking of an app',
    path: '/aso',
    opener: button(/^Actions for/),
    next: (page) => page.getByRole('menuitem', { name: /^Stop tracking/ }).press('Enter'),
    shown: dialog('Stop tracking?'),
  },
  {
    name: 'adding keywords',
    path: `/aso/${trackedApp}`,
    opener: button(/^Add keywords/),
    shown: dialog('Add keywords'),
  },
  {
    name: 'asking for data',
    path: `/apps/${app}/requests`,
    opener: button(/^Request /),
    shown: dialog('Request data'),
  },
  {
    name: 'a picture of a listing',
    path: `/apps/${app}/media`,
    opener: (page) => page.getByRole('link', { name: /^Enlarge / }).first(),
    shown: dialog(/./),
  },
  {
    name: 'linking an ad',
    path: `/creatives/ads/${ad}`,
    opener: button(/^Link…/),
    shown: dialog('Link to an app'),
  },
  {
    name: 'making a transcript',
    path: `/creatives/ads/${ad}`,
    opener: button(/^(?:Create transcript|Redo)…/),
    shown: dialog(/^(?:Create|Redo) /),
  },
  {
    name: 'exporting what is saved',
    path: '/creatives/saved',
    opener: button(/^Export/),
    shown: dialog(/^Export/),
  },
]

const menus: readonly Overlay[] = [
  { name: 'the menu of the account', path: '/settings', opener: button('demo'), shown: anyMenu },
  { name: 'the menu of a tracked app', path: '/aso', opener: button(/^Actions for/), shown: anyMenu },
  { name: 'the menu of tracking', path: `/apps/${app}`, opener: button(/^Track/), shown: anyMenu },
  { name: 'the menu of exports', path: `/creatives/ads/${ad}`, opener: button('Export'), shown: anyMenu },
]

const lists: readonly Overlay[] = [
  {
    name: 'the list of storefronts',
    path: '/charts',
    opener: (page) => page.getByRole('combobox', { name: 'Storefront' }),
    keys: ['ArrowDown'],
    shown: anyList,
    focus: 'stays',
  },
  { name: 'a list to choose one of', path: '/charts', opener: button(/Chart$/), shown: anyList },
  {
    name: 'a list to choose some of',
    path: '/creatives/ads',
    opener: button(/Format$/),
    shown: anyList,
    devices: ['desktop'],
  },
  {
    name: 'the list of apps found while typing',
    path: '/creatives/ads',
    opener: (page) => page.getByRole('combobox', { name: 'Apps' }),
    keys: ['t', 'a', 'l', 'l', 'y'],
    next: (page) => page.getByRole('option').first().waitFor(),
    shown: anyList,
    focus: 'stays',
    devices: ['desktop'],
  },
]

/** Where a value comes from, told while it has the focus. */
const provenance = [`/apps/${app}`, `/creatives/posts/${post}`].map(
  (path): Overlay => ({
    name: `the provenance of a value of ${path}`,
    path,
    opener: (page) => page.locator('main [data-provenance][tabindex="0"]').first(),
    keys: [],
    shown: (page) => page.getByRole('tooltip'),
    focus: 'stays',
  }),
)

export const overlays: readonly Overlay[] = [...dialogs, ...menus, ...lists, ...provenance]

/** Those that only an account of its own has: of what it saved, and of an import it ran. */
export const overlaysOfOwner = (runId: string): readonly Overlay[] => [
  {
    name: 'note and tags of what is saved',
    path: '/creatives/saved',
    opener: button('Edit note and tags'),
    shown: dialog('Note and tags'),
  },
  {
    name: 'withdrawing an import',
    path: `/admin/imports/${runId}`,
    opener: button(/^Withdraw…/),
    shown: dialog('Withdraw this import?'),
  },
]

/** Parts of pages that unfold in their place. */
export const unfolding: readonly { name: string; path: string; summary: (page: Page) => Locator }[] = [
  { name: 'all filters of ads', path: '/creatives/ads', summary: button('More filters') },
  { name: 'all filters of posts', path: '/creatives/posts', summary: button('More filters') },
  { name: 'scores of past days', path: '/emerging', summary: (page) => page.locator('main summary').first() },
]
