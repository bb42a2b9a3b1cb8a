/**
 * Loaded into a process before its own program (`node --import`): notes when its event loop comes to a timer late, and how much of
 * that time its thread computed. What is left of it the thread waited for a core. Written to a file when the process ends.
 */
import { writeFileSync } from 'node:fs'
import type { Delay } from './waits.ts'

/** The variable that names the file. */
const file = process.env.RIVALSCOPE_BENCH_LOOP_FILE
const everyMs = 10
/** Shorter delays are not noted. */
const leastMs = 20

if (file) {
  const delays: Delay[] = []
  let [due, used] = [performance.now() + everyMs, usedMs()]
  setInterval(() => {
    const [now, usedNow] = [performance.now(), usedMs()]
    const lateMs = now - due
    if (lateMs > leastMs)
      delays.push({ at: performance.timeOrigin + due, lateMs, ownMs: Math.min(lateMs, usedNow - used) })
    ;[due, used] = [now + everyMs, usedNow]
  }, everyMs).unref()
  process.once('exit', () => writeFileSync(file, JSON.stringify(delays)))
}

/** Milliseconds of processor time of this thread. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
