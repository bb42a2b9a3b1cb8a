import { z } from 'zod'
import { prompt } from './prompt.ts'
import { call, found, numbered, reading, readingEstimates, takesApp, takesCountry, telling } from './wording.ts'

export const morningCheck = prompt({
  name: 'morning_check',
  title: 'Morning check of an app',
  description:
    'What changed for one app since yesterday and over the week: charts, keywords, listing, rivals, ads, posts.',
  scopes: ['context:read'],
  takes: z.strictObject({ app: takesApp, country: takesCountry }),
  write({ app, country }) {
    const { storeId, step } = found(app, country)
    return `Do the morning check of ${JSON.stringify(app)} in the storefront ${country}. Everything here reads stored evidence: nothing is collected or changed, so no step needs a question first.

${numbered([
  step,
  `Its record: ${call('get_competitor', { storeId, country })}. Look at \`freshness\` first: a part last observed days ago cannot have news. Then \`listingHistory\` for fields whose \`firstSeenAt\` is within the last week, \`chartPositions\`, \`estimates\`, and \`alsoIn\`, which names the storefronts that have a record when this one has none: say so, and never fill in from them.`,
  `Its charts: ${call('get_apple_chart_history', { storeId, country })}. Every chart that showed it comes with \`current\` and \`best\`. For the two or three that matter the days of the last week, with \`from\` eight days before \`to\`: ${call('get_apple_chart_history', { storeId, country, chart: 'top-free', categoryId: '<categoryId>', from: '<YYYY-MM-DD>', fields: ['chart', 'categoryName', 'series'] })}. Compare the newest day that has a snapshot with the one before and with a week earlier. Days with \`no-snapshot\` or \`partial-snapshot\` are gaps, not falls. With \`coverage.chartsObserved\` 0 nobody captured a chart.`,
  `Whether this account tracks it: ${call('list_aso_apps', { country })}, and find the item with its \`storeId\`. If it is there: ${call('get_aso_workstation', { appId: '<appId>', windowDays: 7 })}. Name keywords that entered, left or moved by three places or more in \`over1Day\` and \`over7Days\`, with \`comparedOn\`; \`visibility\` only together with the share of keywords it rests on; rivals that are ahead on more keywords than they are behind. \`refresh\` says when pages were last fetched and what failed. If it is not tracked, say so in one line and leave keywords out.`,
  `Around it: ${call('get_similar_competitors', { storeId, country, limit: 5 })}, or the rivals of the workstation. For the nearest two or three ${call('get_competitor', { storeId: '<rival storeId>', country })}: only changes of the last week in \`listingHistory\` and \`chartPositions\`.`,
  `New creatives of those rivals and of the app: ${call('search_paid_ads', { competitor: [storeId, '<rival storeId>'], sort: 'recent', limit: 10 })} and ${call('search_organic_content', { competitor: [storeId, '<rival storeId>'], sort: 'recent', limit: 10 })}. Name those whose \`deliveryStartedOn\` or \`publishedAt\` is within the week, and of posts those with an \`outlierScore\` of 5 or more. \`coverage\` says what the ad libraries do not show.`,
])}

${reading}
${readingEstimates}

${telling}
- End with one line: what deserves a decision today, or that nothing does.`
  },
})
