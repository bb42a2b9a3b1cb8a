import pino, { type Logger } from 'pino'

const secrets = [
  [/\bBearer\s+[A-Za-z0-9._~+/=-]+/gi, 'Bearer [redacted]'],
  [/\brsk_[A-Za-z0-9_-]{8,}/g, 'rsk_[redacted]'],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g, '[redacted]'],
  [/(\/(?:feeds|shared)\/)[^/?#\s"']+/g, '$1[redacted]'],
  [/(\/session\/link\/)[^/?#\s"']+/g, '$1[redacted]'],
  [/([?&](?:access_token|token|key|secret|client_secret|code|state)=)[^&\s"']+/gi, '$1[redacted]'],
  [/(:\/\/[^:/@\s]{1,200}:)[^@\s]{1,500}@/g, '$1[redacted]@'],
] as const

/** Text with all keys, tokens and passwords removed. */
export function withoutSecrets(text: string): string {
  return secrets.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
}

/** Lines are written in batches of these bytes: one write per line would take a seventh of the time of a busy service. */
const writtenTogether = 8_192
const writtenWithinMs = 100

/** Logs JSON lines to standard error, at most a tenth of a second late; standard output is for the results of commands. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ['*.authorization', '*.headers.authorization', 'authorization', '*.token', '*.secret'],
        censor: '[redacted]',
      },
      serializers: {
        err: (error: Error) => {
          const { type, message, stack } = pino.stdSerializers.err(error)
          return { type, message: withoutSecrets(message), stack: withoutSecrets(stack) }
        },
      },
    },
    pino.destination({ fd: 2, sync: false, minLength: writtenTogether, periodicFlush: writtenWithinMs }),
  )
}

/** Why a connection failed. The error of several attempted addresses has no message itself: those of the attempts are joined. */
export function connectionFailureReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(connectionFailureReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}
