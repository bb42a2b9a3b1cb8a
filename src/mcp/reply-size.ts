import { briefList, briefText, RecordedCuts, rightEnd } from './short-form.ts'

/** Most bytes of the JSON of a reply: an agent pays for them by the token. */
export const mostBytes = 60_000

/** Of these, room for the names of what was cut, and for the call that shows started work. */
const roomForWords = 4_000

type Reply = Readonly<Record<string, unknown>>

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/**
 * A reply as it is where its JSON has at most 60 kB. Else long lists and texts around its list are cut until they have half of the room,
 * and its list to as many whole items as fit: the newest of a series, else the first. `leftOut` names each cut, and how to get the rest.
 * A cursor after items that are not shown would skip them, and is left out.
 * @param list the property with the list, and whether the operation takes `limit` and `cursor`
 */
export function withinBytes(reply: Reply, { at, paged }: { at: string | undefined; paged: boolean }): Reply {
  if (bytesOf(reply) <= mostBytes) return reply
  const room = mostBytes - roomForWords
  const cuts = new RecordedCuts()
  const { leftOut = [], ...whole } = reply
  const { [at ?? '']: items, ...around } = whole
  if (!at || !Array.isArray(items)) return said(fitted(whole, room, cuts), leftOut, cuts)
  const { nextCursor, ...others } = around as Reply
  const head = fitted(others, room / 2, cuts)
  const left = room - bytesOf(head) - bytesOf(nextCursor)
  const shown = itemsWithin(items, left, cuts, at)
  const isWhole = shown.length === items.length
  if (!isWhole) cuts.tell(at, howMany(items, shown.length, paged))
  return said(
    { ...head, ...(isWhole && 'nextCursor' in around ? { nextCursor } : {}), [at]: shown },
    leftOut,
    cuts,
  )
}

function howMany(items: readonly unknown[], count: number, paged: boolean): string {
  const { isNewest } = rightEnd(items, count)
  const figures = `${isNewest ? 'newest ' : ''}${count} of ${items.length}, the most that 60 kB hold`
  return paged
    ? `${figures}; for the rest call again with limit ${count} and follow nextCursor, or name fewer fields`
    : `${figures}; for more name fewer fields or ask for less`
}

/** As many whole items as fit; where not even one does, one with its long lists and texts cut. */
function itemsWithin(
  items: readonly unknown[],
  room: number,
  cuts: RecordedCuts,
  path: string,
): readonly unknown[] {
  const sizes = new Map(items.map((item) => [item, bytesOf(item) + 1]))
  let [fewest, most] = [0, items.length]
  while (fewest < most) {
    const count = Math.ceil((fewest + most) / 2)
    const bytes = rightEnd(items, count).shown.reduce<number>((sum, item) => sum + (sizes.get(item) ?? 0), 0)
    if (bytes <= room) fewest = count
    else most = count - 1
  }
  if (fewest > 0 || items.length === 0) return rightEnd(items, fewest).shown
  const [one] = rightEnd(items, 1).shown
  const { [path]: cut } = fitted({ [path]: Object(one) as Reply }, room, cuts)
  return cut === undefined ? [] : [cut]
}

/** How far lists and texts are cut, step by step, until a reply fits: lists before texts. */
const steps = [
  ...[100, 50, 20, 10, 5, 2, 1].map((entries) => ({ entries, letters: Number.POSITIVE_INFINITY })),
  ...[2_000, 300, 60].map((letters) => ({ entries: 1, letters })),
]

/** A reply with its lists and texts cut as little as it takes; without its largest parts where that is not enough. */
function fitted(reply: Reply, room: number, cuts: RecordedCuts): Reply {
  if (bytesOf(reply) <= room) return reply
  for (const step of steps) {
    const told: [path: string, figures: string][] = []
    const shown = cutValue(reply, { ...step, tell: (...cut) => void told.push(cut) }, '') as Reply
    if (bytesOf(shown) > room) continue
    for (const [path, figures] of told) cuts.tell(path, figures)
    return shown
  }
  return withoutLargest(reply, room, cuts)
}

function withoutLargest(reply: Reply, room: number, cuts: RecordedCuts): Reply {
  const parts = Object.entries(reply).map((part) => ({ part, bytes: bytesOf(part) }))
  let bytes = parts.reduce((sum, one) => sum + one.bytes, 0)
  const dropped = new Set<unknown>()
  for (const one of parts.toSorted((left, right) => right.bytes - left.bytes)) {
    if (bytes <= room) break
    bytes -= one.bytes
    dropped.add(one.part)
    cuts.tell(one.part[0].slice(0, 60), 'too large for a reply')
  }
  return Object.fromEntries(parts.flatMap(({ part }) => (dropped.has(part) ? [] : [part])))
}

type Limits = Parameters<typeof briefText>[1] & object

function cutValue(value: unknown, limits: Limits, path: string): unknown {
  if (typeof value === 'string') return briefText(value, limits, path)
  if (Array.isArray(value)) return briefList(value, limits, path).map((one) => cutValue(one, limits, path))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      cutValue(part, limits, path ? `${path}.${name}` : name),
    ]),
  )
}

/** With the names of what was cut, as many as there is room for. */
function said(shown: Reply, before: unknown, cuts: RecordedCuts): Reply {
  const { leftOut = [] } = cuts.namedIn({}) as { leftOut?: string[] }
  const all = [...leftOut, ...(before as string[])]
  const named: string[] = []
  let room = roomForWords - 500
  for (const name of all) {
    room -= bytesOf(name) + 1
    if (room < 0) break
    named.push(name)
  }
  const unnamed = all.length - named.length
  return { ...shown, leftOut: unnamed > 0 ? [...named, `and ${unnamed} more`] : named }
}
