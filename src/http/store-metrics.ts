import { Counter, Gauge, type Registry } from 'prom-client'
import { type StoreFigure, type StoreFigureName, storeFigures } from '../vocabulary/store-figures.ts'

/** Milliseconds for which figures of the store are reused, for several scrapers together. */
const servesMs = 10_000

/** Exports figures of a store, read at a scrape; only `rivalscope_store_up` while the store cannot be reached. */
export function watchStore(registry: Registry, ask: () => Promise<StoreFigure[]>): void {
  const registers = [registry]
  let last: { figures: Promise<StoreFigure[] | undefined>; until: number } | undefined
  /** The present figures; undefined while the store cannot be reached. */
  const current = () => {
    const now = performance.now()
    if (!last || last.until < now) last = { figures: ask().catch(() => undefined), until: now + servesMs }
    return last.figures
  }
  for (const [name, { help, labels }] of Object.entries(storeFigures) as [StoreFigureName, Described][]) {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    new Metric({
      name,
      help,
      labelNames: labels,
      registers,
      async collect() {
        const told = (await current())?.filter((one) => one.name === name) ?? []
        this.reset()
        // A metric without labels is 0 after a reset.
        if (labels.length === 0) this.remove()
        for (const one of told)
          this.inc(Object.fromEntries(labels.map((label, at) => [label, one.labels[at] ?? ''])), one.value)
      },
    })
  }
  new Gauge({
    name: 'rivalscope_store_up',
    help: 'Whether the store answers: 0 while it cannot be reached, and then nothing else is told of it.',
    registers,
    async collect() {
      this.set((await current()) ? 1 : 0)
    },
  })
}

interface Described {
  help: string
  labels: readonly string[]
}
