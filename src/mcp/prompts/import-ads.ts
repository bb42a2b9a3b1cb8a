import { z } from 'zod'
import { AdPlatform } from '../../contract/shapes/paid-ads.ts'
import { Country, SearchText } from '../../contract/shapes/primitives.ts'
import { prompt } from './prompt.ts'
import { call, found, numbered, reading, takesApp, telling } from './wording.ts'

export const importAds = prompt({
  name: 'import_ads',
  title: "Import and link an advertiser's ads",
  description:
    "Brings an advertiser's ads into the library and links them to an app, with a preview and two questions before anything is written.",
  scopes: ['context:read', 'content:write'],
  takes: z.strictObject({
    advertiser: SearchText.describe('Name or id of the advertiser, as the ad library knows it.'),
    app: takesApp.describe('The app its ads belong to: name, App Store id, bundle id or App Store address.'),
    platform: AdPlatform.default('meta').describe('Ad library: meta or tiktok; meta when left out.'),
    country: Country.optional().describe(
      'Where the ads were delivered, as two letters; everywhere the library shows when left out.',
    ),
  }),
  write({ advertiser, app, platform, country: delivered }) {
    const country = delivered ?? 'us'
    const { storeId, step } = found(app, country)
    const query = {
      platform,
      advertiserIds: ['<advertiserId>'],
      ...(delivered && { countries: [delivered] }),
      limit: 200,
    }
    return `Import the ads of ${JSON.stringify(advertiser)} from the ${platform} ad library and link them to ${JSON.stringify(app)}. Two steps change what all accounts of this installation see: the import and the link. Ask before each, with the figures, and do neither without a yes.

${numbered([
  step,
  `The app must be in the catalogue: ${call('get_competitor', { storeId, country })}. If the answer is \`competitor-not-found\`, ask whether to take it in with ${call('request_ios_competitor', { app: storeId, country })}, which looks it up in the App Store; repeat that call after a moment to see \`status\`.`,
  `The advertiser: ${call('admin_search_paid_ad_advertisers', { platform, q: advertiser })}. \`foundIn\` tells stored ones from those the platform answered just now, \`lookups\` whether it could be asked (\`cannot-be-asked\` and \`not-configured\` are not "no such advertiser"). Names repeat: take one only by its \`advertiserId\`, with the names of \`linkedApps\` and \`country\` as signs, and ask when in doubt. When the library offers no search, ask the person for the id.`,
  `Preview, which writes nothing: ${call('admin_preview_paid_ads', query)}. Show the person \`matching\` (\`at-least\` is a lower bound), \`examined\` with new, known, changed and rejected, \`requestsNeeded\`, the notes of \`coverage\`, and three ads of \`sample\` with advertiser and text. If \`matching\` is above the limit, say that the import stops there. With \`source-not-configured\` tell which variable the operator has to set; records the person has as JSON can be previewed and imported instead of a query, as \`records\` in the same calls.`,
  `First question: import these? With a yes, ${call('admin_import_paid_ads', { previewToken: '<previewToken>' })} and nothing beside the token. It lasts 15 minutes; after \`preview-expired\` make a new preview and show what differs. Sending the same token again answers the same run, so a lost reply does no harm.`,
  `Follow it: ${call('admin_get_paid_ad_import', { runId: '<runId>' })}, a few times with pauses, then leave it to itself and say so. \`throttled\` with \`resumesAt\` goes on by itself. \`succeeded\`: tell \`counts\`. \`partial\` or \`failed\`: tell \`lastError\`, what was stored, \`rejections\` with reasons, and offer ${call('admin_retry_paid_ad_import', { runId: '<runId>' })}, which goes on where it stopped.`,
  `What is linked already: ${call('search_paid_ads', { platform, advertiser: '<advertiserId>', fields: ['archiveId', 'advertiser.name', 'deliveryStartedOn', 'links'] })}. Ads that lead to an App Store page are linked by themselves; one that is linked to another app is a sign that the advertiser runs ads for several.`,
  `Second question: link the whole advertiser, also its future ads, or only single ones? An advertiser with ads for several apps is never linked as a whole. With a yes, ${call('admin_link_paid_ads', { action: 'link', platform, advertiserId: '<advertiserId>', competitor: storeId, note: '<why, as the person said>' })}, or with \`archiveIds\` in place of \`advertiserId\`. Nothing is linked because of a name alone.`,
  `Check: ${call('search_paid_ads', { platform, competitor: [storeId], sort: 'recent', limit: 10 })}. If something is wrong, say what, and undo only when asked: the same call with the \`action\` \`unlink\` lasts until somebody links again, and wins over links made by themselves.`,
])}

${reading}
- The libraries show what the law or the platform lets them show, in some countries and for some time. Counts are counts of stored ads.

${telling}
- In five lines: advertiser with its id, run with its id and counts, what was rejected and why, what is linked and by which decision, what the library cannot show.`
  },
})
