/** Social networks that posts are published on. */
export const networks = ['tiktok', 'instagram', 'youtube', 'reddit', 'x'] as const

export type Network = (typeof networks)[number]
