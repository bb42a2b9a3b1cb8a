import { SdkHttpError } from '@modelcontextprotocol/client'
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { type ProblemCode, problems } from '../contract/problems.ts'
import { withJsonInText } from './json-in-text.ts'

/** Why a message has no result: the server refused it with a protocol error, or did not answer at all. */
export type Failure =
  | { kind: 'refused'; error: object }
  | { kind: 'lost' }
  | { kind: 'problem'; trouble: RelayProblem }

interface RelayProblem {
  code: ProblemCode
  title: string
  detail: string
  /** What the agent, or its user, can do. */
  next: string
}

const lost: RelayProblem = {
  code: 'unavailable',
  title: 'The server went away',
  detail: 'The connection ended before the answer was there; what was asked may have been done or not.',
  next: 'Ask again in a moment: reads and everything marked idempotent can be repeated without harm.',
}

/** Classifies an error thrown while sending a message. */
export function relayFailureOf(error: unknown, server: string, key: string | undefined): Failure {
  if (error instanceof SdkHttpError) return refusal(error, server, key)
  if (!(error instanceof TypeError)) return notOurs(server, 'what is no message of the protocol')
  const cause = causeOf(error)
  if (/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_BODY_TIMEOUT|UND_ERR_HEADERS_TIMEOUT)$/.test(cause))
    return { kind: 'lost' }
  return problem('unavailable', `No server answers at ${server} (${cause}).`, away, 'The server is away')
}

const notOurs = (server: string, what: string) =>
  problem('unavailable', `${server}/mcp answered ${what}.`, notRivalscope, 'This is no Rivalscope')

const away =
  'A person starts one with `rivalscope serve`, or names another address with --server or RIVALSCOPE_SERVER; calls made after that are answered.'
const notRivalscope =
  'A person checks the address given with --server or RIVALSCOPE_SERVER, and that the server there is new enough to have /mcp.'
const otherKey =
  'A person makes one with `rivalscope keys create --name agent --scopes context:read,content:write` where the server runs, and gives it to `rivalscope mcp` as RIVALSCOPE_KEY or in a profile. Asking again with the same key changes nothing.'

function refusal({ status, data }: SdkHttpError, server: string, key: string | undefined): Failure {
  // A proxy's response may repeat the request: the key is removed.
  const said = objectIn(key === undefined ? data.text : String(data.text).replaceAll(key, '…'))
  if (said.jsonrpc === '2.0' && typeof said.error === 'object' && said.error !== null)
    return { kind: 'refused', error: said.error }
  if (status === 401) {
    const detail =
      key === undefined
        ? `No key was given for ${server}.`
        : `${server} does not accept the key: it is unknown, expired or revoked.`
    return problem('unauthenticated', detail, otherKey)
  }
  const { code, detail } = said
  if (typeof code === 'string' && Object.hasOwn(problems, code) && code !== 'route-not-found')
    return problem(code as ProblemCode, String(detail), problems[code as ProblemCode].explanation)
  return notOurs(server, `with the status ${status}`)
}

function problem(
  code: ProblemCode,
  detail: string,
  next: string,
  title: string = problems[code].title,
): Failure {
  return { kind: 'problem', trouble: { code, title, detail, next } }
}

/** The failure for a user, in one line; undefined for refusals of the server itself, which are no connection problem. */
export function failureMessage(failure: Failure): string | undefined {
  if (failure.kind === 'refused') return undefined
  const { detail, next } = failure.kind === 'lost' ? lost : failure.trouble
  return `${detail} ${next}`
}

/** The answer to the client: for a tool a result an agent can act on, otherwise a protocol error. */
export function failureAnswerTo({ id, method, params }: JSONRPCRequest, failure: Failure): JSONRPCMessage {
  if (failure.kind === 'refused') return { jsonrpc: '2.0', id, error: failure.error } as JSONRPCMessage
  const trouble = failure.kind === 'lost' ? lost : failure.trouble
  const text = `${trouble.title} (${trouble.code}).\n${trouble.detail}\n${trouble.next}`
  if (method !== 'tools/call')
    return {
      jsonrpc: '2.0',
      id,
      error: { code: ProtocolErrorCode.InternalError, message: text, data: trouble },
    }
  const claim = (params?._meta as Record<string, unknown> | undefined)?.[PROTOCOL_VERSION_META_KEY]
  return {
    jsonrpc: '2.0',
    id,
    result: withJsonInText({
      // Protocol revisions that name themselves in every request require `resultType` in every result.
      ...(claim === undefined ? {} : { resultType: 'complete' }),
      isError: true,
      content: [{ type: 'text', text }],
      structuredContent: { ...trouble },
    }),
  }
}

/** Why `fetch` failed: a code such as `ECONNREFUSED`, otherwise the message. */
function causeOf({ cause, message }: Error): string {
  const {
    code,
    errors,
    message: words,
  } = Object(cause) as {
    code?: unknown
    errors?: { code?: unknown }[]
    message?: unknown
  }
  return String(code ?? errors?.[0]?.code ?? words ?? message)
}

/** The properties of a JSON object in a text; empty for anything else. */
function objectIn(text: unknown): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(text)))
  } catch {
    return {}
  }
}
