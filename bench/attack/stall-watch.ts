/**
 * Preloaded into a service under attack: reports on standard error how long one task blocked the event loop, in milliseconds
 * of processor time, so that a busy machine is not mistaken for a stall.
 */
const everyMs = 5
const tellFromMs = 100

const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

let before = spent()
setInterval(() => {
  const now = spent()
  if (now - before >= tellFromMs) process.stderr.write(`stall ${Math.round(now - before)} ms\n`)
  before = now
}, everyMs).unref()
