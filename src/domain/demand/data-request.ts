import type { DataKind, RequestStatus } from '../../vocabulary/data-requests.ts'

/** One account's request for one kind of data about one app in one storefront. */
export interface DataRequest {
  requestId: string
  /** Digits. */
  storeId: string
  country: string
  kind: DataKind
  status: RequestStatus
  /** How many times it was requested. */
  demand: number
  firstRequestedAt: Date
  lastRequestedAt: Date
  /** When it was fulfilled or dismissed; null while it is open. */
  closedAt: Date | null
  /** The newest note. */
  note: string | null
  /** The operator's reason, where it was dismissed with one. */
  dismissalReason: string | null
}

export interface DataRequestInput {
  accountId: string
  storeId: string
  country: string
  kinds: readonly DataKind[]
  note: string | undefined
}
