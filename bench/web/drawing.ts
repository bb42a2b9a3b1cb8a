/**
 * How long 20 series of 365 days take through the chart component of the pages: from the new values to the drawn canvas, and
 * to the frame that shows them. The processor time of the page's thread does not depend on who else is at work. Built from the sources in `web/`, in a page of its own; no service is needed.
 *
 *   bin/node bench/web/drawing.ts [--rounds 20]
 */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, type Rollup } from 'vite'
import { median, percentile, print, printTable } from '../figures.ts'
import { openBrowser, rounds } from './visitor.ts'

const series = 20
const days = 365
const origin = 'http://drawing.invalid/'
const entry = 'drawing-entry.js'
const root = fileURLToPath(new URL('../../web/', import.meta.url))

/** `draw(seed)` shows other values and says when they were drawn and when painted. Effects of a synchronous render are too. */
const source = `
import './tokens.css'
import './base.css'
import './layout.css'
import { createElement } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { LineChart } from './charts/LineChart.tsx'

const days = Array.from({ length: ${days} }, (_, day) => new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10))
const host = document.body.appendChild(document.createElement('main'))
const root = createRoot(host)
const format = (value) => String(value)
globalThis.draw = async (seed) => {
  const lines = Array.from({ length: ${series} }, (_, line) => ({
    id: String(line),
    name: 'App ' + line,
    values: days.map((_, day) => 1 + Math.round(line * 9 + 40 * (1 + Math.sin(day / 20 + line + seed)) + (day * line * 7 + seed) % 5)),
  }))
  const begun = performance.now()
  flushSync(() => root.render(createElement(LineChart, { label: 'Ranks', days, lines, format, ranks: true })))
  await Promise.resolve()
  const drawn = performance.now()
  const painted = await new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => done(performance.now())
    port2.postMessage(null)
  }))
  return document.querySelector('canvas') ? { drawnMs: drawn - begun, paintedMs: painted - begun } : undefined
}`

const files = await built()
await using stack = new AsyncDisposableStack()
const browser = stack.adopt(await openBrowser(), (one) => one.close())
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
await page.route(`${origin}**`, (route) => {
  const body = files.get(route.request().url().slice(origin.length))
  return body === undefined ? route.fulfill({ status: 404 }) : route.fulfill(body)
})
await page.goto(origin)
const session = await page.context().newCDPSession(page)
await session.send('Performance.enable', { timeDomain: 'threadTicks' })
const times: { drawnMs: number; paintedMs: number }[] = []
// The first drawings load the library and warm it up.
let seed = 0
for (let warm = 0; warm < 3; ) if (await draw()) warm++
const before = await processorMs()
while (times.length < rounds) {
  const seen = await draw()
  if (seen) times.push(seen)
}
const each = ((await processorMs()) - before) / rounds
print(`${series} series of ${days} days, ${rounds} rounds`)
printTable(
  ['from new values', 'median ms', 'p95 ms', 'slowest ms'],
  [
    row('to the drawn canvas', ({ drawnMs }) => drawnMs),
    row('to the painted frame', ({ paintedMs }) => paintedMs),
  ],
)
print(`processor time of the page's thread: ${each.toFixed(1)} ms each`)

function draw(): Promise<(typeof times)[number] | undefined> {
  return page.evaluate(`draw(${seed++})`)
}

async function processorMs(): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

function row(name: string, pick: (one: (typeof times)[number]) => number): (string | number)[] {
  const picked = times.map(pick)
  return [name, median(picked), percentile(picked, 0.95), Math.max(...picked)]
}

async function built(): Promise<Map<string, { body: string; contentType: string }>> {
  const output = (await build({
    configFile: false,
    root,
    logLevel: 'silent',
    plugins: [
      react(),
      {
        name: 'entry',
        resolveId: (id) => (id === entry ? `${root}${entry}` : null),
        load: (id) => (id === `${root}${entry}` ? source : null),
      },
    ],
    build: {
      write: false,
      cssCodeSplit: false,
      modulePreload: false,
      rolldownOptions: { input: entry, output: { entryFileNames: entry } },
    },
  })) as Rollup.RollupOutput
  const files = new Map<string, { body: string; contentType: string }>()
  let styles = ''
  for (const file of output.output)
    if (file.type === 'chunk') files.set(file.fileName, { body: file.code, contentType: 'text/javascript' })
    else if (file.fileName.endsWith('.css')) styles += String(file.source)
  const html = `<!doctype html><style>${styles}</style><body><script type="module" src="/${entry}"></script>`
  return files.set('', { body: html, contentType: 'text/html' })
}
