import { isIP } from 'node:net'
import { NotificationFailure } from './failure.ts'

/** A mail server, parsed from `RIVALSCOPE_SMTP_URL`. */
export interface SmtpServer {
  host: string
  port: number
  /** TLS from the first byte; otherwise STARTTLS where the server offers it. */
  secure: boolean
  /** Null for a server without authentication. */
  login: { user: string; pass: string } | null
}

export interface Mail {
  /** Addresses without display names. */
  from: string
  to: string
  subject: string
  text: string
  html: string
  /** With angle brackets; the same for each attempt. */
  messageId: string
}

export interface MailSettings {
  /** Whether a password may be sent without TLS. */
  allowPrivateAddresses: boolean
  /** Limit for the whole exchange. */
  timeoutSeconds: number
}

/** Most characters of a server's reply that are kept. */
const mostWords = 300
/** Reply codes about the operator's login, at whatever step they come. */
const loginReplies = new Set([530, 534, 535, 538])

/** Parses the address of a mail server, `smtps://user:pass@mail.example.com`. A sentence, without the address, if invalid. */
export function smtpServerOf(address: string): SmtpServer | string {
  const url = URL.parse(address)
  if (!url || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    return 'is no address such as smtps://user:password@mail.example.com'
  if (url.search !== '' || url.hash !== '' || !['', '/'].includes(url.pathname))
    return 'holds more than a server, a port and a login'
  if ((url.username === '') !== (url.password === '')) return 'names a user or a password alone'
  const secure = url.protocol === 'smtps:'
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      login: user === '' ? null : { user, pass },
    }
  } catch {
    return 'holds a % that is not part of an encoded character'
  }
}

/**
 * Sends a message to the server.
 * @throws NotificationFailure with the server's words, final where it refuses the recipient or the message for good; the signal's
 * reason when it aborts
 */
export async function sendMail(
  server: SmtpServer,
  { from, to, ...mail }: Mail,
  { allowPrivateAddresses, timeoutSeconds }: MailSettings,
  signal: AbortSignal,
): Promise<void> {
  const { host, port, secure, login } = server
  const milliseconds = timeoutSeconds * 1_000
  const clock = AbortSignal.timeout(milliseconds)
  // Loaded on demand: every command reads the settings of mail, but few send any.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure,
    ...(login ? { auth: login, forceAuth: true, requireTLS: !secure && !allowPrivateAddresses } : {}),
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    dnsTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      ...mail,
      from: { name: 'Rivalscope', address: from },
      to: { name: '', address: to },
      headers: { 'Auto-Submitted': 'auto-generated' },
      signal: AbortSignal.any([signal, clock]),
    })
  } catch (error) {
    signal.throwIfAborted()
    if (clock.aborted)
      throw new NotificationFailure(`The mail server did not answer within ${timeoutSeconds} s.`)
    throw failureOf(error)
  } finally {
    transport.close()
  }
}

function failureOf(error: unknown): NotificationFailure {
  const { code, command, response, responseCode } = error as {
    code?: unknown
    command?: unknown
    response?: unknown
    responseCode?: unknown
  }
  if (typeof responseCode !== 'number' || typeof response !== 'string')
    return new NotificationFailure(`The mail server cannot be reached (${String(code ?? 'no code')}).`, {
      cause: error,
    })
  const what =
    { 'RCPT TO': 'the recipient', 'MAIL FROM': 'the sender', DATA: 'the message', STARTTLS: 'TLS' }[
      String(command)
    ] ?? (code === 'EAUTH' ? 'the login' : 'the exchange')
  const words = response.replaceAll(/\p{Cc}+/gu, ' ').slice(0, mostWords)
  const ofMessage = command === 'RCPT TO' || command === 'DATA'
  return new NotificationFailure(`The mail server refused ${what}: ${words}`, {
    isFinal: ofMessage && responseCode >= 500 && !loginReplies.has(responseCode),
    cause: error,
  })
}
