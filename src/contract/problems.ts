/**
 * Every failure a caller can meet, by code. The HTTP status is here so that one table maps codes to statuses; only the HTTP
 * door reads it. `explanation` becomes the problems page of the reference.
 */
export interface ProblemKind {
  status: number
  title: string
  /** The failure, and what the caller can do about it. */
  explanation: string
}

export const problems = {
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A parameter, a body property or the request itself is malformed, unknown or out of range. `errors` names each offending place with a JSON pointer (`/query/country`, `/body/kinds/0`). A write by which the account would keep more than the operator lets it is refused so, too: `detail` says the limit and what is kept. Nothing was stored.',
  },
  'invalid-cursor': {
    status: 400,
    title: 'The cursor is not valid',
    explanation:
      'The cursor is damaged, belongs to another list, or was made for other parameters. Start again without a cursor, and pass `nextCursor` unchanged.',
  },
  unauthenticated: {
    status: 401,
    title: 'No valid credential',
    explanation:
      'Send `Authorization: Bearer <API key or JWT>`. The credential is missing, unknown, expired or revoked; the reply does not say which. An operator makes keys with `rivalscope keys create`.',
  },
  'scope-missing': {
    status: 403,
    title: 'The credential lacks the scope',
    explanation:
      'The credential is valid but does not hold the scope of this operation, named in `detail`. Neither scope implies the other.',
  },
  'evidence-not-allowed': {
    status: 403,
    title: 'The credential may not bring evidence',
    explanation:
      'The operator does not let this credential bring evidence of its own: inline ad records and links. Queries of the ad libraries are open to it, and so is withdrawing what its account brought. The operator decides with `--bring-evidence` of `rivalscope keys create`, and for tokens with `--jwt-evidence-claim`.',
  },
  'not-an-admin': {
    status: 403,
    title: 'The credential does not administer its account',
    explanation:
      'Keys of an account are made, renewed and ended by its admins, and files with evidence that all accounts see are imported by them: keys that the operator made with `rivalscope keys create --admin`, and people whom the OpenID provider names as such (`--jwt-admin-claim`).',
  },
  'not-an-operator': {
    status: 403,
    title: 'The account does not operate this installation',
    explanation:
      'Requests of all accounts, collecting by hand and the schedule are for admins of the accounts that the operator names in the configuration, as `web.operators`.',
  },
  'origin-refused': {
    status: 403,
    title: 'Not from this page',
    explanation:
      'A browser called for a page that is not allowed to, or by a name this service is not reached by. `/mcp` answers programs, and pages of the origins that the operator allows with `--cors-origin`. With the session of a person, only the pages of this service call: behind a proxy, it knows its own address by `--public-url` or `--trust-proxy`.',
  },
  'route-not-found': {
    status: 404,
    title: 'No such address',
    explanation: 'Nothing is served at this path. The operations are listed in the reference.',
  },
  'competitor-not-found': {
    status: 404,
    title: 'The app is not in the catalogue',
    explanation:
      'No evidence of this app is stored. `intake` says whether it is being taken in because this account asked, and in which storefront; `request_ios_competitor` asks for it.',
  },
  'chart-not-found': {
    status: 404,
    title: 'The chart was never observed',
    explanation:
      'No snapshot of this chart (country, kind, category, device) is stored. `storedCharts` names charts that are stored for the country, or for others where it has none.',
  },
  'snapshot-not-found': {
    status: 404,
    title: 'No snapshot on that date',
    explanation:
      'The chart is known, but no snapshot of it was stored for the date asked for: this says nothing about any rank. `detail` names the nearest dates that have one.',
  },
  'post-not-found': {
    status: 404,
    title: 'The post is not in the library',
    explanation:
      'No observation of this organic post is stored. `search_organic_content` finds those that are.',
  },
  'paid-ad-not-found': {
    status: 404,
    title: 'The ad is not in the library',
    explanation: 'No observation of this paid ad is stored. `search_paid_ads` finds those that are.',
  },
  'decision-not-found': {
    status: 404,
    title: 'No such decision',
    explanation:
      'This account has no standing decision about these ads or this advertiser and the app: it never made one, withdrew it, or another one took its place.',
  },
  'import-run-not-found': {
    status: 404,
    title: 'No such import run',
    explanation: 'This account has no import run with this id. `admin_import_paid_ads` answered it as `runId`.',
  },
  'tracked-app-not-found': {
    status: 404,
    title: 'The app is not tracked',
    explanation:
      'This account tracks no app with this id. `list_aso_apps` has the ids of those it tracks, which are no App Store ids.',
  },
  'keyword-not-found': {
    status: 404,
    title: 'The keyword is not tracked',
    explanation:
      'The tracked app has no keyword with this id. `get_aso_workstation` has the ids of those it has.',
  },
  'key-not-found': {
    status: 404,
    title: 'No such key',
    explanation:
      'This account has no valid key with this id: it never had one, or that was revoked or has expired.',
  },
  'request-not-found': {
    status: 404,
    title: 'No such open request',
    explanation: 'No account has an open data request with this id: there never was one, or it has ended.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The address does not answer this method',
    explanation: 'The path exists, but not with this method. `Allow` lists the methods that work.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request did not arrive in time',
    explanation:
      'A request has 60 seconds to arrive whole, its body included. Nothing was done. The connection is closed.',
  },
  'already-running': {
    status: 409,
    title: 'A request with this key is still running',
    explanation: 'The first request with this `Idempotency-Key` has not ended yet. Ask again in a moment.',
  },
  'import-under-way': {
    status: 409,
    title: 'Another file is being imported',
    explanation:
      'Files of an account are read and imported one at a time, whoever of it sent them and from whichever page. `detail` says which one is under way. Nothing was stored: send the file again when that one has ended. Calibrations by own sales are made one at a time, too.',
  },
  'draft-changed': {
    status: 409,
    title: 'The draft was changed since',
    explanation:
      'Somebody changed or removed this draft of a listing after it was read, in another tab or of the same account. Nothing was stored: read `/listing-drafts` anew, and send `version` as it is there, or null where the draft is gone.',
  },
  'not-retryable': {
    status: 409,
    title: 'The run cannot be retried',
    explanation: 'Only failed or partial runs can be retried; this one is queued, running or succeeded.',
  },
  'preview-expired': {
    status: 409,
    title: 'The preview has expired',
    explanation: 'A preview token lasts 15 minutes and is bound to its arguments. Make a new preview.',
  },
  'idempotency-mismatch': {
    status: 409,
    title: 'The idempotency key was used for something else',
    explanation:
      'This `Idempotency-Key` was sent within the last 24 hours by the same credential and account with another operation or other arguments. The order of properties, blanks around texts and values that equal their defaults make no other request. Use a new key.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    explanation:
      'Bodies over 1 MiB are refused, and files of `/file-imports` over 64 MiB. Send several smaller requests or import a file with the CLI.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body is not JSON',
    explanation: 'Bodies are JSON in UTF-8: send `Content-Type: application/json`.',
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The credential or its account has used up its requests for this window, or too many credentials that do not hold came from this address. `Retry-After` says how many seconds to wait; `RateLimit` and `RateLimit-Policy` on every reply say how many are left.',
  },
  internal: {
    status: 500,
    title: 'The service failed',
    explanation:
      'A fault of the service. The operator finds the cause in the log under the `requestId` given here.',
  },
  'upstream-failed': {
    status: 502,
    title: 'The source failed',
    explanation:
      'The upstream source answered with an error or with something unreadable, or wants to be left alone for now: then `Retry-After` says for how long, and it was not asked. Stored evidence is unchanged.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available now',
    explanation:
      'The store cannot be reached or cannot write, took too long over this one request, or the service is stopping. Try again shortly.',
  },
  'source-not-configured': {
    status: 503,
    title: 'The source is not configured',
    explanation: 'The operator has not configured this source. `detail` names the variable that is missing.',
  },
  'upstream-timeout': {
    status: 504,
    title: 'The source did not answer in time',
    explanation: 'The upstream source took too long. Stored evidence is unchanged; try again later.',
  },
} as const satisfies Record<string, ProblemKind>

export type ProblemCode = keyof typeof problems

/** Problems that any operation can return, so that rows name only their particular ones. */
export const commonProblems = [
  'invalid-request',
  'unauthenticated',
  'scope-missing',
  'rate-limited',
  'internal',
  'unavailable',
] as const satisfies readonly ProblemCode[]

/** Problems of `Idempotency-Key`, which any POST can carry. */
export const idempotencyProblems = [
  'already-running',
  'idempotency-mismatch',
] as const satisfies readonly ProblemCode[]

/** Problems of any body. */
export const bodyProblems = [
  'request-timeout',
  'body-too-large',
  'unsupported-media-type',
] as const satisfies readonly ProblemCode[]

/** Problems of `/mcp` only. */
export const mcpProblems = ['origin-refused'] as const satisfies readonly ProblemCode[]

/** Problems of `/requests` and `/collecting` only. */
export const operatingProblems = [
  'not-an-operator',
  'request-not-found',
] as const satisfies readonly ProblemCode[]

/** Problems of `/keys` only. */
export const keyProblems = ['not-an-admin', 'key-not-found'] as const satisfies readonly ProblemCode[]

/** Problems of `/file-imports` only. */
export const fileImportProblems = ['import-under-way'] as const satisfies readonly ProblemCode[]

/** Problems of `/listing-drafts` only. */
export const draftProblems = ['draft-changed'] as const satisfies readonly ProblemCode[]

/** Problems of the address itself, found before any operation is. */
export const addressProblems = [
  'route-not-found',
  'method-not-allowed',
] as const satisfies readonly ProblemCode[]
