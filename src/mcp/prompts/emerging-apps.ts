import { z } from 'zod'
import { SearchText } from '../../contract/shapes/primitives.ts'
import { prompt } from './prompt.ts'
import { call, numbered, reading, readingEstimates, takesCountry, telling } from './wording.ts'

export const emergingApps = prompt({
  name: 'emerging_apps',
  title: 'What is emerging in a category',
  description:
    'Apps new in the charts of a category, moved up or gaining ratings, and what they have in common.',
  scopes: ['context:read'],
  takes: z.strictObject({
    category: SearchText.describe("Apple's category by name or number, such as Photo & Video or 6008."),
    country: takesCountry,
  }),
  write({ category, country }, mayChange) {
    const known = /^[1-9][0-9]{0,5}$/.test(category)
    const categoryId = known ? category : '<categoryId>'
    const unknown = mayChange
      ? `When neither run is there, or the newest ended more than a week ago, ask whether to look anew, since the run may take candidates into the catalogue by looking them up in the App Store, and then call ${call('discover_emerging_ios_competitors', { country, categoryId, windowDays: 14 })}. \`lastRun\` of the list shows how it goes; \`partial\` with \`lastError\` usually means that too few charts were captured.`
      : 'When neither run is there nobody has looked, and an empty list says nothing about the market. This key cannot start a run (it lacks `content:write`): say so.'
    return `Find out what is emerging in the category ${JSON.stringify(category)} of the storefront ${country}.

${numbered([
  !known &&
    `The category: ${call('list_competitor_categories', { country })}. Take the \`categoryId\` whose \`name\` it is; when two could be meant, ask. \`apps\` is how many stored apps list it: with a handful, the catalogue is too thin for statements about the category.`,
  `Candidates: ${call('list_emerging_ios_competitors', { country, categoryId, limit: 25 })}, strongest first with \`reasons\` in plain words and \`kind\`: keep \`new-in-charts\` and \`moved-up\` apart. Both are what charts show, and foretell nothing. When \`lastRun\` is null, a run over all categories may know some: ${call('list_emerging_ios_competitors', { country, limit: 50 })}; keep those that stand in the charts of step ${known ? 3 : 4}, and say that the run was over all categories. ${unknown}`,
  `What the run could see: in \`lastRun\` the \`windowDays\`, \`examined\`, \`found\`, \`finishedAt\` and \`backtest.detail\`, which says what became of apps that had moved up before, on these charts; repeat it. Most of them fell back.`,
  `The charts themselves: ${call('get_apple_charts', { country, categoryId, chart: 'top-free', limit: 50 })}, and the same with \`top-grossing\`. Look at entries that are \`new\` or \`returning\` and at large \`change\`; \`returned\` is how deep Apple showed the chart, \`capturedAt\` and \`previousCapturedAt\` which days are compared. \`new\` means new in the stored snapshots. When the chart was never observed, the answer names those that were.`,
  `Each of the five to eight strongest: ${call('get_competitor', { storeId: '<storeId>', country })} for developer, first release, rating count and whether it is stored at all, and ${call('get_apple_chart_history', { storeId: '<storeId>', country, categoryId })} for when it entered and whether it holds. A young app with one day in a chart is a candidate, not a trend. When an app is not in the catalogue, say so and use what the chart shows.`,
  `Whether it is one app or a wave: ${call('get_similar_competitors', { storeId: '<storeId>', country, limit: 5 })}. Several young apps with \`similar-text\` are a theme; \`sameDeveloper\` are other apps of its maker, no rivals.`,
  `How they are brought to people: ${call('search_paid_ads', { competitor: ['<storeId>'], sort: 'recent', limit: 5 })} and ${call('get_competitor_organic', { storeId: '<storeId>', sort: 'outlier', limit: 5 })}. Nothing stored means not looked at unless \`coverage\` or \`freshness\` says otherwise.`,
  `Size, only where there is one: ${call('get_competitor_estimate_history', { storeId: '<storeId>', country, metric: 'downloads' })}. Points with \`outside-valid-range\` have no number, and none may be invented for them.`,
])}

${reading}
${readingEstimates}

${telling}
- A table of candidates: app and developer, how many places it won in how many days on which chart, held since, theme. Below it the themes in two or three lines, and what the evidence cannot show: charts not captured, depth, categories not looked at.
- Say "moved up from ... to ... between ... and ...", never that an app rises, will go on, or grows fastest.`
  },
})
