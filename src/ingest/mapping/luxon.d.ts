/** What is used of the package, which has no types of its own. */
declare module 'luxon' {
  export class DateTime {
    static fromFormat(text: string, format: string, options: { zone: 'utc'; locale: 'en' }): DateTime
    static fromJSDate(date: Date, options: { zone: string }): DateTime
    readonly isValid: boolean
    readonly hour: number
    readonly minute: number
    toJSDate(): Date
  }

  export const IANAZone: { isValidZone(name: string): boolean }
}
