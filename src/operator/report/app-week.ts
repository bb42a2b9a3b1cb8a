import type { TrackedAppRow } from '../../domain/aso/tracking/tracked-apps.ts'
import { appInStorefront } from '../../domain/catalogue/app.ts'
import { newestRatings, ratingGrowth } from '../../domain/catalogue/ratings.ts'
import { type ChangedField, changedFields } from '../../domain/moves/moves.ts'
import type { Database } from '../../storage/database.ts'
import type { TrackedRole } from '../../vocabulary/app-relations.ts'
import { chartsOfWeek, type KeywordsWeek, keywordsOfWeek, type RankedWeek } from './ranks.ts'
import type { Week } from './week.ts'

/** A tracked app in a week. */
export interface AppWeek {
  appId: string
  storeId: string
  country: string
  role: TrackedRole
  /** `appId` of the own app that a rival belongs to; null for all. */
  rivalOf: string | null
  name: string
  categoryId: number | undefined
  charts: RankedWeek[]
  keywords: KeywordsWeek
  ratings: RatingsWeek | undefined
  /** Changes of its listing, oldest first; changes of pictures that cannot be compared are left out. */
  changes: ChangedField[]
}

/** The ratings of the last observation of a week. */
export interface RatingsWeek {
  rating: number | null
  count: number
  /** The difference from an observation one to two weeks older; undefined where there is none. */
  grown: { added: number; days: number; ratingThen: number | null } | undefined
}

/** Observations of ratings that are read, at most one a day: a report may be of a week a year ago. */
const ratingsRead = 500

export async function appWeek(db: Database, tracked: TrackedAppRow, week: Week): Promise<AppWeek> {
  const { appId, storeId, country, role, rivalOf } = tracked
  const app = await appInStorefront(db, storeId, country)
  return {
    appId,
    storeId,
    country,
    role,
    rivalOf,
    name: tracked.name ?? `App ${storeId}`,
    categoryId: app?.state?.record.facts.primaryCategoryId ?? undefined,
    charts: await chartsOfWeek(db, tracked, week),
    keywords: await keywordsOfWeek(db, tracked, week),
    ratings: await ratingsOfWeek(db, tracked, week),
    changes: app?.state ? changedFields(app.state.versions, country, week.from, week.until) : [],
  }
}

async function ratingsOfWeek(
  db: Database,
  { storeId, country }: TrackedAppRow,
  { from, until }: Week,
): Promise<RatingsWeek | undefined> {
  const observed = await newestRatings(db, storeId, country, ratingsRead)
  const known = observed.filter(({ observedAt }) => observedAt < until)
  const [newest] = known
  if (!newest || newest.observedAt < from) return undefined
  const added = ratingGrowth(known).find(({ days }) => days === 7)?.added
  const days = added && (added.to.observedAt.getTime() - added.from.observedAt.getTime()) / 86_400_000
  return {
    rating: newest.rating,
    count: newest.ratingCount,
    grown: added && { added: added.value, days: Math.round(days ?? 0), ratingThen: added.from.rating },
  }
}
