import { queryOptions } from '@tanstack/react-query'
import type { ChartKind } from '../../src/vocabulary/chart-kinds.ts'
import { readOfPages, sendOfPages } from './session.ts'

/** Files that are sent from the pages, and their imports, as the service tells them (docs/http.md). */

/** What a file is, and what its import would do. */
export interface FilePreview {
  name: string
  bytes: number
  kind: FileKind | null
  of: string | null
  kinds: readonly FileKind[]
  couldBe: readonly { kind: FileKind; of: string }[]
  why: string | null
  unread: readonly string[]
  found?: {
    records: number
    refused: number
    firstRefusal: { position: string; reason: string } | null
    firstDay: string | null
    lastDay: string | null
    apps: number
    unreadable: Record<string, number>
    notes: readonly string[]
  }
  importable: boolean
  refusal: { code: string; detail: string } | null
}

export const fileKinds = [
  ...(['catalogue', 'charts', 'search-results', 'keyword-ranks', 'sales', 'organic', 'paid-ads'] as const),
  ...(['competitors', 'keywords', 'listing', 'saved'] as const),
]
export type FileKind = (typeof fileKinds)[number]

export interface ImportedKind {
  kind: FileKind
  read: number
  stored: number
  unchanged: number
  rejected: number
  rejections: readonly { position: string; reason: string }[]
  notes: readonly string[]
}

export interface FileImport {
  importId: string
  name: string
  bytes: number
  kind: FileKind
  of: string
  status: 'queued' | 'running' | 'succeeded' | 'partial' | 'failed'
  done: number | null
  waitingSince: string | null
  imports: readonly ImportedKind[]
  wasInterrupted: boolean
  failure: string | null
  createdAt: string
  finishedAt: string | null
}

export const isGoingOn = ({ status }: Pick<FileImport, 'status'>) => status === 'queued' || status === 'running'

/** The newest imports of files of the account, newest first, and how large a file may be. Read anew while one is under way. */
export const fileImports = queryOptions({
  queryKey: ['file-imports'] as const,
  queryFn: ({ signal }) =>
    readOfPages<{ items: readonly FileImport[]; largestFile: number }>('/file-imports', signal),
  refetchInterval: ({ state: { data } }) => (data?.items.some(isGoingOn) ? 700 : false),
})

/** What a person says of a file that does not tell it. */
export type SaidOfFile = Partial<
  Record<'kind' | 'app' | 'country' | 'chart' | 'category' | 'device' | 'observedAt', string>
>

const addressOf = (path: string, file: File, said: SaidOfFile) => {
  const time = new Date(file.lastModified)
  return `${path}?${new URLSearchParams({ name: file.name, modifiedAt: time.toISOString(), ...said })}`
}

export const previewFile = (file: File, said: SaidOfFile): Promise<FilePreview> =>
  sendOfPages(addressOf('/file-imports/preview', file, said), file)

export const importFile = (file: File, said: SaidOfFile): Promise<FileImport> =>
  sendOfPages(addressOf('/file-imports', file, said), file)

/** How the estimates fitted to own sales fared, a chart each. */
export interface CalibrationVerdict {
  ownDays: number
  charts: readonly {
    chart: { country: string; kind: ChartKind; categoryId: number; device: 'iphone' | 'ipad' }
    metric: string
    currency: string | null
    days: number
    used: boolean
    why: string | null
    errorBefore: number | null
    errorAfter: number | null
    heldOut: number | null
  }[]
}

export const calibrate = (): Promise<CalibrationVerdict> => sendOfPages('/file-imports/calibration', null)
