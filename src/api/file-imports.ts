import type { Readable } from 'node:stream'
import type { FileImportInput } from '../domain/work/file-imports.ts'
import { isUnderWay, noWorkerSince, type Work } from '../domain/work/work.ts'
import type { ImportedFile } from '../jobs/job-kind.ts'
import type { ChartIdentity } from '../vocabulary/chart-identity.ts'
import type { WorkState } from '../vocabulary/work-states.ts'
import { admitUserEvidence, type Caller } from './caller.ts'
import { Problem } from './problem.ts'

/** Most bytes of a file that is sent, as it is sent. */
export const largestFile = 64 * 1024 * 1024

export const fileTooLarge = () =>
  new Problem(
    'body-too-large',
    `The file is larger than ${largestFile / (1024 * 1024)} MiB, the most that is taken here. Import it with the command: rivalscope import FILE`,
  )

/** What belongs to an account alone. All other files bring evidence that every account of the installation sees. */
const ofAccount: ReadonlySet<string> = new Set(['keywords', 'competitors', 'listing'])

/**
 * Refuses a caller who may not bring files of a kind: evidence that all accounts see is brought by admins of an account whom the operator
 * lets bring evidence. @throws Problem `not-an-admin`, `evidence-not-allowed`
 */
export function admitKind(caller: Caller, kind: string): void {
  if (ofAccount.has(kind)) return
  if (caller.administers !== true)
    throw new Problem(
      'not-an-admin',
      `Files of ${kind} bring evidence that all accounts see: an admin of the account imports them. The operator makes keys that are with \`rivalscope keys create --admin\`.`,
    )
  admitUserEvidence(caller)
}

/** Why a caller may not import a kind; null where they may. */
export function refusalOfKind(caller: Caller, kind: string): FilePreview['refusal'] {
  try {
    admitKind(caller, kind)
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { code: error.code, detail: error.message }
  }
}

/** What a file is, and what importing it would do. */
export interface FilePreview {
  name: string
  bytes: number
  /** What it is taken for; null where it is not recognised, or could be several things. */
  kind: string | null
  of: string | null
  /** The kinds that are imported of it, in their order. */
  kinds: readonly string[]
  couldBe: readonly { kind: string; of: string }[]
  /** Why it is not recognised. */
  why: string | null
  /** Columns that are not read. */
  unread: readonly string[]
  /** What reading it found, refused records included; left out where it is of no kind. */
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
  /** Whether importing it would take anything. */
  importable: boolean
  /** Why the caller may not import it. */
  refusal: { code: string; detail: string } | null
}

/** An import of a file, as the list of them tells it. */
export interface ListedFileImport {
  importId: string
  name: string
  bytes: number
  kind: string
  of: string
  status: WorkState
  /** Bytes read so far; null before it begins. */
  done: number | null
  imports: readonly ImportedFile[]
  /** Since when no worker runs that could begin it; null while one does. */
  waitingSince: Date | null
  /** Whether it went on after its process had ended: what was stored before counts as unchanged. */
  wasInterrupted: boolean
  failure: string | null
  createdAt: Date
  finishedAt: Date | null
}

/** A file on its way in, and what its sender says of it, not validated. */
export interface SentFile {
  said: Readonly<Record<string, unknown>>
  content: Readable | undefined
}

/** What calibrating the estimates against own sales came to, a chart each. */
export interface CalibrationVerdict {
  /** Days with own sales. */
  ownDays: number
  charts: readonly {
    chart: ChartIdentity
    metric: string
    currency: string | null
    /** Days on which an own app stood in it. */
    days: number
    used: boolean
    /** Why it is not used. */
    why: string | null
    /** Median errors on days that were held back, as shares: before, and with the calibration. */
    errorBefore: number | null
    errorAfter: number | null
    heldOut: number | null
  }[]
}

/** Files that people send from the pages. */
export interface FileImports {
  /** Says what a file is and what its import would do. Stores nothing. */
  preview(caller: Caller, sent: SentFile): Promise<FilePreview>
  /** Imports a file; the same one, sent again while it is imported, is that import. */
  start(caller: Caller, sent: SentFile): Promise<ListedFileImport>
  /** The newest imports of the caller's account, newest first. */
  list(caller: Caller): Promise<ListedFileImport[]>
  /** Fits the estimates to own sales that are stored. */
  calibrate(caller: Caller): Promise<CalibrationVerdict>
}

/** A work that imports a file, as its list tells it. */
export function listedFileImport(work: Work): ListedFileImport {
  const { name, bytes, kind, of } = work.input as FileImportInput
  const { imports = [], wasInterrupted = false } = work.result as Partial<ListedFileImport>
  const waitingSince = isUnderWay(work.status) ? (noWorkerSince(work, new Date()) ?? null) : null
  return {
    waitingSince,
    ...{ importId: work.workId, name, bytes, kind, of, status: work.status, done: work.done },
    ...{ imports, wasInterrupted, failure: work.status === 'failed' ? work.lastErrorMessage : null },
    ...{ createdAt: work.createdAt, finishedAt: work.finishedAt },
  }
}
