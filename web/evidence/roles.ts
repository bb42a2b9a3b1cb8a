import { isolateDirection } from './format.ts'
import type { Country, TrackedAppSummary } from './shapes.ts'
import { roleInWords } from './words.ts'

/** What an app can be a rival of in a storefront, as arguments of a call take it. */
export interface RivalChoice {
  /** Null for every own app. */
  rivalOf: string | null
  name: string
}

/** The own apps of a storefront that another one can be a rival of, and all of them where it is not one alone. */
export function rivalChoicesOf(
  apps: readonly TrackedAppSummary[],
  country: Country,
  storeId?: string,
): readonly RivalChoice[] {
  const own = apps.filter(
    ({ role, country: there, app }) => role === 'own' && there === country && app.storeId !== storeId,
  )
  const ofOne = own.map(({ appId, app }) => ({ rivalOf: appId, name: app.name ?? `App ${app.storeId}` }))
  return ofOne.length === 1 ? ofOne : [...ofOne, { rivalOf: null, name: 'All my apps' }]
}

/** The roles that an app can have, as arguments of a call take them, each with the words that track it so. */
export const rolesOf = (
  choices: readonly RivalChoice[],
): readonly { id: string; role: TrackedAppSummary['role']; rivalOf?: string | null; toTrack: string }[] => [
  { id: 'own', role: 'own', toTrack: 'Track as my app' },
  ...choices.map(({ rivalOf, name }) => ({
    id: `rival ${rivalOf}`,
    role: 'rival' as const,
    rivalOf,
    toTrack: rivalOf
      ? `Track as a competitor of ${isolateDirection(name)}`
      : choices.length === 1
        ? 'Track as a competitor'
        : 'Track as a competitor of all my apps',
  })),
  { id: 'watched', role: 'watched', toTrack: 'Add to watchlist' },
]

/** As what an app is tracked, such as "Competitor of Brook". A rival of every own app is a rival. */
export function roleOf(
  { role, rivalOf }: Pick<TrackedAppSummary, 'role' | 'rivalOf'>,
  apps: readonly TrackedAppSummary[],
) {
  const own = apps.find(({ appId }) => appId === rivalOf)
  return own ? `Competitor of ${isolateDirection(own.app.name ?? `App ${own.app.storeId}`)}` : roleInWords[role]
}

/** The same within a sentence, after "is": "tracked as a competitor of Brook", "on the watchlist". */
export function trackedAs(as: Pick<TrackedAppSummary, 'role' | 'rivalOf'>, apps: readonly TrackedAppSummary[]) {
  if (as.role === 'watched') return 'on the watchlist'
  return as.role === 'own' ? 'tracked as my app' : `tracked as a ${roleOf(as, apps).replace(/^C/, 'c')}`
}
