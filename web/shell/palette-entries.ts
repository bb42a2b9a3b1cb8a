import { rivalChoicesOf, rolesOf } from '../evidence/roles.ts'
import type { AppSummary, Country, TrackedAppSummary } from '../evidence/shapes.ts'

/** An app that actions are about: tracked in the storefront, or not. */
export interface Subject {
  storeId: string
  country: Country
  name: string
  tracked: TrackedAppSummary | undefined
}

/** What the palette can do with an app. */
export interface PaletteAction {
  id: string
  does: 'track' | 'refresh' | 'go'
  /** Of what `track` makes of the app. */
  as?: { role: TrackedAppSummary['role']; rivalOf?: string | null }
  /** Before the name of the app. */
  verb: string
  subject: Subject
}

const verbs = ['track', 'watch', 'refresh', 'go to', 'go', 'open'] as const

/** What is typed: the verb that it begins with, if any, and what it is about. */
export function wishOf(typed: string): { verb: string | undefined; about: string } {
  const text = typed.trim().replaceAll(/\s+/g, ' ')
  const lower = text.toLowerCase()
  const verb = verbs.find((one) => lower === one || lower.startsWith(`${one} `))
  return {
    verb: verb && (verb === 'go' || verb === 'open' ? 'go to' : verb),
    about: verb ? text.slice(verb.length).trim() : text,
  }
}

/** Tracked apps that fit, of this storefront first; all of them where nothing is typed. */
export function trackedThatFit(
  tracked: readonly TrackedAppSummary[],
  about: string,
  country: Country,
): TrackedAppSummary[] {
  const needle = about.toLowerCase()
  const fits = tracked.filter(({ app }) => (app.name ?? app.storeId).toLowerCase().includes(needle))
  const here = (one: TrackedAppSummary) => (one.country === country ? 0 : 1)
  return fits.toSorted((one, other) => here(one) - here(other)).slice(0, 5)
}

/**
 * Actions on an app.
 * @param mayWrite whether the session may change anything
 * @param apps what the account tracks; undefined until it is read, when nobody knows as what an app can be tracked
 */
export function actionsOn(
  subject: Subject,
  mayWrite: boolean,
  apps: readonly TrackedAppSummary[] | undefined,
): PaletteAction[] {
  const { tracked, storeId, country } = subject
  const action = (does: PaletteAction['does'], verb: string, id: string = does): PaletteAction => ({
    id: `do:${id}:${country}:${storeId}`,
    does,
    verb,
    subject,
  })
  if (tracked) return [...(mayWrite ? [action('refresh', 'Refresh')] : []), action('go', 'Go to keywords of')]
  if (!mayWrite || !apps) return []
  return rolesOf(rivalChoicesOf(apps, country, storeId)).map(({ id, toTrack, ...as }) => ({
    ...action('track', `${toTrack}:`, id),
    as,
  }))
}

/** Whether an action fits the verb that is typed; every action does where none is. */
export const fitsVerb = ({ verb }: PaletteAction, typed: string | undefined): boolean =>
  typed === undefined || verb.toLowerCase().startsWith(typed === 'watch' ? 'add to watchlist' : typed)

export const subjectOfTracked = (tracked: TrackedAppSummary): Subject => ({
  storeId: tracked.app.storeId,
  country: tracked.country,
  name: tracked.app.name ?? `App ${tracked.app.storeId}`,
  tracked,
})

export const subjectOfFound = ({ storeId, name }: AppSummary, country: Country): Subject => ({
  storeId,
  country,
  name,
  tracked: undefined,
})

/** Pages below those of the sidebar, for who knows their name. */
const pagesBelow = [
  { name: 'Getting started', to: '/start', area: 'Home' },
  { name: 'Compare apps', to: '/apps/compare', area: 'Competitors' },
  { name: 'Compare two chart days', to: '/charts/compare', area: 'Charts' },
  { name: 'Chart heat map', to: '/charts/heatmap', area: 'Charts' },
  { name: 'Organic posts', to: '/creatives/posts', area: 'Creatives' },
  { name: 'Saved creatives', to: '/creatives/saved', area: 'Creatives' },
  { name: 'Ad timeline', to: '/creatives/timeline', area: 'Creatives' },
  { name: 'Alert channels', to: '/alerts/channels', area: 'Alerts' },
  { name: 'Alert history', to: '/alerts/history', area: 'Alerts' },
  { name: 'Weekly report', to: '/alerts/report', area: 'Alerts' },
  { name: 'Import ads', to: '/admin/import', area: 'Admin' },
  { name: 'Import history', to: '/admin/imports', area: 'Admin' },
  { name: 'Imported files', to: '/admin/files', area: 'Admin' },
  { name: 'Ad links', to: '/admin/links', area: 'Admin' },
  { name: 'Requests', to: '/admin/requests', area: 'Admin' },
  { name: 'Collect now, schedule', to: '/admin/collecting', area: 'Admin' },
  { name: 'Sources', to: '/admin/sources', area: 'Admin' },
] as const

export interface PalettePage {
  name: string
  to: string
  hint: string
}

/** Pages that fit; where nothing is typed, those of the sidebar. */
export function pagesThatFit(areas: readonly PalettePage[], about: string): PalettePage[] {
  const needle = about.toLowerCase()
  const below = pagesBelow.map(({ name, to, area }) => ({ name, to, hint: area }))
  return [...areas, ...(needle === '' ? [] : below)].filter(({ name, hint }) =>
    `${name} ${hint}`.toLowerCase().includes(needle),
  )
}
