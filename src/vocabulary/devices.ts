/** Devices whose apps have charts of their own. */
export const devices = ['iphone', 'ipad'] as const

export type Device = (typeof devices)[number]

/** Devices that pictures and videos of a listing are made for; an icon is for any. */
export const mediaDevices = [...devices, 'tv', 'any'] as const

export type MediaDevice = (typeof mediaDevices)[number]
