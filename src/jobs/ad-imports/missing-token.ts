import type { AdPlatform } from '../../vocabulary/ad-platforms.ts'

/** The message that names the variables an operator has to set before a library can be asked. */
export const missingToken = (platform: AdPlatform) =>
  platform === 'meta'
    ? 'The Meta Ad Library needs a token: set RIVALSCOPE_META_TOKEN.'
    : 'The TikTok ad library needs a client: set RIVALSCOPE_TIKTOK_CLIENT_KEY and RIVALSCOPE_TIKTOK_CLIENT_SECRET.'
