import { sampleIds } from './support/sample-ids.ts'

/** A page that everybody who works on it should look at. */
export interface LookedAt {
  /** Of its screenshots. */
  name: string
  path: string
}

const { app, trackedApp, rival, ad, post, keyword } = sampleIds

/** Every page of the workstation, with evidence of the demo. */
export const pages: readonly LookedAt[] = [
  { name: 'home', path: '/' },
  { name: 'start', path: '/start' },
  { name: 'competitors', path: '/apps?q=sleep' },
  { name: 'competitors-cards', path: '/apps?view=cards' },
  { name: 'compare', path: `/apps/compare?apps=${app},${rival}` },
  { name: 'compare-storefronts', path: `/apps/compare?apps=${app}.us,${app}.jp` },
  { name: 'app', path: `/apps/${app}` },
  { name: 'app-ranks', path: `/apps/${app}/ranks` },
  { name: 'app-keywords', path: `/apps/${app}/keywords` },
  { name: 'app-estimates', path: `/apps/${app}/estimates` },
  { name: 'app-similar', path: `/apps/${app}/similar` },
  { name: 'app-media', path: `/apps/${app}/media` },
  { name: 'app-listing', path: `/apps/${app}/listing` },
  { name: 'app-languages', path: `/apps/${app}/languages` },
  { name: 'app-organic', path: `/apps/${app}/organic` },
  { name: 'app-ads', path: `/apps/${app}/ads` },
  { name: 'app-requests', path: `/apps/${app}/requests` },
  { name: 'charts', path: '/charts' },
  { name: 'charts-category', path: '/charts?category=6015' },
  { name: 'charts-compare', path: '/charts/compare' },
  { name: 'charts-heatmap', path: '/charts/heatmap' },
  { name: 'emerging', path: '/emerging' },
  { name: 'ads', path: '/creatives/ads' },
  { name: 'ad', path: `/creatives/ads/${ad}` },
  { name: 'posts', path: '/creatives/posts' },
  { name: 'post', path: `/creatives/posts/${post}` },
  { name: 'saved', path: '/creatives/saved' },
  { name: 'creatives-compare', path: `/creatives/compare?items=ad.${ad.replace('/', '.')},post.${post}` },
  { name: 'timeline', path: '/creatives/timeline' },
  { name: 'aso', path: '/aso' },
  { name: 'keywords', path: `/aso/${trackedApp}` },
  { name: 'gap', path: `/aso/${trackedApp}/gap/${rival}` },
  { name: 'coverage', path: `/aso/${trackedApp}/coverage` },
  { name: 'plan', path: `/aso/${trackedApp}/plan` },
  { name: 'keyword', path: `/aso/keywords/${encodeURIComponent(keyword)}` },
  { name: 'alerts', path: '/alerts' },
  { name: 'alerts-channels', path: '/alerts/channels' },
  { name: 'alerts-history', path: '/alerts/history' },
  { name: 'alerts-report', path: '/alerts/report?week=2026-W47' },
  { name: 'admin-advertisers', path: '/admin' },
  { name: 'admin-import', path: '/admin/import' },
  { name: 'admin-files', path: '/admin/files' },
  { name: 'admin-links', path: '/admin/links' },
  { name: 'admin-requests', path: '/admin/requests' },
  { name: 'admin-collecting', path: '/admin/collecting' },
  { name: 'admin-sources', path: '/admin/sources' },
  { name: 'settings', path: '/settings' },
]
