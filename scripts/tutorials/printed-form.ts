import { recordedAt } from '../sample-service.ts'

/** Ids, cursors and tokens that are made while a tutorial is performed, and differ each time. */
const made = {
  'pv1.…': /\bpv1\.[\w-]+/g,
  '019…': /\b[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g,
}

/**
 * How what is printed stands in a tutorial, and what its commands mean. What differs each time is shortened to its beginning
 * and a `…`, which stands for the newest of its kind in the commands that follow.
 */
export function printedForm(): { shown(output: string): string; meant(line: string): string } {
  const newest = new Map<string, string>()

  return {
    shown(output) {
      let text = output.replaceAll(/--cursor \S+/g, '--cursor …')
      for (const [short, pattern] of Object.entries(made))
        text = text.replaceAll(pattern, (whole) => {
          if (short === '019…' && !isMadeNow(whole)) return whole
          newest.set(short, whole)
          return short
        })
      return text.replaceAll(soonAfter, minute)
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

const minute = recordedAt.toISOString().slice(0, 16).replace('T', ' ')
/** The database's clock goes on while tutorials are performed: its minutes until what expires a quarter of an hour after. */
const soonAfter = new RegExp(`${minute.slice(0, -2)}(?:0\\d|1[0-4])`, 'g')

/** Whether an id is not one of the demo's own, which are the same on every machine. */
const isMadeNow = (id: string): boolean =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) >= recordedAt.getTime() - 3_600_000
