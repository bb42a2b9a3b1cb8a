/**
 * Seconds of processor time of this process while something is done: unlike those of the clock, hardly more on a busy machine. Reading that
 * grows with the square of a text takes minutes.
 */
export async function processorSeconds(perform: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await perform()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000_000
}
