import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { median, print, printTable, report } from './figures.ts'
import { observedAt } from './generate.ts'
import { Client } from './load.ts'
import { processesOf } from './processor.ts'
import { catalogueFile, directory } from './stores.ts'

/**
 * What the embedded store costs and gives, by commands and HTTP alone, so that any checkout can be measured, side by side:
 * how long `serve` takes to start, memory at rest, requests a second, and what 50 people who read, one request a second each,
 * notice while another terminal imports. Goals: no read over 100 ms, the event loop of `serve` never blocked over 50 ms.
 *
 *   node bench/embedded.ts                                      this checkout, 100,000 apps, 100,000 more come in
 *   node bench/embedded.ts --checkout ../before --import 7000
 */
const { values } = parseArgs({
  options: {
    checkout: { type: 'string', default: new URL('..', import.meta.url).pathname },
    apps: { type: 'string', default: '100000' },
    import: { type: 'string', default: '100000' },
    readers: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '5' },
  },
})
const [apps, imported, readers] = [values.apps, values.import, values.readers].map(Number) as [
  number,
  number,
  number,
]
const program = join(resolve(values.checkout), 'bin/rivalscope')
const dataDir = join(directory, `embedded-${resolve(values.checkout).replaceAll(/\W+/g, '-')}-${apps}`)
const run = promisify(execFile)
const importing = (file: string, country: string) => [
  ...['import', 'catalogue', file, '--country', country, '--observed-at', observedAt],
  ...['--data-dir', dataDir, '--rejected', join(directory, 'rejected.ndjson')],
]

if (!existsSync(dataDir)) {
  mkdirSync(dataDir)
  const began = performance.now()
  await run(program, importing(catalogueFile(apps), 'us'))
  print(`${apps} apps imported into an empty store in ${((performance.now() - began) / 1_000).toFixed(1)} s`)
}
const { stdout } = await run(program, [
  ...['keys', 'create', '--name', 'bench', '--scopes', 'context:read', '--data-dir', dataDir],
])
const key = stdout.trim()

const starts: number[] = []
for (let round = 0; round < Number(values.rounds); round++) {
  await using service = await serve()
  starts.push(service.startMs / 1_000)
}
print(
  `start of serve, seconds: ${starts.map((seconds) => seconds.toFixed(2)).join(', ')}; median ${median(starts).toFixed(2)}`,
)

await using service = await serve()
await setTimeout(5_000)
printTable(
  ['at rest', 'processes', 'resident MB', 'proportional MB'],
  [['serve and store', ...memory(service.pid)]],
)

using client = new Client(service.address, key, 16)
const ids = idsIn(catalogueFile(apps))
const one = (index: number) => `/v1/competitors/ios/${ids[(index * 7919) % ids.length]}`
const words = ['budget', 'photo', 'sleep', 'garden', 'chess', 'train', 'recipe', 'piano']
const search = (index: number) => `/v1/competitors?q=${words[index % words.length]}&limit=25`
await client.rateOf(one, 500, 16)
await client.rateOf(search, 100, 16)
const rates = { one: [] as number[], search: [] as number[] }
for (let round = 0; round < 3; round++) {
  rates.one.push(await client.rateOf(one, 1_500, 16))
  rates.search.push(await client.rateOf(search, 300, 16))
}
printTable(
  ['requests a second', 'median'],
  [
    ['get_competitor', median(rates.one)],
    ['search_competitors', median(rates.search)],
  ],
)
const after = memory(service.pid)
printTable(['after that', 'processes', 'resident MB', 'proportional MB'], [['serve and store', ...after]])
report({
  name: 'serve and its store after 5,000 reads',
  value: after[2] ?? Number.NaN,
  unit: 'MB',
  goal: { atMost: 300 },
})

const calm = await read(10_000)
const command = spawn(program, importing(catalogueFile(imported, 'de'), 'de'), { stdio: 'ignore' })
const ended = once(command, 'exit')
let goesOn = true
void ended.then(() => {
  goesOn = false
})
const began = performance.now()
const busy = await read(() => goesOn)
print(
  `${imported} more apps imported in ${((performance.now() - began) / 1_000).toFixed(1)} s, exit code ${command.exitCode}`,
)
printTable(
  [`${readers} readers, ms`, 'requests', 'p50', 'p95', 'p99', 'worst', 'event loop, worst'],
  [
    ['nothing else', ...calm],
    ['while imported', ...busy],
  ],
)

/** Reads as people do, one request a second each, for a time or while something holds. */
async function read(until: number | (() => boolean)): Promise<number[]> {
  const end = performance.now() + (typeof until === 'number' ? until : Number.POSITIVE_INFINITY)
  const goes = () => performance.now() < end && (typeof until === 'number' || until())
  const times: number[] = []
  const loop: number[] = []
  using people = new Client(service.address, key, readers)
  const reading = Array.from({ length: readers }, async (_, reader) => {
    await setTimeout((1_000 * reader) / readers)
    for (let turn = 0; goes(); turn++) {
      const started = performance.now()
      await people.get(turn % 3 === 2 ? search(reader + turn) : one(reader * 31 + turn))
      const ms = performance.now() - started
      times.push(ms)
      await setTimeout(Math.max(0, 1_000 - ms))
    }
  })
  const watching = (async () => {
    // The first look empties what was gathered before.
    await loopLag()
    while (goes()) {
      await setTimeout(1_000)
      loop.push(await loopLag())
    }
  })()
  await Promise.all([...reading, watching])
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return [times.length, at(0.5), at(0.95), at(0.99), at(1), Math.max(0, ...loop)]
}

/** Milliseconds the event loop of the service was held up at most since it was last asked. */
async function loopLag(): Promise<number> {
  const text = await (await fetch(`${service.address}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? 0) * 1_000
}

async function serve() {
  const started = performance.now()
  const options = ['--data-dir', dataDir, '--port', '0', '--rate-limit', '0', '--log-level', 'silent']
  const child = spawn(program, ['serve', ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
  const address = await new Promise<string>((found) =>
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('ready ')) found(line.slice('ready '.length))
    }),
  )
  return {
    address,
    pid: child.pid ?? 0,
    startMs: performance.now() - started,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** Processes of the service and of its store: how many, resident and proportional memory in MB. */
function memory(pid: number): number[] {
  const found = processesOf(pid, dataDir)
  const sum = (file: string, line: RegExp) =>
    found.reduce(
      (total, one) => total + Number(line.exec(readFileSync(`/proc/${one}/${file}`, 'utf8'))?.[1] ?? 0),
      0,
    )
  return [found.length, sum('status', /VmRSS:\s+(\d+)/) / 1_024, sum('smaps_rollup', /^Pss:\s+(\d+)/m) / 1_024]
}

function idsIn(file: string): number[] {
  return readFileSync(file, 'utf8')
    .split('\n', 20_000)
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { trackId: number }).trackId)
}
