import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Scope } from '../contract/scopes.ts'
import { AdPlatform } from '../contract/shapes/paid-ads.ts'
import { Country, SearchText } from '../contract/shapes/primitives.ts'
import { adPlatforms } from '../vocabulary/ad-platforms.ts'
import { joinWithOr } from '../vocabulary/join-with-or.ts'
import { searchVolumePage } from '../vocabulary/search-volume.ts'
import {
  appArgument,
  countryArgument,
  findAppStep,
  numberedSteps,
  type Prompt,
  prompt,
  promptCall,
  readingEstimatesGuide,
  readingGuide,
  reportingGuide,
} from './prompt.ts'
import { compareApps, freshness, weeklyReview } from './review-prompts.ts'

const morningCheck = prompt({
  name: 'morning_check',
  title: 'Morning check of an app',
  description:
    'What changed for one app since yesterday and over the week: charts, keywords, listing, rivals, ads, posts.',
  scopes: ['context:read'],
  takes: z.strictObject({ app: appArgument, country: countryArgument }),
  write({ app, country }) {
    const { storeId, step } = findAppStep(app, country)
    return `Do the morning check of ${JSON.stringify(app)} in the storefront ${country}. Everything here reads stored evidence: nothing is collected or changed, so no step needs a question first.

${numberedSteps([
  step,
  `Its record: ${promptCall('get_competitor', { storeId, country })}. Look at \`freshness\` first: a part last observed days ago cannot have news. Then \`listingHistory\` for fields whose \`firstSeenAt\` is within the last week, \`chartPositions\`, \`estimates\`, and \`alsoIn\`, which names the storefronts that have a record when this one has none: say so, and never fill in from them.`,
  `Its charts: ${promptCall('get_apple_chart_history', { storeId, country })}. Every chart that showed it comes with \`current\` and \`best\`. For the two or three that matter the days of the last week, with \`from\` eight days before \`to\`: ${promptCall('get_apple_chart_history', { storeId, country, chart: 'top-free', categoryId: '<categoryId>', from: '<YYYY-MM-DD>', fields: ['chart', 'categoryName', 'series'] })}. Compare the newest day that has a snapshot with the one before and with a week earlier. Days with \`no-snapshot\` or \`partial-snapshot\` are gaps, not falls. With \`coverage.chartsObserved\` 0 nobody captured a chart.`,
  `Whether this account tracks it: ${promptCall('list_aso_apps', { country })}, and find the item with its \`storeId\`. If it is there: ${promptCall('get_aso_workstation', { appId: '<appId>', windowDays: 7 })}. Name keywords that entered, left or moved by three places or more in \`over1Day\` and \`over7Days\`, with \`comparedOn\`; \`visibility\` only together with the share of keywords it rests on; rivals that are ahead on more keywords than they are behind. \`refresh\` says when pages were last fetched and what failed. If it is not tracked, say so in one line and leave keywords out.`,
  `Around it: ${promptCall('get_similar_competitors', { storeId, country, limit: 5 })}, or the rivals of the workstation. For the nearest two or three ${promptCall('get_competitor', { storeId: '<rival storeId>', country })}: only changes of the last week in \`listingHistory\` and \`chartPositions\`.`,
  `New creatives of those rivals and of the app: ${promptCall('search_paid_ads', { competitor: [storeId, '<rival storeId>'], sort: 'recent', limit: 10 })} and ${promptCall('search_organic_content', { competitor: [storeId, '<rival storeId>'], sort: 'recent', limit: 10 })}. Name those whose \`deliveryStartedOn\` or \`publishedAt\` is within the week, and of posts those with an \`outlierScore\` of 5 or more. \`coverage\` says what the ad libraries do not show.`,
])}

${readingGuide}
${readingEstimatesGuide}

${reportingGuide}
- End with one line: what deserves a decision today, or that nothing does.`
  },
})

const creativeBrief = prompt({
  name: 'creative_brief',
  title: 'Brief from competitor creatives',
  description:
    "A brief for new creatives from a competitor's ads and posts, every statement with words quoted from them.",
  scopes: ['context:read'],
  takes: z.strictObject({
    app: appArgument.describe('The competitor: its name, App Store id, bundle id or App Store address.'),
    country: countryArgument,
    goal: SearchText.optional().describe('What the new creatives are for, such as "trial starts in Germany".'),
  }),
  write({ app, country, goal }, mayChange) {
    const { storeId, step } = findAppStep(app, country)
    const purpose = goal === undefined ? '' : ` The new creatives are for: ${JSON.stringify(goal)}.`
    return `Write a creative brief from what ${JSON.stringify(app)} shows in ads and posts.${purpose}

${numberedSteps([
  step,
  `What runs long: ${promptCall('search_paid_ads', { competitor: [storeId], sort: 'longest-running', limit: 25 })}, and what is new: ${promptCall('search_paid_ads', { competitor: [storeId], sort: 'recent', limit: 25 })}. Add \`country\` to narrow to where ads were delivered. \`total\` with the relation \`at-least\` is a lower bound. When nothing is linked to the app, ${promptCall('search_paid_ads', { q: '<name of the advertiser>', limit: 10 })} may find ads that are stored and not linked: show their advertiser and ask, a name is no proof.`,
  `What \`coverage\` says for each platform: regions and dates the library does not show, runs that stopped early, \`never-collected\`. Without stored ads say that none were looked for, if that is so, and go on with posts.`,
  `Read five to eight different ads in full, the longest running and the newest: ${promptCall('get_paid_ad', { platform: '<platform>', archiveId: '<archiveId>' })}. \`creatives\` has title, text and button; \`observations\` what changed; \`transcript\` what is said with seconds; \`analysis\` hook, angle, offer, call to action, urgency, audience and claims, each with \`quotes\`. Ads that share a text are one idea: count ideas, not ads.`,
  mayChange &&
    `Where an ad that matters has a \`transcriptState\` or \`analysisState\` of \`not-requested\`, ask once for all of them, since both may send media or text to services the operator configured, and then call ${promptCall('generate_paid_ad_transcript', { platform: '<platform>', archiveId: '<archiveId>' })} before ${promptCall('analyze_paid_ad_creative', { platform: '<platform>', archiveId: '<archiveId>' })}. Look again with \`get_paid_ad\` after a moment. \`no-speech\` and \`unavailable\` are answers: say them and do not force a repetition.`,
  `Posts that did unusually well: ${promptCall('get_competitor_organic', { storeId, sort: 'outlier', limit: 15 })}. \`outlierScore\` compares with the same author's usual views, so 10 from a small account can be few people; \`summary\` says of how many posts views are measured, since some networks hide them. Two or three in full: ${promptCall('get_organic_content', { postId: '<postId>' })}.`,
  `The promise they lead to: ${promptCall('get_competitor_media', { storeId, country, kind: 'screenshot' })} for the first screenshots and when they changed; without \`kind\` also events and the custom product pages that ads lead to. Search can show other media than screenshots. Name where ad and store page say the same and where they part.`,
  mayChange &&
    `Offer to keep what the brief cites, with a tag: ${promptCall('save_paid_ad', { platform: '<platform>', archiveId: '<archiveId>', tags: ['brief'] })} and ${promptCall('save_organic_content', { postId: '<postId>', tags: ['brief'] })}. Saving can have copies of media made; tags given replace earlier ones.`,
])}

${readingGuide}
- Days of running show that an ad was kept, not that it worked; reach and views are what the source says, not results. Nothing here knows conversions.
- Quote word for word in the ad's own language, then translate. Without a quote there is no statement about what an ad says.

${reportingGuide}
- The brief, one page: three to five angles, each with its evidence (archive or post ids, dates, quotes), how long and where it ran; formats and lengths; offers and calls to action; what none of them does; then two or three proposals of your own, marked as such.
- Do not copy a text, picture or claim of the competitor into a proposal.`
  },
})

const keywordGap = prompt({
  name: 'keyword_gap',
  title: 'Gap against a rival',
  description:
    'Keywords where a rival ranks and an app does not, which of them are worth trying, and what to change in the listing.',
  scopes: ['context:read'],
  takes: z.strictObject({
    app: appArgument.describe('Your app: its name, App Store id, bundle id or App Store address.'),
    rival: appArgument.describe('The rival: its name, App Store id, bundle id or App Store address.'),
    country: countryArgument,
  }),
  write({ app, rival, country }, mayChange) {
    const own = findAppStep(app, country)
    const other = findAppStep(rival, country)
    const rivalStoreId = other.step ? '<rival storeId>' : other.storeId
    const notTracked = mayChange
      ? `If it is not there, ask whether to track it and then call ${promptCall('track_aso_app', { app: own.step ? '<storeId>' : app, country, role: 'own' })}; tracking adds no keyword and searches nothing.`
      : 'If it is not there, stop and say that the gap needs a tracked app and that this key cannot track one (it lacks `content:write`).'
    return `Find the keyword gap between ${JSON.stringify(app)} and its rival ${JSON.stringify(rival)} in the storefront ${country}.

${numberedSteps([
  own.step,
  other.step &&
    `The rival in the same way: ${promptCall('search_competitors', { q: rival, country, limit: 5 })}.`,
  `The tracked app: ${promptCall('list_aso_apps', { country })}, and take the \`appId\` of the item with its \`storeId\`. ${notTracked}`,
  `What the comparison rests on: ${promptCall('get_aso_keyword_gap', { appId: '<appId>', rivalStoreId, limit: 25 })}. Read \`pages\` before anything else: \`looked\` 0 means that nobody has searched yet, and a few dozen pages make a sketch, not a picture. \`oldestAt\` and \`newestAt\` date every statement. \`counts\` is the whole gap: \`rivalOnly\`, \`ownOnly\`, both with who is ahead, and \`notMeasured\`, which belongs to neither side.`,
  `Worth trying: ${promptCall('get_aso_keyword_gap', { appId: '<appId>', rivalStoreId, standing: ['rival-only'], sort: 'opportunity', limit: 25 })}, then the same with \`standing\` \`["both"]\` and \`sort\` \`distance\` for keywords where the rival is ahead. Leave out names of the rival and of other brands, and what does not fit the app (\`relevance\`). \`difficulty\` and \`opportunity\` that are not measured are unknown, not low.`,
  `The three to five best: ${promptCall('explore_aso_keyword', { query: '<term>', country, limit: 10, fields: ['page', 'difficulty', 'difficulty.parts', 'volatility', 'autocomplete'] })}. Who ranks, what \`difficulty\` is made of (\`parts\`), whether the page is steady (\`volatility\`), and what Apple suggests around it.`,
  `How the rival does it: ${promptCall('get_competitor_aso', { storeId: rivalStoreId, country })}. In \`audit\` which of these terms stand in its name and subtitle and what of Apple's limits it uses; in \`timeline\` what it changed and how ranks moved around it. A move after a change need not come from it.`,
  `The own listing: ${promptCall('get_competitor_aso', { storeId: own.storeId, country, fields: ['audit', 'keywordCoverage.told', 'keywordCoverage.localizations'] })}. Where in name and subtitle there is room for the chosen terms, counted against the limits in \`audit\`. Where \`told\` is not null, the account brought its own texts: the room in each localization, the keyword field included.`,
  mayChange &&
    `Only when the person agrees, one question for all: add the chosen terms with ${promptCall('add_aso_keywords', { appId: '<appId>', terms: ['<term>'] })}, and where pages are old fetch new ones with ${promptCall('refresh_aso_app', { appId: '<appId>' })} or ${promptCall('refresh_aso_keyword', { query: '<term>', country })}. A refresh asks Apple at a fixed pace: tell \`expectedSeconds\` and look later, do not wait in a loop.`,
])}

${readingGuide}
- Ranks come from the Search API, whose order can differ from an iPhone: say "in search results of the API", not "in the App Store".

${reportingGuide}
- The table: term, own rank, rival rank, difficulty, opportunity, date of the page. An absent rank is written with its depth, such as ">200"; an unmeasured one as "not measured".
- End with a proposal for name and subtitle within Apple's limits, marked as a proposal, and with what was not measured.`
  },
})

const chooseKeywords = prompt({
  name: 'choose_keywords',
  title: 'Choose keywords without search volume',
  description:
    'Which keywords an app should go for, by what Apple suggests, how hard each is, where it ranks and what its texts cover; and why nobody knows how often people search.',
  scopes: ['context:read'],
  takes: z.strictObject({ app: appArgument, country: countryArgument }),
  write({ app, country }, mayChange) {
    const { storeId, step } = findAppStep(app, country)
    return `Choose keywords for ${JSON.stringify(app)} in the storefront ${country}. Apple tells nobody how often people search. What tools sell as search volume is Apple's relative index of popularity for advertisers, or a model of it; the page ${searchVolumePage} of this server has the sources. So do not name, guess or convert a number of searches: order the keywords by what was observed.

${numberedSteps([
  step,
  `Candidates: ${promptCall('list_aso_apps', { country })}, and if the app is tracked ${promptCall('get_aso_workstation', { appId: '<appId>', windowDays: 30 })} with its \`keywords\` and \`suggestions\`, each with reasons. Otherwise ${promptCall('get_competitor_aso', { storeId, country })}, whose \`keywords\` are those whose stored pages showed it.`,
  `Do people type it? For each candidate ${promptCall('explore_aso_keyword', { query: '<term>', country, fields: ['autocomplete', 'difficulty', 'page', 'volatility'] })}. \`autocomplete\` says after how many letters and at which place Apple suggests the term: first after three letters is a strong sign, never suggested though asked is a weak one, never asked says nothing. It is an order and no count.`,
  `Does it mean this app? Read the apps on that page: if none does what this one does, people who type the term want something else, however early it is suggested. Leave out names of brands (\`brand\`).`,
  `Can it be entered? \`difficulty\` is made of the first ten results: how many ratings they have, how many names hold the term, how weak the weakest is. \`opportunity\` puts both together; it is a model, and its order means more than its distances.`,
  `Where does it stand? Ranks in three states, with the depth looked at. Absent among 200 is far; place 11 to 30 is near. A rank is of one surface and hour: compare ranks of one surface only.`,
  `What do the texts cover? ${promptCall('get_competitor_aso', { storeId, country, fields: ['audit'] })}: a term in name or subtitle is worth more than one in the description, and Apple counts a word once. What a rival covers and this app does not: ${promptCall('get_similar_competitors', { storeId, country, limit: 3 })}, then the same for each.`,
  mayChange &&
    `Only when the person agrees, one question for all: ${promptCall('add_aso_keywords', { appId: '<appId>', terms: ['<term>'] })}, and ${promptCall('refresh_aso_app', { appId: '<appId>' })} for pages and suggestions that are old. Tell \`expectedSeconds\` and look later.`,
])}

${readingGuide}

${reportingGuide}
- The table: term, suggested after how many letters at which place, difficulty, own rank with its depth, where the texts hold it, date of the page. What nobody asked is "not measured".
- Three groups: go for now, try after a change of the listing, leave. One reason each. Whether it worked is told by ranks before and after, and by the person's own downloads, not by a number of searches.`
  },
})

const emergingApps = prompt({
  name: 'emerging_apps',
  title: 'What is emerging in a category',
  description:
    'Apps new in the charts of a category, moved up or gaining ratings, and what they have in common.',
  scopes: ['context:read'],
  takes: z.strictObject({
    category: SearchText.describe("Apple's category by name or number, such as Photo & Video or 6008."),
    country: countryArgument,
  }),
  write({ category, country }, mayChange) {
    const known = /^[1-9][0-9]{0,5}$/.test(category)
    const categoryId = known ? category : '<categoryId>'
    const unknown = mayChange
      ? `When neither run is there, or the newest ended more than a week ago, ask whether to look anew, since the run may take candidates into the catalogue by looking them up in the App Store, and then call ${promptCall('discover_emerging_ios_competitors', { country, categoryId, windowDays: 14 })}. \`lastRun\` of the list shows how it goes; \`partial\` with \`lastError\` usually means that too few charts were captured.`
      : 'When neither run is there nobody has looked, and an empty list says nothing about the market. This key cannot start a run (it lacks `content:write`): say so.'
    return `Find out what is emerging in the category ${JSON.stringify(category)} of the storefront ${country}.

${numberedSteps([
  !known &&
    `The category: ${promptCall('list_competitor_categories', { country })}. Take the \`categoryId\` whose \`name\` it is; when two could be meant, ask. \`apps\` is how many stored apps list it: with a handful, the catalogue is too thin for statements about the category.`,
  `Candidates: ${promptCall('list_emerging_ios_competitors', { country, categoryId, limit: 25 })}, strongest first with \`reasons\` in plain words and \`kind\`: keep \`new-in-charts\` and \`moved-up\` apart. Both are what charts show, and foretell nothing. When \`lastRun\` is null, a run over all categories may know some: ${promptCall('list_emerging_ios_competitors', { country, limit: 50 })}; keep those that stand in the charts of step ${known ? 3 : 4}, and say that the run was over all categories. ${unknown}`,
  `What the run could see: in \`lastRun\` the \`windowDays\`, \`examined\`, \`found\`, \`finishedAt\` and \`backtest.detail\`, which says what became of apps that had moved up before, on these charts; repeat it. Most of them fell back.`,
  `The charts themselves: ${promptCall('get_apple_charts', { country, categoryId, chart: 'top-free', limit: 50 })}, and the same with \`top-grossing\`. Look at entries that are \`new\` or \`returning\` and at large \`change\`; \`returned\` is how deep Apple showed the chart, \`capturedAt\` and \`previousCapturedAt\` which days are compared. \`new\` means new in the stored snapshots. When the chart was never observed, the answer names those that were.`,
  `Each of the five to eight strongest: ${promptCall('get_competitor', { storeId: '<storeId>', country })} for developer, first release, rating count and whether it is stored at all, and ${promptCall('get_apple_chart_history', { storeId: '<storeId>', country, categoryId })} for when it entered and whether it holds. A young app with one day in a chart is a candidate, not a trend. When an app is not in the catalogue, say so and use what the chart shows.`,
  `Whether it is one app or a wave: ${promptCall('get_similar_competitors', { storeId: '<storeId>', country, limit: 5 })}. Several young apps with \`similar-text\` are a theme; \`sameDeveloper\` are other apps of its maker, no rivals.`,
  `How they are brought to people: ${promptCall('search_paid_ads', { competitor: ['<storeId>'], sort: 'recent', limit: 5 })} and ${promptCall('get_competitor_organic', { storeId: '<storeId>', sort: 'outlier', limit: 5 })}. Nothing stored means not looked at unless \`coverage\` or \`freshness\` says otherwise.`,
  `Size, only where there is one: ${promptCall('get_competitor_estimate_history', { storeId: '<storeId>', country, metric: 'downloads' })}. Points with \`outside-valid-range\` have no number, and none may be invented for them.`,
])}

${readingGuide}
${readingEstimatesGuide}

${reportingGuide}
- A table of candidates: app and developer, how many places it won in how many days on which chart, held since, theme. Below it the themes in two or three lines, and what the evidence cannot show: charts not captured, depth, categories not looked at.
- Say "moved up from ... to ... between ... and ...", never that an app rises, will go on, or grows fastest.`
  },
})

const importAds = prompt({
  name: 'import_ads',
  title: "Import and link an advertiser's ads",
  description:
    "Brings an advertiser's ads into the library and links them to an app, with a preview and two questions before anything is written.",
  scopes: ['context:read', 'content:write'],
  takes: z.strictObject({
    advertiser: SearchText.describe('Name or id of the advertiser, as the ad library knows it.'),
    app: appArgument.describe('The app its ads belong to: name, App Store id, bundle id or App Store address.'),
    platform: AdPlatform.default('meta').describe(
      `Ad library: ${joinWithOr(adPlatforms)}; meta when left out.`,
    ),
    country: Country.optional().describe(
      'Where the ads were delivered, as two letters; everywhere the library shows when left out.',
    ),
  }),
  write({ advertiser, app, platform, country: delivered }) {
    const country = delivered ?? 'us'
    const { storeId, step } = findAppStep(app, country)
    const query = {
      platform,
      advertiserIds: ['<advertiserId>'],
      ...(delivered && { countries: [delivered] }),
      limit: 200,
    }
    return `Import the ads of ${JSON.stringify(advertiser)} from the ${platform} ad library and link them to ${JSON.stringify(app)}. Two steps change what all accounts of this installation see: the import and the link. Ask before each, with the figures, and do neither without a yes.

${numberedSteps([
  step,
  `The app must be in the catalogue: ${promptCall('get_competitor', { storeId, country })}. If the answer is \`competitor-not-found\`, ask whether to take it in with ${promptCall('request_ios_competitor', { app: storeId, country })}, which looks it up in the App Store; repeat that call after a moment to see \`status\`.`,
  `The advertiser: ${promptCall('admin_search_paid_ad_advertisers', { platform, q: advertiser })}. \`foundIn\` tells stored ones from those the platform answered just now, \`lookups\` whether it could be asked (\`cannot-be-asked\` and \`not-configured\` are not "no such advertiser"). Names repeat: take one only by its \`advertiserId\`, with the names of \`linkedApps\` and \`country\` as signs, and ask when in doubt. When the library offers no search, ask the person for the id.`,
  `Preview, which writes nothing: ${promptCall('admin_preview_paid_ads', query)}. Show the person \`matching\` (\`at-least\` is a lower bound), \`examined\` with new, known, changed and rejected, \`requestsNeeded\`, the notes of \`coverage\`, and three ads of \`sample\` with advertiser and text. If \`matching\` is above the limit, say that the import stops there. With \`source-not-configured\` tell which variable the operator has to set; records the person has as JSON can be previewed and imported instead of a query, as \`records\` in the same calls.`,
  `First question: import these? With a yes, ${promptCall('admin_import_paid_ads', { previewToken: '<previewToken>' })} and nothing beside the token. It lasts 15 minutes; after \`preview-expired\` make a new preview and show what differs. Sending the same token again answers the same run, so a lost reply does no harm.`,
  `Follow it: ${promptCall('admin_get_paid_ad_import', { runId: '<runId>' })}, a few times with pauses, then leave it to itself and say so. \`throttled\` with \`resumesAt\` goes on by itself. \`succeeded\`: tell \`counts\`. \`partial\` or \`failed\`: tell \`lastError\`, what was stored, \`rejections\` with reasons, and offer ${promptCall('admin_retry_paid_ad_import', { runId: '<runId>' })}, which goes on where it stopped.`,
  `What is linked already: ${promptCall('search_paid_ads', { platform, advertiser: '<advertiserId>', fields: ['archiveId', 'advertiser.name', 'deliveryStartedOn', 'links'] })}. Ads that lead to an App Store page are linked by themselves; one that is linked to another app is a sign that the advertiser runs ads for several.`,
  `Second question: link the whole advertiser, also its future ads, or only single ones? An advertiser with ads for several apps is never linked as a whole. With a yes, ${promptCall('admin_link_paid_ads', { action: 'link', platform, advertiserId: '<advertiserId>', competitor: storeId, note: '<why, as the person said>' })}, or with \`archiveIds\` in place of \`advertiserId\`. Nothing is linked because of a name alone.`,
  `Check: ${promptCall('search_paid_ads', { platform, competitor: [storeId], sort: 'recent', limit: 10 })}. If something is wrong, say what, and undo only when asked: the same call with the \`action\` \`unlink\` lasts until somebody links again, and wins over links made by themselves.`,
])}

${readingGuide}
- The libraries show what the law or the platform lets them show, in some countries and for some time. Counts are counts of stored ads.

${reportingGuide}
- In five lines: advertiser with its id, run with its id and counts, what was rejected and why, what is linked and by which decision, what the library cannot show.`
  },
})

const appStoreAds = prompt({
  name: 'app_store_ads',
  title: 'App Store ads of an app',
  description:
    "What an app advertises in the App Store of 25 EU countries, where and since when, from Apple's ad repository; no credential is needed.",
  scopes: ['context:read'],
  takes: z.strictObject({
    app: appArgument,
    country: countryArgument,
  }),
  write({ app, country }, mayChange) {
    const { storeId, step } = findAppStep(app, country)
    const ask = mayChange
      ? `When \`coverage\` says that nobody has asked, or \`newestObservationAt\` is more than two weeks old, say that asking Apple takes five requests and ask whether to: ${promptCall('admin_preview_paid_ads', { platform: 'apple', apps: [storeId] })} shows what is there and writes nothing, ${promptCall('admin_import_paid_ads', { previewToken: '<previewToken>' })} stores it, and ${promptCall('admin_get_paid_ad_import', { runId: '<runId>' })} tells when it has ended. Nothing has to be linked: each ad names its app.`
      : 'When `coverage` says that nobody has asked, say so and stop: this key cannot ask (it lacks `content:write`).'
    return `Say what ${JSON.stringify(app)} advertises in the App Store.

${numberedSteps([
  step,
  `What is stored: ${promptCall('search_paid_ads', { platform: 'apple', competitor: [storeId], sort: 'recent', limit: 25 })}. Read \`coverage\` first: \`absent\` means that all countries were asked and none showed an ad of it, \`never-collected\` that nobody has asked, \`form-changed\` that something in the answers may be missed.`,
  ask,
  `Where: of each ad \`placements\` and \`byCountry\`, with first and last day in each country. \`firstShownBy\` is a bound, not a date: "by then at the latest". Days end a week ago; what came later nobody knows.`,
  `What they say: ${promptCall('get_paid_ad', { platform: 'apple', archiveId: '<archiveId>' })} for those that run longest and the newest. \`creatives\` has title, text, subtitle, pictures and videos, by \`locale\` where the ad was asked for alone${mayChange ? ` (${promptCall('admin_import_paid_ads', { platform: 'apple', archiveIds: ['<archiveId>'] })}, one request)` : ''}. \`productPageId\` names a custom product page; without one nothing is known of the page.`,
  `Beside the listing: ${promptCall('get_competitor_media', { storeId, country, kind: 'screenshot' })} shows whether the ad has the pictures of the store page or others.`,
  `Whether its rivals do the same: ${promptCall('get_similar_competitors', { storeId, country, limit: 5 })}, and for those that matter ${promptCall('search_paid_ads', { platform: 'apple', competitor: ['<storeId>'], sort: 'longest-running', limit: 10 })}. Of one that nobody asked about nothing is known.`,
])}

${readingGuide}
- The repository tells no keywords, bids or money, and nothing outside these countries. An ad in search results does not say for which searches.
- "Ended" means that it was not shown on the last days that are covered; an ad that is shown seldom can go on.

${reportingGuide}
- A table: placement, countries, since when (or by when at the latest), still shown or not, layout, first line of the text, whether a custom product page is named. Below it what began or ended lately, and what is not known.`
  },
})

/** Instructions for the most common jobs, for agents that have the tools. */
export const prompts: readonly Prompt[] = [
  morningCheck,
  keywordGap,
  chooseKeywords,
  creativeBrief,
  emergingApps,
  importAds,
  appStoreAds,
  weeklyReview,
  freshness,
  compareApps,
]

/** The prompts whose scopes the caller holds, in the form of `prompts/list`. */
export function listedPrompts(scopes: ReadonlySet<Scope>) {
  return prompts
    .filter((prompt) => prompt.scopes.every((scope) => scopes.has(scope)))
    .map(({ name, title, description, arguments: takes }) => ({
      ...{ name, title, description },
      arguments: takes.map(({ values: _values, ...argument }) => argument),
    }))
}

/**
 * One prompt with its arguments filled in, in the form of `prompts/get`.
 * @throws ProtocolError when the name or an argument is wrong, or the caller lacks a scope
 */
export function writtenPrompt(
  name: string,
  given: Readonly<Record<string, unknown>>,
  scopes: ReadonlySet<Scope>,
): GetPromptResult {
  const prompt = prompts.find((one) => one.name === name)
  const known = prompts.map((one) => one.name).join(', ')
  if (!prompt) return refuse(`There is no prompt ${JSON.stringify(name.slice(0, 100))}; there are ${known}.`)
  const missing = prompt.scopes.filter((scope) => !scopes.has(scope))
  if (missing.length > 0) return refuse(`The prompt ${name} needs the scope ${missing.join(' and ')}.`)
  const text = prompt.write(given, scopes.has('content:write'))
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
}

function refuse(message: string): never {
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}
