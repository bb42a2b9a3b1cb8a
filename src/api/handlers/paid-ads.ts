import type { paidAds as contract } from '../../contract/paid-ads.ts'
import type { Enqueue } from '../../domain/work/ask-for-work.ts'
import type { Collecting } from '../../jobs/collecting/collecting.ts'
import type { Database } from '../../storage/database.ts'
import type { Handlers } from '../door.ts'
import { analyzeCreative, generateTranscript } from './ad-analysis.ts'
import { getPaidAd } from './paid-ad.ts'
import { searchAdvertisers } from './paid-ad-advertisers.ts'
import { getPaidAdImport, importPaidAds, previewPaidAds, retryPaidAdImport } from './paid-ad-imports.ts'
import { linkPaidAds } from './paid-ad-links.ts'
import { searchPaidAds } from './paid-ad-search.ts'
import { removeSavedPaidAd, savePaidAd } from './saved-ads.ts'

export function paidAdHandlers(
  db: Database,
  enqueue: Enqueue,
  collecting: Collecting,
): Handlers<typeof contract> {
  return {
    search_paid_ads: (input, caller) => searchPaidAds(db, collecting, caller.accountId, input),
    get_paid_ad: (input, caller) => getPaidAd(db, collecting, caller.accountId, input),
    generate_paid_ad_transcript: (input) => generateTranscript(db, enqueue, input),
    analyze_paid_ad_creative: (input, caller) => analyzeCreative(db, enqueue, caller.accountId, input),
    save_paid_ad: (input, caller) => savePaidAd(db, enqueue, caller.accountId, input),
    remove_saved_paid_ad: (input, caller) => removeSavedPaidAd(db, caller.accountId, input),
    admin_search_paid_ad_advertisers: (input, caller) =>
      searchAdvertisers(db, collecting, caller.accountId, input),
    admin_preview_paid_ads: {
      ask: (input, caller) => previewPaidAds(db, collecting, caller, input),
    },
    admin_import_paid_ads: (input, caller) => importPaidAds(db, enqueue, collecting, caller, input),
    admin_get_paid_ad_import: (input, caller) => getPaidAdImport(db, collecting, caller.accountId, input),
    admin_retry_paid_ad_import: (input, caller) => retryPaidAdImport(db, enqueue, collecting, caller, input),
    admin_link_paid_ads: (input, caller) => linkPaidAds(db, caller, input),
  }
}
