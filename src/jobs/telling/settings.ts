import { z } from 'zod'
import { isTimeZone, minutesOf } from '../../domain/watches/times.ts'
import { WatchDefinition } from '../../domain/watches/watch.ts'

const Clock = z.string().transform((text, context) => {
  const minutes = minutesOf(text)
  if (minutes !== undefined) return minutes
  context.addIssue({ code: 'custom', message: `"${text.slice(0, 20)}" is no time such as 07:30` })
  return z.NEVER
})

export const TimeZone = z.string().refine(isTimeZone, {
  error: ({ input }) => `"${String(input).slice(0, 60)}" is no time zone such as Europe/Berlin`,
})

/** When an account wants to be told. */
const Times = z.strictObject({
  timeZone: TimeZone.default('UTC'),
  quietHours: z.strictObject({ from: Clock, until: Clock }).optional(),
})

/** The `watches` section of a configuration file: what accounts watch, and how they are told (docs/watches.md). */
export const WatchSettings = z.strictObject({
  /** Where links lead; `RIVALSCOPE_PUBLIC_URL` when left out. */
  publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Webhooks in the operator's own network, and over plain http. */
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

/** How accounts are told. */
export interface Telling {
  settings: WatchSettings
  /** Where links lead, without a slash at the end. */
  publicUrl: string
}

const usualUrl = 'http://127.0.0.1:8787'

export function tellingOn(settings: WatchSettings, environment: Record<string, string | undefined>): Telling {
  const publicUrl = settings.publicUrl ?? (environment.RIVALSCOPE_PUBLIC_URL?.trim() || usualUrl)
  return { settings, publicUrl: publicUrl.replace(/\/+$/, '') }
}
