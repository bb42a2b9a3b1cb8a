/**
 * What stored evidence says about whether a storefront lists an app.
 * - `listed`: the newest evidence shows it
 * - `missed`: asked for and not listed, and not confirmed yet: one miss is no removal
 * - `not-found`: not listed, confirmed by a second miss; other storefronts may have it
 * - `probably-removed`: the same, and none of at least `fewestStorefronts` storefronts asked lists it
 * - `unknown`: never seen there, and not asked for since it is known
 */
export const availabilityStates = ['listed', 'missed', 'not-found', 'probably-removed', 'unknown'] as const

export type AvailabilityState = (typeof availabilityStates)[number]

/** Fewer storefronts than these never make an app "probably removed". */
export const fewestStorefronts = 3

/** Large storefronts: asked whether an app exists at all when its own one does not list it. */
export const largeStorefronts = ['us', 'gb', 'jp', 'de', 'cn', 'in'] as const
