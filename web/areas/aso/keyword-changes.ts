import type { Tool } from '../../api/operations.ts'

/** Reads whose replies change with the keywords of a tracked app. */
export const keywordChanges: readonly Tool[] = [
  'get_aso_workstation',
  'list_aso_apps',
  'get_aso_keyword_gap',
  'explore_aso_keyword',
  'get_competitor_aso',
]
