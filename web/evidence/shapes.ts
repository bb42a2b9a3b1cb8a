import type { ArgumentsOf, ReplyOf } from '../api/operations.ts'

/** Shapes of the contract that many pages show, by the names they have there. */
type AppRecord = ReplyOf<'get_competitor'>
type Workstation = ReplyOf<'get_aso_workstation'>

export type Evidence = AppRecord['evidence'][number]
export type SeriesSource = ReplyOf<'get_apple_chart_history'>['sources'][number]
export type SourceIssue = AppRecord['trouble'][number]
export type NotMeasuredReason = Extract<AppRecord['rating'], { state: 'not-measured' }>['reason']
export type Country = AppRecord['country']
export type Money = Extract<AppRecord['price'], { state: 'measured' }>['value']
export type AppLabel = ReplyOf<'get_similar_competitors'>['app']
export type AppSummary = ReplyOf<'search_competitors'>['items'][number]
export type Rank = Workstation['keywords'][number]['rank']
/** A rank of a series of charts, whose depth is null where the rank alone was told. */
export type RankOfDay = ReplyOf<'get_apple_chart_history'>['charts'][number]['current']
/** What another tool told of a keyword: the days of a window, and its newest days. */
export type RankSurface = Workstation['surface']
export type SearchSurface = RankSurface['name']
export type NotListed = NonNullable<Workstation['notListed']>
export type OtherSurfaceRank = Workstation['keywords'][number]['otherSurfaces'][number]
export type ToolRankSeries = Workstation['keywords'][number]['otherTools'][number]
export type ToolRankHistory = ReplyOf<'get_competitor_aso'>['keywords']['items'][number]['otherTools'][number]
export type RankChange = Workstation['keywords'][number]['over7Days']
export type Score100 = Workstation['keywords'][number]['difficulty']
export type Estimate = AppRecord['estimates']['downloads']
export type Visibility = Workstation['visibility']
export type TrackedAppSummary = ReplyOf<'list_aso_apps'>['items'][number]
export type OrganicPost = ReplyOf<'search_organic_content'>['items'][number]
export type PaidAd = ReplyOf<'search_paid_ads'>['items'][number]
export type KeptCopy = PaidAd['creatives'][number]['media'][number]['kept']
export type AddAppFailure = NonNullable<ReplyOf<'request_ios_competitor'>['failure']>
export type AdArguments = ArgumentsOf<'search_paid_ads'>
export type PostArguments = ArgumentsOf<'search_organic_content'>
export type DataRequest = ReplyOf<'list_competitor_data_requests'>['items'][number]
export type Device = ReplyOf<'get_apple_charts'>['device']
export type EstimateMethod = Extract<Estimate, { state: 'measured' }>['method']
export type Total = ReplyOf<'search_paid_ads'>['total']

/** The state of work that goes on after its request: a refresh, an import, a transcript, an intake. */
export type WorkState = Pick<
  ReplyOf<'refresh_competitor_estimates'>,
  'status' | 'progress' | 'attempts' | 'lastError' | 'createdAt' | 'startedAt' | 'finishedAt'
> & { waitingForWorker?: { since: string } | undefined }

/** A value in three states. */
export type FactOf<Value> =
  | { state: 'measured'; value: Value; evidence: number }
  | { state: 'absent'; evidence: number }
  | { state: 'not-measured'; reason: NotMeasuredReason }
