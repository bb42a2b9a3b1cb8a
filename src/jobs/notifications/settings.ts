import { z } from 'zod'
import { isTimeZone, minutesOfClock } from '../../domain/watches/times.ts'
import { WatchDefinition } from '../../domain/watches/watch.ts'
import { type SmtpServer, smtpServerOf } from '../../sources/notifications/mail.ts'

const Clock = z.string().transform((text, context) => {
  const minutes = minutesOfClock(text)
  if (minutes !== undefined) return minutes
  context.addIssue({ code: 'custom', message: `"${text.slice(0, 20)}" is no time such as 07:30` })
  return z.NEVER
})

export const TimeZone = z.string().refine(isTimeZone, {
  error: ({ input }) => `"${String(input).slice(0, 60)}" is no time zone such as Europe/Berlin`,
})

/** An e-mail address without a display name. */
export const MailAddress = z.email({ error: 'must be an address such as me@example.com' }).max(254)

/** The time zone and quiet hours of an account's notifications. */
const Times = z.strictObject({
  timeZone: TimeZone.default('UTC'),
  quietHours: z.strictObject({ from: Clock, until: Clock }).optional(),
})

/** The `watches` section of a configuration file: watches of accounts, and how they are notified (docs/watches.md). */
export const WatchSettings = z.strictObject({
  /** Base address of links; `RIVALSCOPE_PUBLIC_URL` when left out. */
  publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** The sender of mail; `RIVALSCOPE_MAIL_FROM` when left out. */
  mailFrom: MailAddress.optional(),
  /**
   * Allows webhooks in the operator's own network and over plain http, also those that accounts add on the pages, and a mail server's
   * password without TLS.
   */
  allowPrivateAddresses: z.boolean().default(false),
  timeoutSeconds: z.number().min(1).max(60).default(10),
  accounts: z
    .array(
      z.strictObject({
        account: z.string().min(1).max(200),
        times: Times.optional(),
        watch: z.array(WatchDefinition).max(500).default([]),
      }),
    )
    .refine((accounts) => new Set(accounts.map(({ account }) => account)).size === accounts.length, {
      error: 'must name each account once',
    })
    .default([]),
})

export type WatchSettings = z.output<typeof WatchSettings>

/** How accounts are notified. */
export interface Notifications {
  settings: WatchSettings
  /** Base address of links, without a trailing slash; undefined where none is configured. */
  publicUrl: string | undefined
  /** The mail server and the sender; a sentence that names the missing setting where mail is not configured. */
  mail: { server: SmtpServer; from: string } | string
  /** Why nothing is sent to anybody, as in the demo; undefined where it is. */
  notSent?: string | undefined
}

/** Base address of links that must name a host, where none is configured. It leads nowhere from another machine. */
export const defaultUrl = 'http://127.0.0.1:8787'

type Environment = Record<string, string | undefined>

export function notificationsFrom(settings: WatchSettings, environment: Environment): Notifications {
  const publicUrl = settings.publicUrl ?? (environment.RIVALSCOPE_PUBLIC_URL?.trim() || undefined)
  return { settings, publicUrl: publicUrl?.replace(/\/+$/, ''), mail: mailOn(settings, environment) }
}

function mailOn(settings: WatchSettings, environment: Environment): Notifications['mail'] {
  const wrong = invalidMailVariable(environment)
  if (wrong !== undefined) return `Email is not set up: ${wrong}.`
  const address = environment.RIVALSCOPE_SMTP_URL?.trim() || undefined
  const server = address === undefined ? undefined : smtpServerOf(address)
  const from = settings.mailFrom ?? (environment.RIVALSCOPE_MAIL_FROM?.trim() || undefined)
  if (typeof server !== 'object') return 'Email is not set up: RIVALSCOPE_SMTP_URL is missing.'
  if (from === undefined)
    return 'Email is not set up: it has no sender, watches.mailFrom or RIVALSCOPE_MAIL_FROM.'
  return { server, from }
}

/** A message about an invalid e-mail variable, without its value, which may be a secret; undefined when all are valid. */
export function invalidMailVariable(environment: Environment): string | undefined {
  const address = environment.RIVALSCOPE_SMTP_URL?.trim() ?? ''
  const server = address === '' ? undefined : smtpServerOf(address)
  if (typeof server === 'string') return `RIVALSCOPE_SMTP_URL ${server}`
  const from = environment.RIVALSCOPE_MAIL_FROM?.trim() ?? ''
  if (from === '' || MailAddress.safeParse(from).success) return undefined
  return 'RIVALSCOPE_MAIL_FROM is no address such as me@example.com'
}
