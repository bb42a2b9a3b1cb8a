import type { Example } from '../operation.ts'
import { competitorAsoReply } from './aso.ts'
import { competitorRecordExamples } from './competitor-record.ts'
import { dataRequestExamples } from './data-requests.ts'
import { estimateExamples } from './estimates.ts'
import { intakeExamples } from './intake.ts'
import { mediaExamples } from './media.ts'
import { organicExamples } from './organic.ts'
import { duskwell, duskwellSummary, health, mothlightSummary, nightjarSummary } from './sleep-apps.ts'

const posts = organicExamples.search_organic_content.reply.items
const appOfPosts = posts[0]?.links[0]?.app

export const competitorExamples = {
  search_competitors: {
    query: { q: 'sleep', categoryId: '6013', country: 'us', price: 'free', sort: 'relevance', limit: 2 },
    reply: {
      items: [duskwellSummary, nightjarSummary],
      total: { value: 2, relation: 'exact' },
      nextCursor: null,
    },
  },
  list_competitor_categories: {
    query: { country: 'us' },
    // Four genres of the tree; a real reply holds them all.
    reply: {
      country: 'us',
      items: [
        { categoryId: '36', name: 'App Store', parentId: null, apps: 4 },
        { categoryId: '6012', name: 'Lifestyle', parentId: '36', apps: 1 },
        { ...health, parentId: '36', apps: 4 },
        { categoryId: '6014', name: 'Games', parentId: '36', apps: 0 },
      ],
    },
  },
  ...competitorRecordExamples,
  get_similar_competitors: {
    params: { platform: 'ios', storeId: duskwell.storeId },
    query: { country: 'us', limit: 2 },
    reply: {
      app: duskwell,
      country: 'us',
      alsoIn: ['gb'],
      formula: 'similarity/1',
      items: [
        {
          app: mothlightSummary,
          score: 0.5195,
          reasons: [
            { kind: 'apple-list', strength: 0.92, detail: "2nd of 12 apps in Apple's list" },
            { kind: 'similar-text', strength: 0.41, detail: 'shares noise, rain, timer' },
            {
              kind: 'charting-together',
              strength: 0.5,
              detail: 'in 2 of the 4 category chart snapshots that show the app',
            },
          ],
        },
        {
          app: nightjarSummary,
          score: 0.1585,
          reasons: [
            { kind: 'similar-text', strength: 0.31, detail: 'shares asleep, timer' },
            { kind: 'same-developer', strength: 1, detail: 'also by Fenwick Hollow Apps' },
          ],
        },
      ],
      basis: [
        { kind: 'apple-list', state: 'measured', detail: "Apple's list of 12 apps, read on 13 October 2026" },
        { kind: 'same-developer', state: 'measured', detail: 'by developer id' },
        {
          kind: 'shared-keywords',
          state: 'not-measured',
          detail: 'no result pages were read',
        },
        { kind: 'charting-together', state: 'measured', detail: '4 category chart snapshots' },
        { kind: 'similar-text', state: 'measured', detail: 'names, developers and descriptions' },
      ],
      trouble: [],
    },
  },
  get_competitor_organic: {
    params: { platform: 'ios', storeId: '6449912345' },
    query: { network: ['tiktok'], publishedFrom: '2026-02-01', sort: 'outlier', limit: 10 },
    reply: {
      app: appOfPosts,
      summary: {
        posts: { value: 1, relation: 'exact' },
        postsByWeek: [{ weekStartsOn: '2026-02-23', posts: 1 }],
        views: { total: 184200, measuredPosts: 1 },
        medianEngagementRate: { state: 'measured', value: 0.096, formula: 'median-engagement-rate/1' },
        creators: 1,
        outliers: 1,
      },
      items: posts,
      total: { value: 1, relation: 'exact' },
      nextCursor: null,
    },
  },
  get_competitor_aso: {
    params: { platform: 'ios', storeId: competitorAsoReply.app.storeId },
    query: { country: competitorAsoReply.country },
    reply: competitorAsoReply,
  },
  ...dataRequestExamples,
  ...intakeExamples,
  ...estimateExamples,
  ...mediaExamples,
} as const satisfies Record<string, Example>
