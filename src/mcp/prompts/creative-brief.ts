import { z } from 'zod'
import { SearchText } from '../../contract/shapes/primitives.ts'
import { prompt } from './prompt.ts'
import { call, found, numbered, reading, takesApp, takesCountry, telling } from './wording.ts'

export const creativeBrief = prompt({
  name: 'creative_brief',
  title: 'Brief from competitor creatives',
  description:
    "A brief for new creatives from a competitor's ads and posts, every statement with words quoted from them.",
  scopes: ['context:read'],
  takes: z.strictObject({
    app: takesApp.describe('The competitor: its name, App Store id, bundle id or App Store address.'),
    country: takesCountry,
    goal: SearchText.optional().describe('What the new creatives are for, such as "trial starts in Germany".'),
  }),
  write({ app, country, goal }, mayChange) {
    const { storeId, step } = found(app, country)
    const purpose = goal === undefined ? '' : ` The new creatives are for: ${JSON.stringify(goal)}.`
    return `Write a creative brief from what ${JSON.stringify(app)} shows in ads and posts.${purpose}

${numbered([
  step,
  `What runs long: ${call('search_paid_ads', { competitor: [storeId], sort: 'longest-running', limit: 25 })}, and what is new: ${call('search_paid_ads', { competitor: [storeId], sort: 'recent', limit: 25 })}. Add \`country\` to narrow to where ads were delivered. \`total\` with the relation \`at-least\` is a lower bound. When nothing is linked to the app, ${call('search_paid_ads', { q: '<name of the advertiser>', limit: 10 })} may find ads that are stored and not linked: show their advertiser and ask, a name is no proof.`,
  `What \`coverage\` says for each platform: regions and dates the library does not show, runs that stopped early, \`never-collected\`. Without stored ads say that none were looked for, if that is so, and go on with posts.`,
  `Read five to eight different ads in full, the longest running and the newest: ${call('get_paid_ad', { platform: '<platform>', archiveId: '<archiveId>' })}. \`creatives\` has title, text and button; \`observations\` what changed; \`transcript\` what is said with seconds; \`analysis\` hook, angle, offer, call to action, urgency, audience and claims, each with \`quotes\`. Ads that share a text are one idea: count ideas, not ads.`,
  mayChange &&
    `Where an ad that matters has a \`transcriptState\` or \`analysisState\` of \`not-requested\`, ask once for all of them, since both may send media or text to services the operator configured, and then call ${call('generate_paid_ad_transcript', { platform: '<platform>', archiveId: '<archiveId>' })} before ${call('analyze_paid_ad_creative', { platform: '<platform>', archiveId: '<archiveId>' })}. Look again with \`get_paid_ad\` after a moment. \`no-speech\` and \`unavailable\` are answers: say them and do not force a repetition.`,
  `Posts that did unusually well: ${call('get_competitor_organic', { storeId, sort: 'outlier', limit: 15 })}. \`outlierScore\` compares with the same author's usual views, so 10 from a small account can be few people; \`summary\` says of how many posts views are measured, since some networks hide them. Two or three in full: ${call('get_organic_content', { postId: '<postId>' })}.`,
  `The promise they lead to: ${call('get_competitor_media', { storeId, country, kind: 'screenshot' })} for the first screenshots and when they changed. Name where ad and store page say the same and where they part.`,
  mayChange &&
    `Offer to keep what the brief cites, with a tag: ${call('save_paid_ad', { platform: '<platform>', archiveId: '<archiveId>', tags: ['brief'] })} and ${call('save_organic_content', { postId: '<postId>', tags: ['brief'] })}. Saving can have copies of media made; tags given replace earlier ones.`,
])}

${reading}
- Days of running show that an ad was kept, not that it worked; reach and views are what the source says, not results. Nothing here knows conversions.
- Quote word for word in the ad's own language, then translate. Without a quote there is no statement about what an ad says.

${telling}
- The brief, one page: three to five angles, each with its evidence (archive or post ids, dates, quotes), how long and where it ran; formats and lengths; offers and calls to action; what none of them does; then two or three proposals of your own, marked as such.
- Do not copy a text, picture or claim of the competitor into a proposal.`
  },
})
