/** Exports: all stored posts, all stored ads, or the posts and ads that one account saved. */
export const exportKinds = ['organic', 'paid-ads', 'saved'] as const
export type ExportKind = (typeof exportKinds)[number]

/** `zip` contains the other two, and copies of media. */
export const exportFormats = ['ndjson', 'csv', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportRequest {
  kind: ExportKind
  format: ExportFormat
  /** The account whose saved marks are included; for `saved`, the account whose posts and ads are exported. */
  accountId?: string
  /** Only items linked to this app; digits. */
  storeId?: string
}

/** Numbers of items and of copies of media, and the files written. */
export interface ExportSummary {
  kind: ExportKind
  posts: number
  ads: number
  media: number
  files: string[]
}
