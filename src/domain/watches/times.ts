import { DateTime, IANAZone } from 'luxon'

/** The times at which an account may be notified. */
export interface AccountTimes {
  /** IANA name, such as `Europe/Berlin`. */
  timeZone: string
  /** Minutes after midnight in that zone between which nothing is sent; null for no quiet hours. */
  quietFrom: number | null
  quietUntil: number | null
}

export const defaultTimes: AccountTimes = { timeZone: 'UTC', quietFrom: null, quietUntil: null }

export const isTimeZone = (name: string) => IANAZone.isValidZone(name)

/** Minutes after midnight of a time such as `07:30`; undefined for anything else. */
export function minutesOfClock(clock: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(clock) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

export const clockOfMinutes = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Whether a moment is in the quiet hours, which may span midnight. */
export function isInQuietHours({ timeZone, quietFrom, quietUntil }: AccountTimes, at: Date): boolean {
  if (quietFrom === null || quietUntil === null) return false
  const local = DateTime.fromJSDate(at, { zone: timeZone })
  const minute = local.hour * 60 + local.minute
  return quietFrom <= quietUntil
    ? minute >= quietFrom && minute < quietUntil
    : minute >= quietFrom || minute < quietUntil
}
