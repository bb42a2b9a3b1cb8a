/** What is used of the package, which has no types of its own. */
declare module 'luxon' {
  export class DateTime {
    static fromFormat(text: string, format: string, options: { zone: 'utc'; locale: 'en' }): DateTime
    static fromISO(text: string, options: { zone: string }): DateTime
    static fromJSDate(date: Date, options: { zone: string }): DateTime
    readonly isValid: boolean
    readonly hour: number
    readonly minute: number
    startOf(unit: 'day' | 'week'): DateTime
    set(values: { hour: number }): DateTime
    plus(duration: { days: number }): DateTime
    minus(duration: { days?: number; weeks?: number; milliseconds?: number }): DateTime
    hasSame(other: DateTime, unit: 'day' | 'month' | 'year'): boolean
    toFormat(format: string, options: { locale: 'en' }): string
    valueOf(): number
    toJSDate(): Date
  }

  export const IANAZone: { isValidZone(name: string): boolean }
}
