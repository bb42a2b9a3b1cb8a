import { z } from 'zod'
import { prompt } from './prompt.ts'
import { call, found, numbered, reading, takesApp, takesCountry, telling } from './wording.ts'

export const keywordGap = prompt({
  name: 'keyword_gap',
  title: 'Gap against a rival',
  description:
    'Keywords where a rival ranks and an app does not, which of them are worth trying, and what to change in the listing.',
  scopes: ['context:read'],
  takes: z.strictObject({
    app: takesApp.describe('Your app: its name, App Store id, bundle id or App Store address.'),
    rival: takesApp.describe('The rival: its name, App Store id, bundle id or App Store address.'),
    country: takesCountry,
  }),
  write({ app, rival, country }, mayChange) {
    const own = found(app, country)
    const other = found(rival, country)
    const rivalStoreId = other.step ? '<rival storeId>' : other.storeId
    const notTracked = mayChange
      ? `If it is not there, ask whether to track it and then call ${call('track_aso_app', { app: own.step ? '<storeId>' : app, country, role: 'own' })}; tracking adds no keyword and searches nothing.`
      : 'If it is not there, stop and say that the gap needs a tracked app and that this key cannot track one (it lacks `content:write`).'
    return `Find the keyword gap between ${JSON.stringify(app)} and its rival ${JSON.stringify(rival)} in the storefront ${country}.

${numbered([
  own.step,
  other.step && `The rival in the same way: ${call('search_competitors', { q: rival, country, limit: 5 })}.`,
  `The tracked app: ${call('list_aso_apps', { country })}, and take the \`appId\` of the item with its \`storeId\`. ${notTracked}`,
  `What the comparison rests on: ${call('get_aso_keyword_gap', { appId: '<appId>', rivalStoreId, limit: 25 })}. Read \`pages\` before anything else: \`looked\` 0 means that nobody has searched yet, and a few dozen pages make a sketch, not a picture. \`oldestAt\` and \`newestAt\` date every statement. \`counts\` is the whole gap: \`rivalOnly\`, \`ownOnly\`, both with who is ahead, and \`notMeasured\`, which belongs to neither side.`,
  `Worth trying: ${call('get_aso_keyword_gap', { appId: '<appId>', rivalStoreId, standing: ['rival-only'], sort: 'opportunity', limit: 25 })}, then the same with \`standing\` \`["both"]\` and \`sort\` \`distance\` for keywords where the rival is ahead. Leave out names of the rival and of other brands, and what does not fit the app (\`relevance\`). \`difficulty\` and \`opportunity\` that are not measured are unknown, not low.`,
  `The three to five best: ${call('explore_aso_keyword', { query: '<term>', country, limit: 10, fields: ['page', 'difficulty', 'difficulty.parts', 'volatility', 'autocomplete'] })}. Who ranks, what \`difficulty\` is made of (\`parts\`), whether the page is steady (\`volatility\`), and what Apple suggests around it.`,
  `How the rival does it: ${call('get_competitor_aso', { storeId: rivalStoreId, country })}. In \`audit\` which of these terms stand in its name and subtitle and what of Apple's limits it uses; in \`timeline\` what it changed and how ranks moved around it. A move after a change need not come from it.`,
  `The own listing: ${call('get_competitor_aso', { storeId: own.storeId, country, fields: ['audit'] })}. Where in name and subtitle there is room for the chosen terms, counted against the limits in \`audit\`.`,
  mayChange &&
    `Only when the person agrees, one question for all: add the chosen terms with ${call('add_aso_keywords', { appId: '<appId>', terms: ['<term>'] })}, and where pages are old fetch new ones with ${call('refresh_aso_app', { appId: '<appId>' })} or ${call('refresh_aso_keyword', { query: '<term>', country })}. A refresh asks Apple at a fixed pace: tell \`expectedSeconds\` and look later, do not wait in a loop.`,
])}

${reading}
- Ranks come from the Search API, whose order can differ from an iPhone: say "in search results of the API", not "in the App Store".

${telling}
- The table: term, own rank, rival rank, difficulty, opportunity, date of the page. An absent rank is written with its depth, such as ">200"; an unmeasured one as "not measured".
- End with a proposal for name and subtitle within Apple's limits, marked as a proposal, and with what was not measured.`
  },
})
