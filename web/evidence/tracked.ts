import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call, type ReplyOf } from '../api/operations.ts'
import { isolateDirection } from './format.ts'
import type { Country, TrackedAppSummary } from './shapes.ts'
import { roleInWords } from './words.ts'
import { isUnderWay } from './work.ts'

const perCall = 100

const isGoing = ({ refresh, intake }: TrackedAppSummary): boolean => isUnderWay(refresh) || isUnderWay(intake)

/** Every app that the account tracks, in every storefront: own ones first, then rivals, then watched ones. */
export const trackedApps = queryOptions({
  queryKey: ['list_aso_apps', { limit: perCall }, 'all'] as const,
  queryFn: async ({ signal }): Promise<readonly TrackedAppSummary[]> => {
    const apps: TrackedAppSummary[] = []
    let cursor: string | null = null
    do {
      const page: ReplyOf<'list_aso_apps'> = await call(
        'list_aso_apps',
        { limit: perCall, ...(cursor ? { cursor } : {}) },
        signal,
      )
      apps.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    return apps
  },
  // Refreshes and added apps finish by themselves; this read is small, and tells how far they are.
  refetchInterval: ({ state: { data } }) => (data?.some(isGoing) ? 1_500 : false),
})

/** The rivals that a tracked app is compared with: its own, and those of every own app of the storefront. */
export const comparedRivalsOf = (
  tracked: TrackedAppSummary,
  apps: readonly TrackedAppSummary[],
): readonly TrackedAppSummary[] =>
  apps.filter(
    ({ role, country, app, rivalOf }) =>
      role === 'rival' &&
      country === tracked.country &&
      app.storeId !== tracked.app.storeId &&
      (rivalOf === null || rivalOf === tracked.appId || rivalOf === tracked.rivalOf),
  )

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

/** As what an app is tracked, such as "Rival of Brook". A rival of every own app is a rival. */
export function roleOf(
  { role, rivalOf }: Pick<TrackedAppSummary, 'role' | 'rivalOf'>,
  apps: readonly TrackedAppSummary[],
) {
  const own = apps.find(({ appId }) => appId === rivalOf)
  return own ? `Rival of ${isolateDirection(own.app.name ?? `App ${own.app.storeId}`)}` : roleInWords[role]
}

/** The apps of this account in a storefront by their store id. Empty until they are read. */
export function useTrackedApps(country: Country): ReadonlyMap<string, TrackedAppSummary> {
  const { data } = useQuery(trackedApps)
  return useMemo(
    () =>
      new Map(
        (data ?? [])
          .filter((tracked) => tracked.country === country)
          .map((tracked) => [tracked.app.storeId, tracked]),
      ),
    [data, country],
  )
}
