import { refuseInput } from './problem.ts'

/** A history may span three years: a point for every day. */
const longestWindowDays = 1_100

/** Refuses a window of days that is too long; one without an end ends today. @throws Problem `invalid-request` */
export function refuseLongWindow({ from, to }: { from?: string | undefined; to?: string | undefined }): void {
  if (from && Date.parse(to ?? new Date().toISOString()) - Date.parse(from) > longestWindowDays * 86_400_000)
    refuseInput([{ pointer: '/query/from', message: `a window spans at most ${longestWindowDays} days` }])
}
