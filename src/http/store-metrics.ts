import { Counter, Gauge, type Registry } from 'prom-client'
import { type StoreFigure, type StoreFigureName, storeFigures } from '../vocabulary/store-figures.ts'

/** Milliseconds for which what the store said serves: several watchers ask it once. */
const servesMs = 10_000

/** Tells what a store says of itself, asked at a look; `rivalscope_store_up` alone while it cannot be asked. */
export function watchStore(registry: Registry, ask: () => Promise<StoreFigure[]>): void {
  const registers = [registry]
  let last: { figures: Promise<StoreFigure[] | undefined>; until: number } | undefined
  /** Undefined while the store cannot be asked. */
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
        // One without labels is 0 after a reset.
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
