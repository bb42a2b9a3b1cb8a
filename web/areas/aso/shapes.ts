import type { ReplyOf } from '../../api/operations.ts'

export type Workstation = ReplyOf<'get_aso_workstation'>
export type WorkstationKeyword = Workstation['keywords'][number]
export type Suggestion = Workstation['suggestions'][number]
export type WorkstationRival = Workstation['rivals'][number]
export type RankDistribution = Workstation['distribution']
export type RankMovement = Workstation['movement']['over7Days']
export type AsoRefresh = NonNullable<Workstation['refresh']>
export type CompactRank = WorkstationKeyword['series'][number]
export type Role = Workstation['tracked']['role']
export type Exploration = ReplyOf<'explore_aso_keyword'>
export type SearchResult = Extract<Exploration['page'], { state: 'measured' }>['results'][number]
