import type { ReplyOf } from '../../api/operations.ts'

/** An app as its storefront's record tells it. */
export type AppRecord = ReplyOf<'get_competitor'>
