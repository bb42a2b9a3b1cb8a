import { isSupportedYear } from '../fields.ts'
import { statedTime } from '../times.ts'

/** A larger number counts milliseconds: in seconds it would be beyond the year 5000. */
const mostSeconds = 1e11

/** A time as collectors write it: RFC 3339, a date, or seconds or milliseconds since 1970, as number or digits. */
export function momentOf(value: string | number): Date | undefined {
  const text = String(value).trim()
  if (!/^\d{9,14}(?:\.\d+)?$/.test(text)) return typeof value === 'string' ? statedTime(text)?.at : undefined
  const number = Number(text)
  const at = new Date(Math.floor(number > mostSeconds ? number : number * 1000))
  return isSupportedYear(at) ? at : undefined
}
