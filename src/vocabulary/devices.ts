/** Devices with charts of their own. */
export const devices = ['iphone', 'ipad'] as const

export type Device = (typeof devices)[number]

/** Devices of the pictures and videos of a listing; an icon is for any. */
export const mediaDevices = [...devices, 'tv', 'any'] as const

export type MediaDevice = (typeof mediaDevices)[number]
