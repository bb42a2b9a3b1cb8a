import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** Elements of a list that are written before the event loop gets a turn. */
const atATime = 200

const texts = new WeakMap<object, string>()
/** What a reply with a head is made of, and the last one made of each reply. */
const parts = new WeakMap<object, { head: string; reply: object }>()
const headed = new WeakMap<object, { head: string; whole: object }>()

/** A reply with more in its head; the same object for the same head. The JSON that is kept of the reply is used. */
export function replyWithHead(reply: object, added: object): object {
  const head = JSON.stringify(added)
  const known = headed.get(reply)
  if (known?.head === head) return known.whole
  const whole = { ...added, ...reply }
  parts.set(whole, { head, reply })
  headed.set(reply, { head, whole })
  return whole
}

/** The kept JSON of a reply, or of one with a head. */
function keptTextOf(reply: object): string | undefined {
  const part = parts.get(reply)
  if (!part) return texts.get(reply)
  const text = texts.get(part.reply)
  if (text === undefined) return undefined
  return text === '{}' ? part.head : `${part.head.slice(0, -1)},${text.slice(1)}`
}

const isKept = (reply: object) => texts.has(parts.get(reply)?.reply ?? reply)

/** Keeps the JSON of a reply that will be sent again. @returns the JSON */
export function keepReplyJson(reply: object): string {
  const text = JSON.stringify(reply)
  texts.set(reply, text)
  return text
}

/** Has another object stand for a reply, as it does from then on: what is kept of the one is kept of the other instead. */
export function keepReplyAs(reply: object, other: object): void {
  if (!texts.delete(reply)) return
  keepReplyJson(other)
}

/** A kept reply as it is sent. */
export interface SentBytes {
  bytes: Buffer
  etag: string
}

const sent = new WeakMap<object, SentBytes>()

/** A kept reply as bytes, made once; undefined for one that is not kept. */
export function keptBytesOf(reply: unknown): SentBytes | undefined {
  if (!isObject(reply)) return undefined
  const known = sent.get(reply)
  if (known) return known
  const text = keptTextOf(reply)
  if (text === undefined) return undefined
  const bytes = Buffer.from(text)
  const made = { bytes, etag: `"${hash('sha1', bytes, 'base64')}"` }
  sent.set(reply, made)
  return made
}

/** Most other forms that are kept beside the JSON of a reply. */
const mostForms = 4
const forms = new WeakMap<object, Map<string, object>>()

/** Returns another form of a reply, made once for a kept reply. @param name what the form depends on besides the reply */
export function replyFormOf<Form extends object>(reply: object, name: string, make: () => Form): Form {
  if (!isKept(reply)) return make()
  const known = forms.get(reply) ?? new Map<string, object>()
  const form = (known.get(name) as Form | undefined) ?? make()
  if (known.size < mostForms) forms.set(reply, known.set(name, form))
  return form
}

/** A reply as JSON. The event loop gets turns while long lists are written. */
export async function replyJsonOf(reply: unknown): Promise<string> {
  if (!isObject(reply)) return JSON.stringify(reply)
  const kept = keptTextOf(reply)
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
