import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import manifest from 'rivalscope/package.json' with { type: 'json' }
import { refusalOfAddress } from '../media/refusals.ts'
import { NotificationFailure } from './failure.ts'

export interface WebhookSettings {
  /** Whether hosts of the operator's own network, and plain http, are allowed. */
  allowPrivateAddresses: boolean
  /** Limit for the whole exchange. */
  timeoutSeconds: number
}

export interface SignedMessage {
  url: string
  /** The same for each attempt, and different for other contents. */
  id: string
  /** JSON. */
  body: string
  /** `whsec_` and a key in Base64. */
  secret: string
}

/** Most bytes of a response that are read; the rest is ignored. */
const mostAnswerBytes = 65_536
/** Statuses after which a retry of this message cannot succeed. */
const finalStatuses = new Set([400, 410, 413, 422])

/** Why a URL is not called, in words; undefined when it may be. The addresses of its host are checked with each message. */
export function refusalOfWebhook(
  address: string,
  { allowPrivateAddresses }: Pick<WebhookSettings, 'allowPrivateAddresses'>,
): string | undefined {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'It is no https address.'
  if (address.length > 2_000) return 'It has more than 2,000 characters.'
  if (url.username !== '' || url.password !== '') return 'It carries credentials.'
  if (allowPrivateAddresses) return undefined
  if (url.protocol !== 'https:') return 'Only https is used, unless watches.allowPrivateAddresses is set.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : refusalOfAddress(host)
}

/**
 * The headers of a signed message: its id, the time of the attempt in seconds since 1970, and `v1,` with the HMAC-SHA256 of
 * `id.time.body` in Base64. The time is signed, so that old messages can be refused.
 * Source: the Standard Webhooks specification.
 */
function signatureHeaders({ id, body, secret }: SignedMessage, at: Date): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` }
}

/**
 * Posts a message and checks the status. Follows no redirect.
 * @throws NotificationFailure, or the signal's reason when it aborts
 */
export async function postWebhook(
  message: SignedMessage,
  settings: WebhookSettings,
  signal: AbortSignal,
): Promise<void> {
  const refusal = refusalOfWebhook(message.url, settings)
  if (refusal) throw new NotificationFailure(refusal)
  const clock = AbortSignal.timeout(settings.timeoutSeconds * 1_000)
  try {
    await post(message, settings, AbortSignal.any([signal, clock]))
  } catch (error) {
    signal.throwIfAborted()
    if (clock.aborted)
      throw new NotificationFailure(`The receiver did not answer within ${settings.timeoutSeconds} s.`)
    if (error instanceof NotificationFailure) throw error
    throw new NotificationFailure(`The receiver cannot be reached (${codeOf(error)}).`, { cause: error })
  }
}

async function post(
  message: SignedMessage,
  { allowPrivateAddresses }: WebhookSettings,
  signal: AbortSignal,
): Promise<void> {
  const { body } = message
  const url = new URL(message.url)
  const host = await hostOf(url, allowPrivateAddresses, signal)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    send(
      {
        method: 'POST',
        // The checked address: a second look-up of the name could return another one.
        host,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        ...(isIP(url.hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: url.hostname } : {}),
        path: `${url.pathname}${url.search}`,
        agent: false,
        signal,
        headers: {
          host: url.host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': `Rivalscope/${manifest.version}`,
          ...signatureHeaders(message, new Date()),
        },
      },
      resolve,
    )
      .on('error', reject)
      .end(body)
  })
  await readSome(response)
  const { statusCode: status = 0 } = response
  if (status >= 200 && status < 300) return
  const redirected = status >= 300 && status < 400 ? ', and redirects are not followed' : ''
  throw new NotificationFailure(`The receiver answered ${status}${redirected}.`, {
    isFinal: finalStatuses.has(status),
  })
}

async function hostOf(url: URL, allowPrivate: boolean, signal: AbortSignal): Promise<string> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses =
    isIP(name) === 0 ? (await lookup(name, { all: true })).map(({ address }) => address) : [name]
  signal.throwIfAborted()
  const [first] = addresses
  if (first === undefined) throw new NotificationFailure('The host of the receiver has no address.')
  const refused = allowPrivate ? undefined : addresses.map(refusalOfAddress).find((why) => why !== undefined)
  if (refused) throw new NotificationFailure(`The receiver is not called: ${refused}`)
  return addresses.find((address) => isIP(address) === 4) ?? first
}

async function readSome(response: IncomingMessage): Promise<void> {
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Uint8Array).byteLength
    if (size > mostAnswerBytes) break
  }
  response.destroy()
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : 'no code')
