import { type Running, start } from './command-line.ts'
import { until } from './until.ts'

/** A service in a process of its own. */
export interface Serving extends Running {
  address: string
  /** Reads so far, by where they were made. */
  reads(): Promise<Record<string, number>>
}

/** Starts `serve` with these options and waits until it answers. */
export async function startServing(words: readonly string[]): Promise<Serving> {
  const running = start(['serve', ...words])
  const [, address = ''] = await running.says(/^ready (http\S+)$/m)
  return {
    ...running,
    address,
    async reads() {
      const text = await (await fetch(`${address}/metrics`)).text()
      const found = text.matchAll(/^rivalscope_reads_total\{from="([^"]+)"\} (\d+)$/gm)
      return Object.fromEntries([...found].map(([, from = '', count]) => [from, Number(count)]))
    },
  }
}

/** Replicas as services name them. */
export const replicaName = ({ url }: { url: string }) => url.replace(/^.*@/, '')

/** Waits until a service makes reads on a replica once more. @param read makes one */
export const readsOn = ({ reads }: Serving, replica: { url: string }, read: () => Promise<unknown>) =>
  until(
    async () => {
      const before = (await reads())[replicaName(replica)] ?? 0
      for (let each = 0; each < 4; each++) await read()
      return ((await reads())[replicaName(replica)] ?? 0) - before
    },
    (more) => more > 0,
  )
