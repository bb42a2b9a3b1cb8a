/** What is used of the package, which has no types of its own. */
declare module 'luxon' {
  export class DateTime {
    static fromFormat(text: string, format: string, options: { zone: 'utc'; locale: 'en' }): DateTime
    readonly isValid: boolean
    toJSDate(): Date
  }
}
