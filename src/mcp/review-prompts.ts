import { z } from 'zod'
import { Country } from '../contract/shapes/primitives.ts'
import {
  appArgument,
  countryArgument,
  findAppStep,
  numberedSteps,
  prompt,
  promptCall,
  readingEstimatesGuide,
  readingGuide,
  reportingGuide,
} from './prompt.ts'

const oneCountry = Country.optional().describe('Storefront as two letters; all storefronts when left out.')
const inCountry = (country: string | undefined) => (country === undefined ? {} : { country })
const where = (country: string | undefined) =>
  country === undefined ? 'all storefronts' : `the storefront ${country}`

export const weeklyReview = prompt({
  name: 'weekly_review',
  title: 'Weekly review of the tracked apps',
  description:
    'What moved for the tracked apps of the account in a week, beside their rivals, and what may explain it.',
  scopes: ['context:read'],
  takes: z.strictObject({ country: oneCountry }),
  write({ country }) {
    return `Review the week of this account's tracked apps in ${where(country)}. Everything here reads stored evidence: nothing is collected or changed, so no step needs a question first.

${numberedSteps([
  `All of them in one call: ${promptCall('list_aso_apps', { ...inCountry(country), limit: 100, fields: ['appId', 'app', 'country', 'role', 'keywordCount', 'visibility', 'over7Days', 'distribution', 'notFoundSince', 'refresh'] })}. Own apps come first, then rivals, then watched ones. \`over7Days\` compares the newest page of each keyword with one 7 to 14 days older; \`visibility\` says over how many keywords it is and how old its pages are. Where the newest page is older than the week, nothing is known of the week: say so before anything else.`,
  `Choose at most three own apps in which something moved: most keywords climbed or fallen, or \`notFoundSince\`. Name the others in one line. When nothing is tracked, say so and stop.`,
  `Each of them: ${promptCall('get_aso_workstation', { appId: '<appId>', windowDays: 7, fields: ['term', 'rank', 'over7Days', 'difficulty', 'observedAt', 'rivals', 'visibilitySeries'] })}. Name keywords that entered, left or moved by three places or more, each with \`comparedOn\`. Of rivals only those that gained where the app lost.`,
  `Their charts: ${promptCall('get_apple_chart_history', { storeId: '<storeId>', country: country ?? '<country>' })}, and for a chart that matters the days of the week: ${promptCall('get_apple_chart_history', { storeId: '<storeId>', country: country ?? '<country>', chart: 'top-free', categoryId: '<categoryId>', from: '<YYYY-MM-DD>', fields: ['chart', 'categoryName', 'series'] })}. Days with \`no-snapshot\` or \`partial-snapshot\` are gaps, not falls.`,
  `What may explain it, for the app and the rival that gained most: ${promptCall('get_competitor_aso', { storeId: '<storeId>', country: country ?? '<country>', fields: ['timeline'] })}. A change of a text or picture in the week before a move is a candidate, not a cause.`,
  `New creatives of both: ${promptCall('search_paid_ads', { competitor: ['<storeId>', '<rival storeId>'], sort: 'recent', limit: 10 })} and ${promptCall('search_organic_content', { competitor: ['<storeId>', '<rival storeId>'], sort: 'recent', limit: 10 })}. Name those whose \`deliveryStartedOn\` or \`publishedAt\` is within the week.`,
])}

${readingGuide}

${reportingGuide}
- One table: app, storefront, visibility then and now with its days, keywords climbed, fallen, entered and left, chart places. Below it per app one or two candidates for the reason, with the date of each.
- End with what deserves a decision this week, and with what nobody looked at.`
  },
})

export const freshness = prompt({
  name: 'freshness',
  title: 'What is stale or failing',
  description:
    'How old the evidence on the tracked apps is, which sources are in trouble, and what would bring it up to date.',
  scopes: ['context:read'],
  takes: z.strictObject({ country: oneCountry }),
  write({ country }, mayChange) {
    return `Find out what of this account's evidence in ${where(country)} is stale or failing. Count ages from \`asOf.today\`: a model does not know today's date.

${numberedSteps([
  `All tracked apps: ${promptCall('list_aso_apps', { ...inCountry(country), limit: 100, fields: ['appId', 'app', 'country', 'role', 'freshness', 'notFoundSince', 'intake', 'refresh'] })}. \`freshness\` names the parts that are due, late or failing, each with \`since\` and \`lastAt\`, those that nothing collects by itself and those that nobody has looked at; a part that is left out is fresh. \`trouble\` names sources that are not well, and since when. \`collecting\` says whether a process works on jobs, else the operator has to start one, and what of the schedule and of requests is overdue; it is left out where all is well. \`refresh\` says what failed of the last refresh, \`intake\` which app could not be taken in, \`notFoundSince\` which its storefront lists no more.`,
  `Only where something is wrong, what is behind it. An app that is not found: ${promptCall('get_competitor', { storeId: '<storeId>', country: country ?? '<country>', fields: ['freshness', 'availability'] })}. Charts that are late: ${promptCall('get_apple_charts', { country: country ?? '<country>', limit: 1 })} tells by \`capturedAt\` from when they are.`,
  `Keywords whose page is old or failed: ${promptCall('get_aso_workstation', { appId: '<appId>', windowDays: 7, fields: ['term', 'rank', 'observedAt', 'refresh'] })}, for an app whose \`keywords\` are not fresh. \`never-collected\` was never searched, \`source-failed\` did not come through.`,
  `Ads: ${promptCall('search_paid_ads', { competitor: ['<storeId>'], sort: 'recent', limit: 1 })} tells by \`coverage\` which libraries were asked, up to which day, and which runs stopped early.`,
  mayChange &&
    `Only when the person agrees, one question for all: ${promptCall('refresh_aso_app', { appId: '<appId>' })} for keywords and listing. It asks Apple at a fixed pace: tell \`expectedSeconds\` and look later, do not wait in a loop. A source that is in trouble is not asked again by hand; charts and ads on schedule are the operator's.`,
])}

${readingGuide}

${reportingGuide}
- A table: app and storefront, listing, keyword pages, charts, ads, posts: fresh, or its date with its age in days, the oldest first. Mark what was never collected apart from what failed.
- Below it what is wrong, who can mend it (this account, the operator, nobody but wait), and how. When all is well, one line.`
  },
})

export const compareApps = prompt({
  name: 'compare_apps',
  title: 'Compare two or three apps',
  description:
    'Two or three apps side by side in one storefront: records, charts, keywords, listings, ads and posts.',
  scopes: ['context:read'],
  takes: z.strictObject({
    app: appArgument.describe('The first app: its name, App Store id, bundle id or App Store address.'),
    rival: appArgument.describe('The second app, in the same forms.'),
    third: appArgument.optional().describe('A third app, in the same forms; may be left out.'),
    country: countryArgument,
  }),
  write({ app, rival, third, country }) {
    const names = [app, rival, ...(third === undefined ? [] : [third])]
    const found = names.map((name) => findAppStep(name, country))
    const ids = found.map(({ step, storeId }, index) => (step ? `<${index + 1}. storeId>` : storeId))
    return `Compare ${names.map((name) => JSON.stringify(name)).join(' with ')} in the storefront ${country}. Everything here reads stored evidence: nothing is collected or changed.

${numberedSteps([
  ...found.map(({ step }, index) =>
    step
      ? index === 0 || !found.slice(0, index).some((one) => one.step)
        ? step
        : `In the same way ${promptCall('search_competitors', { q: names[index] ?? '', country, limit: 5 })}.`
      : undefined,
  ),
  `Each record, with the same fields so that columns can be compared: ${ids.map((storeId) => promptCall('get_competitor', { storeId, country, fields: ['name', 'developer', 'rating', 'chartPositions', 'estimates', 'freshness', 'trouble'] })).join(', ')}. Look at \`freshness\` first: values weeks apart are not compared without saying so.`,
  `Keywords: ${promptCall('list_aso_apps', { country })}. Shares of visibility rest on the keywords of each app: never put those of two apps side by side unless they are over the same terms. Where one of the apps is tracked, ${promptCall('get_aso_keyword_gap', { appId: '<appId>', rivalStoreId: ids[1], limit: 25 })} compares on the same pages; say how many by \`pages\`. Where none is, leave keywords out.`,
  `Listings: ${ids.map((storeId) => promptCall('get_competitor_aso', { storeId, country, fields: ['audit'] })).join(', ')}. What each uses of Apple's limits, which terms stand in name and subtitle.`,
  `Charts over time, where both stood in one: ${promptCall('get_apple_chart_history', { storeId: ids[0], country })} and the same for the others. Compare one chart, one category and one day only.`,
  `Ads and posts of all in one call each: ${promptCall('search_paid_ads', { competitor: ids, sort: 'longest-running', limit: 15 })} and ${promptCall('search_organic_content', { competitor: ids, sort: 'outlier', limit: 15 })}. Nothing stored means not looked at unless \`coverage\` says otherwise.`,
])}

${readingGuide}
${readingEstimatesGuide} Ranges that overlap do not say which app is larger.

${reportingGuide}
- One table with a column for each app and a row for each measure, all of one storefront; each cell with its date where dates differ. "Not measured" stays in its cell.
- Below it three differences that matter, each with its evidence, and what could not be compared and why.`
  },
})
