/** Values of the search parameters of the chart pages: filters, sort orders and depths. */
export const entryFilters = ['new', 'returning', 'moves', 'tracked'] as const
export type EntryFilter = (typeof entryFilters)[number]

export const chartColumns = [
  ...['rank', 'app', 'developer', 'movement', 'before'],
  ...['category', 'rating', 'ratings', 'price', 'released'],
] as const

export const compareFilters = ['climbed', 'fell', 'entered', 'left'] as const
export type CompareFilter = (typeof compareFilters)[number]

export const compareColumns = ['app', 'developer', 'before', 'after', 'change'] as const

export const compareDepths = ['25', '50', '100', '200'] as const

export const heatmapDepths = ['25', '50', '100'] as const
