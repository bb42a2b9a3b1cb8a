import { jsonLines } from './json-lines.ts'

/** What is known of an icon: an address for an element, that nobody has it, or that it has to be asked for alone. */
export type Icon = { src: string } | 'missing' | 'alone'

/** Icons of one request, as many as the service takes (docs/web.md#pictures). */
const mostIcons = 40
/** Characters of its address: servers and proxies take 8,000. */
const longestAddress = 6_000
const longestSeconds = 60
/** How long nobody is asked again for what nobody had. */
const missingMs = 5 * 60_000
const mostKnown = 2_000

interface Wanted {
  url: string
  width: number
  settle: (icon: Icon) => void
}

interface Known {
  asked: Promise<Icon>
  icon?: Icon
  until: number
}

const known = new Map<string, Known>()
let waiting: Wanted[] = []

const nameOf = (url: string, width: number) => `${width} ${url}`

/** What is known of an icon already; undefined before it was asked for, and while it is. */
export function iconKnown(url: string, width: number): Icon | undefined {
  const { icon, until = 0 } = known.get(nameOf(url, width)) ?? {}
  return until > Date.now() ? icon : undefined
}

/** An icon; those asked for in the same moment are one request. Never fails. @param width 64 or 128 */
export function iconTogether(url: string, width: number): Promise<Icon> {
  const name = nameOf(url, width)
  const before = known.get(name)
  if (before && before.until > Date.now()) return before.asked
  if (known.size >= mostKnown) known.clear()
  if (waiting.length === 0) setTimeout(sendWaiting)
  const { promise, resolve } = Promise.withResolvers<Icon>()
  const entry: Known = { asked: promise, until: Number.POSITIVE_INFINITY }
  known.set(name, entry)
  waiting.push({
    url,
    width,
    settle: (icon) => {
      entry.icon = icon
      if (typeof icon === 'string') entry.until = Date.now() + missingMs
      resolve(icon)
    },
  })
  return promise
}

function sendWaiting(): void {
  const wanted = waiting
  waiting = []
  for (const bundle of bundlesOf(wanted)) void answer(bundle)
}

/** Of one width each. */
function bundlesOf(wanted: readonly Wanted[]): Wanted[][] {
  const bundles: Wanted[][] = []
  for (const ofWidth of Map.groupBy(wanted, ({ width }) => width).values()) {
    let length = Number.POSITIVE_INFINITY
    for (const one of ofWidth) {
      const added = encodeURIComponent(one.url).length + '&url='.length
      const last = bundles.at(-1)
      if (last && last.length < mostIcons && length + added <= longestAddress) {
        last.push(one)
        length += added
      } else {
        bundles.push([one])
        length = added
      }
    }
  }
  return bundles
}

interface Line {
  icon: number
  status: number
  webp?: string
  address?: string
}

/** Too many requests, a service that is away, and what nobody can explain: these have more patience alone. */
const passing: ReadonlySet<number> = new Set([429, 500, 503])

async function answer(bundle: readonly Wanted[]): Promise<void> {
  const left = new Set(bundle)
  try {
    const query = new URLSearchParams([
      ['width', String(bundle[0]?.width)],
      ...bundle.map(({ url }): [string, string] => ['url', url]),
    ])
    const response = await fetch(`/icons?${query}`, {
      credentials: 'same-origin',
      headers: { 'x-rivalscope-page': '1' },
      signal: AbortSignal.timeout(longestSeconds * 1_000),
    })
    if (response.ok && response.body)
      for await (const { icon, ...line } of jsonLines<Line>(response.body)) {
        const one = bundle[icon]
        if (one && left.delete(one)) one.settle(iconOf(line))
      }
  } catch {
    // Those that are left are asked for alone.
  }
  for (const one of left) one.settle('alone')
}

function iconOf({ status, webp, address }: Omit<Line, 'icon'>): Icon {
  if (webp !== undefined) return { src: `data:image/webp;base64,${webp}` }
  if (address !== undefined) return { src: address }
  return passing.has(status) ? 'alone' : 'missing'
}
