import { setImmediate } from 'node:timers/promises'

/** Elements of a list that are written before others have their turn. */
const atATime = 200

const texts = new WeakMap<object, string>()

/** Keeps what a reply is as JSON, for a reply that is sent again. @returns it */
export function keepJson(reply: object): string {
  const text = JSON.stringify(reply)
  texts.set(reply, text)
  return text
}

/** A reply as JSON. Others have their turn while its long lists are written. */
export async function jsonOf(reply: unknown): Promise<string> {
  if (!isObject(reply)) return JSON.stringify(reply)
  const kept = texts.get(reply)
  if (kept !== undefined) return kept
  if (!Object.values(reply).some(isLong)) return JSON.stringify(reply)
  const members: string[] = []
  for (const [name, value] of Object.entries(reply)) {
    const text = isLong(value) ? await listInTurns(value) : JSON.stringify(value)
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${members.join(',')}}`
}

async function listInTurns(list: readonly unknown[]): Promise<string> {
  const pieces: string[] = []
  for (let from = 0; from < list.length; from += atATime) {
    pieces.push(JSON.stringify(list.slice(from, from + atATime)).slice(1, -1))
    await setImmediate()
  }
  return `[${pieces.join(',')}]`
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > atATime

const isObject = (reply: unknown): reply is object =>
  typeof reply === 'object' && reply !== null && !Array.isArray(reply) && !('toJSON' in reply)
