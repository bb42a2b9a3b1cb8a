import assert from 'node:assert/strict'

/** Maximum milliseconds for which one call may block all others. */
const longestMs = 250

/** Combining marks in an order other than that of the normal form: sorting them takes quadratic time. */
export const marks = (bytes: number) => `a${'\u0301\u0316'.repeat(bytes / 4)}`

/** Texts near the maximum body size that are expensive to process without a limit. */
export const hostileTexts: Record<string, string> = {
  marks: marks(960_000),
  'marks of other widths': `a${'\uff9e\u0316'.repeat(190_000)}`,
  'one word': 'a'.repeat(1_000_000),
  'many words': 'word '.repeat(200_000),
  spaces: `a${' '.repeat(1_000_000)}b`,
  'long ligatures': '\ufdfa'.repeat(330_000),
  'no spaces': '天気予報'.repeat(80_000),
  'one number': '1'.repeat(1_000_000),
  'many handles': '@a#b'.repeat(250_000),
  'many addresses': 'http://a.b/'.repeat(90_000),
  'half an address': 'http://'.repeat(140_000),
  'address of dots': `https://${'a.'.repeat(500_000)}`,
  percents: `${'9 %'.repeat(300_000)}`,
  brackets: '<'.repeat(1_000_000),
  quotes: "''".repeat(500_000),
  emoji: '👩‍👩‍👧‍👦'.repeat(40_000),
}

/** At most so many bytes of a text, cut between two characters. */
export const cut = (text: string, bytes: number) =>
  Buffer.from(text)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\ufffd$/, '')

/**
 * Performs an action, and fails where it blocks the event loop for longer than `longestMs`. Another measurement has to confirm it:
 * what a call costs it costs each time, while a garbage collection of all that shares the process happens once.
 * @param perform is called up to three times
 */
export async function staysAwake(what: string, perform: () => Promise<unknown>): Promise<void> {
  const stalls: number[] = []
  while (stalls.length < 3 && (stalls.at(-1) ?? Number.POSITIVE_INFINITY) > longestMs)
    stalls.push(Math.round(await longestStall(perform)))
  const shortest = Math.min(...stalls)
  assert.ok(shortest <= longestMs, `${what} kept everybody waiting for ${stalls.join(', ')} ms`)
}

/** Milliseconds between two measurements. */
const everyMs = 5

/**
 * Runs an action, and measures how long it blocked the event loop.
 * @returns the longest block in milliseconds of processor time, so that a busy machine is not mistaken for one
 */
async function longestStall(perform: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = spentMs()
  const look = () => {
    const spent = spentMs()
    longest = Math.max(longest, spent - before)
    before = spent
  }
  const looking = setInterval(look, everyMs)
  try {
    await perform()
    await new Promise((resolve) => setTimeout(resolve, 2 * everyMs))
  } finally {
    clearInterval(looking)
  }
  look()
  return longest
}

function spentMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
