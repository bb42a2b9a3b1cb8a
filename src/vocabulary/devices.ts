/** Devices with charts of their own. */
export const devices = ['iphone', 'ipad'] as const

export type Device = (typeof devices)[number]

/** Devices of the pictures and videos of a listing; an icon is for any. */
export const mediaDevices = [...devices, 'tv', 'any'] as const

export type MediaDevice = (typeof mediaDevices)[number]

/**
 * Pictures and videos of a listing. `header` stands above its page, `search-result` in its place in search: both can be a picture or a
 * video since 2026, and change without a version.
 */
export const mediaKinds = ['icon', 'screenshot', 'preview', 'header', 'search-result'] as const

/** What a listing shows beside its texts. */
export const listingShows = [...mediaKinds, 'event', 'product-page'] as const
