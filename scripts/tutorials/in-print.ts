import { recordedAt } from '../sample-service.ts'

/** Ids, cursors and tokens that are made while a tutorial is performed, and differ each time. */
const made = {
  'pv1.…': /\bpv1\.[\w-]+/g,
  '019…': /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g,
}

/**
 * How what is printed stands in a tutorial, and what its commands mean. What differs each time is shortened to its beginning
 * and a `…`, which stands for the newest of its kind in the commands that follow; days of the database's clock are the day of the
 * demo.
 */
export function inPrint(began: Date): { shown(output: string): string; meant(line: string): string } {
  const newest = new Map<string, string>()
  const demoDay = dayOf(recordedAt)
  const demoTime = recordedAt.toISOString().slice(0, 16).replace('T', ' ')

  return {
    shown(output) {
      let text = output.replaceAll(/--cursor \S+/g, '--cursor …')
      for (const [short, pattern] of Object.entries(made))
        text = text.replaceAll(pattern, (whole) => {
          if (short === '019…' && !isMadeNow(whole)) return whole
          newest.set(short, whole)
          return short
        })
      // The database's clock goes on: what it dates is dated as the demo's evening.
      for (const day of [dayOf(began), today()])
        if (day !== demoDay)
          text = text.replaceAll(new RegExp(`${day} \\d\\d:\\d\\d`, 'g'), demoTime).replaceAll(day, demoDay)
      return text
    },
    meant(line) {
      return line.replaceAll(/\S+…/g, (short) => {
        const whole = newest.get(short)
        if (!whole) throw new Error(`Nothing printed before stands for ${short} in: ${line}`)
        return whole
      })
    },
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
/** The day by the machine's clock, while that of this process stands still. */
const today = (): string => dayOf(new Date(performance.timeOrigin + performance.now()))

/** Whether an id is not one of the demo's own, which are the same on every machine. */
const isMadeNow = (id: string): boolean =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= recordedAt.getTime() - 3_600_000
