/** The ad libraries: Meta's, and TikTok's of commercial content. */
export const adPlatforms = ['meta', 'tiktok'] as const

export type AdPlatform = (typeof adPlatforms)[number]

/** Where Meta shows an ad, the most seen first. */
export const publisherPlatforms = [
  'facebook',
  'instagram',
  'audience-network',
  'messenger',
  'whatsapp',
  'oculus',
  'threads',
] as const
