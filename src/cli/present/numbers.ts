const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** A number with thousands separators; large ones without decimals. */
export function number(value: number): string {
  return (Math.abs(value) >= 1000 ? whole : plain).format(value)
}

/** A share as a percentage. */
export function percent(share: number): string {
  const hundredths = share * 100
  return `${hundredths >= 10 || hundredths === 0 ? Math.round(hundredths) : hundredths.toFixed(1)}%`
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  return count < 1e6 ? `${(count / 1e3).toFixed(1)} kB` : `${(count / 1e6).toFixed(1)} MB`
}

export function seconds(count: number): string {
  if (count < 90) return `${number(count)} s`
  return count < 5400 ? `${number(Math.round(count / 60))} min` : `${number(Math.round(count / 360) / 10)} h`
}

/** A price; zero is shown as a word. */
export function money(value: number, currency: string): string {
  return value === 0 ? 'free' : amount(value, currency)
}

/** A number that may be in a currency. */
export function amount(value: number, currency?: string): string {
  if (!currency) return number(value)
  if (!/^[A-Z]{3}$/.test(currency)) return `${number(value)} ${currency}`
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    ...(Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : {}),
  }).format(value)
}

/** The date of a time in UTC, as replies write both. */
export const day = (time: string) => time.slice(0, 10)

/** The date and the minute of a time, in UTC. */
export const minute = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
