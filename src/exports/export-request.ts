/** What is exported: all stored posts, all stored ads, or what one account saved of both. */
export const exportKinds = ['organic', 'paid-ads', 'saved'] as const
export type ExportKind = (typeof exportKinds)[number]

/** `zip` holds the others, and copies of media. */
export const exportFormats = ['ndjson', 'csv', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

export interface ExportRequest {
  kind: ExportKind
  format: ExportFormat
  /** Whose saved marks are shown; of `saved`, whose posts and ads they are. */
  accountId?: string
  /** Only what is linked to this app; digits. */
  storeId?: string
}

/** Items written, the copies of media beside them, and the files made. */
export interface ExportSummary {
  kind: ExportKind
  posts: number
  ads: number
  media: number
  files: string[]
}
