import type { ProblemCode } from '../../contract/problems.ts'

/** The commands that list what an argument can be, by its name in the contract. */
export const listedBy: Readonly<Record<string, string>> = {
  appId: 'rivalscope list-aso-apps lists the apps this account tracks, with their ids.',
  keywordId: 'rivalscope get-aso-workstation APP --json --fields keywords lists its keywords with their ids.',
  storeId: 'rivalscope search-competitors --q NAME finds apps with their App Store ids.',
  rivalStoreId: 'rivalscope search-competitors --q NAME finds apps with their App Store ids.',
  postId: 'rivalscope search-organic-content lists posts with their ids.',
  archiveId: 'rivalscope search-paid-ads lists ads with their platform and archive id.',
  advertiserId: 'rivalscope admin-search-paid-ad-advertisers --q NAME lists advertisers with their ids.',
  categoryId: 'rivalscope list-competitor-categories lists the categories with their ids.',
  runId: 'rivalscope admin-import-paid-ads answers the id of the run it starts.',
}

/** The argument that was wrong, where a problem says that what it names is not there. */
export const wrongArgument: Partial<Record<ProblemCode, keyof typeof listedBy>> = {
  'tracked-app-not-found': 'appId',
  'keyword-not-found': 'keywordId',
  'competitor-not-found': 'storeId',
  'post-not-found': 'postId',
  'paid-ad-not-found': 'archiveId',
  'import-run-not-found': 'runId',
}
