/**
 * What a change is about: all of its area, or what each text names. `us` is everything of a storefront, `us 4711` an app in it. `* 4711`
 * is what other storefronts say of an app beside their own evidence: where else it is known and missed.
 */
export type ChangedScopes = 'all' | readonly string[]

/** An app in a storefront; in all of them without one. */
export const appScope = (storeId: string, country: string | null): string => `${country ?? '*'} ${storeId}`

/** Most apps that are told one by one; of more it is their storefronts. */
const mostApps = 200

/** Everything that any of these is about. */
export function union(changes: readonly ChangedScopes[]): ChangedScopes {
  const named = new Set<string>()
  for (const change of changes) {
    if (change === 'all') return 'all'
    for (const scope of change) named.add(scope)
  }
  const countryOf = (scope: string) => scope.split(' ', 1)[0] ?? scope
  const least = [...named].filter((scope) => !scope.includes(' ') || !named.has(countryOf(scope)))
  if (least.length <= mostApps) return least
  const countries = new Set(least.map(countryOf))
  return countries.has('*') ? 'all' : [...countries]
}

/** As it is stored; null for all. */
export const scopesText = (scopes: ChangedScopes): string | null => {
  const least = union([scopes])
  return least === 'all' ? null : least.join(',')
}

export const scopesIn = (text: string): readonly string[] => text.split(',').filter((scope) => scope !== '')
