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
  return ofOne.length === 1 ? ofOne : [...ofOne, { rivalOf: null, name: 'All own apps' }]
}

/** The roles that an app can have, as arguments of a call take them: a rival of each own app, and of all. */
export const rolesOf = (
  choices: readonly RivalChoice[],
): readonly { id: string; role: TrackedAppSummary['role']; rivalOf?: string | null; inWords: string }[] => [
  { id: 'own', role: 'own', inWords: 'an own app' },
  ...choices.map(({ rivalOf, name }) => ({
    id: `rival ${rivalOf}`,
    role: 'rival' as const,
    rivalOf,
    inWords: rivalOf
      ? `a rival of ${isolateDirection(name)}`
      : choices.length === 1
        ? 'a rival'
        : 'a rival of all own apps',
  })),
  { id: 'watched', role: 'watched', inWords: 'watched' },
]

/** The words that track an app in a role. The name of the app may follow after a colon. */
export const toTrackAs = ({ role, inWords }: { role: TrackedAppSummary['role']; inWords: string }): string =>
  role === 'watched' ? 'Only watch' : `Track as ${inWords}`

/** As what an app is tracked, such as "Rival of Brook". A rival of every own app is a rival. */
export function roleOf(
  { role, rivalOf }: Pick<TrackedAppSummary, 'role' | 'rivalOf'>,
  apps: readonly TrackedAppSummary[],
) {
  const own = apps.find(({ appId }) => appId === rivalOf)
  return own ? `Rival of ${isolateDirection(own.app.name ?? `App ${own.app.storeId}`)}` : roleInWords[role]
}
