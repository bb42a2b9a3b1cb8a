import { demoAppId } from '../../../sample/demo/tracking.ts'

/** What of the demo the tests look at: apps, creatives and keywords that are the same on every machine. */
export const sampleIds = {
  /** A charting app with estimates, posts and ads. */
  app: '9000000001',
  /** The app whose workstation the demo shows, its store id, and one of its rivals. */
  trackedApp: demoAppId,
  trackedStoreId: '9000000150',
  rival: '9000000137',
  ad: 'meta/1097685022341965',
  post: 'tiktok_7478123456789012345',
  keyword: 'budget planner',
} as const

/** An ad whose source gave captions, and texts in which an analysis reads statements. */
export const spokenAd = { path: 'meta/1127384950617284' } as const
