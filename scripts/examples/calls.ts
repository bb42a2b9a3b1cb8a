import type { Tool } from '../../src/contract/contract.ts'

/** The calls of the examples, in this order; `recorded` gives access to earlier replies. */
export interface ExampleCall {
  tool: Tool
  input: Record<string, unknown> | ((recorded: Recorded) => Record<string, unknown>)
  /** Lists of the reply that are shown whole; others are shortened. */
  whole?: readonly string[]
  /** The operation whose work is made to fail before this call: the sources of the sample always answer. */
  whenFailed?: Tool
}

/** The reply of an operation called before. */
export type Recorded = (tool: Tool) => Record<string, unknown>

const app = { platform: 'ios', storeId: '9000000001' }
const promoted = '6449912345'
const postId = 'tiktok_7478123456789012345'
const ad = { platform: 'meta', archiveId: '1127384950617284' }
const advertiserId = '104829173650281'
const tracked = { appId: '01995a10-3c41-7f02-8a6e-52b7c19d0e31' }
const rivalStoreId = '1573204466'
/** The app that `tracked` follows. */
const ownStoreId = '6449120387'
const keywordId = '01995a1f-07ab-7c58-94d0-3af1b26c5e07'
const country = 'us'
const runId = '01958b60-1c40-7b38-9e02-6d5a4f3c2b18'

/** Calls without a running worker: work that they start is shown as queued. */
export const callsBeforeWork: readonly ExampleCall[] = [
  {
    tool: 'search_competitors',
    input: { q: 'sleep', categoryId: '6013', country, price: 'free', sort: 'relevance', limit: 2 },
  },
  { tool: 'list_competitor_categories', input: { country } },
  { tool: 'get_similar_competitors', input: { ...app, country, limit: 2 } },
  {
    tool: 'request_competitor_data',
    input: {
      platform: 'ios',
      storeId: '9000000009',
      kinds: ['record', 'charts'],
      country,
      note: 'Named by users who leave us.',
    },
  },
  { tool: 'list_competitor_data_requests', input: { platform: 'ios', storeId: '9000000009', limit: 25 } },
  { tool: 'request_ios_competitor', input: { app: 'example.larkandloam.tidesong', country } },
  {
    tool: 'discover_emerging_ios_competitors',
    input: { country, categoryId: '6013', windowDays: 14, limit: 2 },
  },
  { tool: 'refresh_competitor_estimates', input: { ...app, country } },
  {
    tool: 'get_apple_charts',
    input: { country, chart: 'top-free', categoryId: '6013', device: 'iphone', limit: 3 },
  },
  // An app near the end of the chart, from the day before the first capture.
  {
    tool: 'get_apple_chart_history',
    input: {
      storeId: '9000000381',
      country,
      chart: 'top-grossing',
      from: '2026-08-22',
      to: '2026-08-28',
    },
    whole: ['series'],
  },
  {
    tool: 'save_organic_content',
    input: { postId, note: 'Opens with the failure, not the app.', tags: ['hook'] },
  },
  { tool: 'list_saved_organic_content', input: { tag: ['hook'], limit: 25 } },
  {
    tool: 'search_organic_content',
    input: {
      q: 'streak',
      network: ['tiktok', 'youtube'],
      competitor: [promoted],
      publishedFrom: '2026-02-01',
      sort: 'outlier',
      limit: 10,
    },
  },
  { tool: 'generate_paid_ad_transcript', input: { ...ad, language: 'en' } },
  { tool: 'analyze_paid_ad_creative', input: { ...ad, force: true } },
  { tool: 'save_paid_ad', input: { ...ad, tags: ['ugc', 'trial'] } },
  { tool: 'admin_search_paid_ad_advertisers', input: { q: 'tidepool', country: 'de', limit: 10 } },
  {
    tool: 'admin_preview_paid_ads',
    input: {
      platform: 'meta',
      advertiserIds: [advertiserId],
      countries: ['de', 'fr'],
      active: true,
      limit: 200,
    },
  },
  {
    tool: 'admin_import_paid_ads',
    input: (recorded) => ({ previewToken: recorded('admin_preview_paid_ads').previewToken }),
  },
  { tool: 'admin_get_paid_ad_import', input: { runId } },
  {
    tool: 'admin_retry_paid_ad_import',
    input: (recorded) => ({ runId: recorded('admin_import_paid_ads').runId }),
    whenFailed: 'admin_import_paid_ads',
  },
  {
    tool: 'admin_link_paid_ads',
    input: {
      action: 'link',
      platform: 'meta',
      advertiserId,
      competitor: promoted,
      note: 'Official page of the app.',
    },
  },
  {
    tool: 'track_aso_app',
    input: { app: `https://apps.apple.com/us/app/id${rivalStoreId}`, country, role: 'rival' },
  },
  {
    tool: 'add_aso_keywords',
    input: { ...tracked, terms: ['Pomodoro  タイマー', 'Focus Timer', 'deep focus', '🍅🍅'] },
  },
  {
    tool: 'get_aso_keyword_gap',
    input: {
      ...tracked,
      rivalStoreId,
      standing: ['rival-only', 'both'],
      maxDifficulty: 60,
      sort: 'opportunity',
      limit: 2,
    },
  },
  { tool: 'refresh_aso_app', input: tracked },
  { tool: 'search_ios_apps', input: { term: 'focus timer', country, limit: 1, live: true } },
  { tool: 'refresh_aso_keyword', input: { query: 'study timer', country } },
]

/** Calls after all started work has ended. */
export const callsAfterWork: readonly ExampleCall[] = [
  { tool: 'get_competitor', input: { ...app, country } },
  { tool: 'get_competitor_media', input: { ...app, country } },
  {
    tool: 'get_competitor_organic',
    input: {
      platform: 'ios',
      storeId: promoted,
      network: ['tiktok'],
      publishedFrom: '2026-02-01',
      sort: 'outlier',
      limit: 10,
    },
  },
  { tool: 'get_competitor_aso', input: { platform: 'ios', storeId: ownStoreId, country } },
  {
    tool: 'list_emerging_ios_competitors',
    input: { country, categoryId: '6013', since: '2026-10-01', limit: 2 },
  },
  {
    tool: 'get_competitor_estimate_history',
    input: { ...app, country, from: '2026-10-10', to: '2026-10-12', metric: 'downloads' },
  },
  { tool: 'get_organic_content', input: { postId } },
  {
    tool: 'search_paid_ads',
    input: {
      q: 'free trial habit',
      platform: 'meta',
      competitor: [promoted],
      active: true,
      format: ['video'],
      minDaysRunning: 14,
      sort: 'longest-running',
      limit: 10,
    },
  },
  { tool: 'get_paid_ad', input: ad },
  { tool: 'list_aso_apps', input: { role: 'own', country, limit: 1 } },
  { tool: 'get_aso_workstation', input: { ...tracked, windowDays: 7 }, whole: ['keywords'] },
  { tool: 'explore_aso_keyword', input: { query: 'Focus Timer', country, limit: 2 } },
  { tool: 'update_aso_app_role', input: { ...tracked, role: 'watched' } },
  { tool: 'remove_saved_organic_content', input: { postId } },
  { tool: 'remove_saved_paid_ad', input: ad },
  { tool: 'remove_aso_keyword', input: { ...tracked, keywordId } },
  { tool: 'remove_aso_app', input: tracked },
]
