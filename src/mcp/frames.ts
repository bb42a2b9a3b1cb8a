import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { WrittenResult } from './json-in-text.ts'

/** A message that calls a tool, as far as it has the shape of one; all else about it is for the SDK to judge. */
export interface ToolCall {
  id: string | number
  name: string
  given: Readonly<Record<string, unknown>>
}

/** What the SDK puts around the result of a call. */
export interface Frame {
  /** Whether this client is told the structured content as text, too. */
  jsonInText: boolean
  around(id: ToolCall['id'], result: WrittenResult): string
}

/** What an answer depends on, without the id, the arguments and the result of the call. */
export interface Framing {
  /** The headers that are the protocol's. */
  headers: Readonly<Record<string, string>>
  /** The message with an id and a result of ours: what the SDK is asked with. */
  message: object
  lineOnly: boolean
}

/** Asks the SDK, with a result in place of a call. Undefined when it answers anything but one JSON body with status 200. */
type AskForFrame = (
  framing: Framing,
  result: CallToolResult,
) => Promise<{ text: string; jsonInText: boolean } | undefined>

const mostFrames = 500
/** Longer messages are answered by the SDK each time. */
const longestName = 4_000

/** Nobody outside this process knows them, so no message holds them. */
const marks = { id: randomUUID(), content: randomUUID(), structuredContent: randomUUID() }
const standIn = {
  content: [{ type: 'text' as const, text: marks.content }],
  structuredContent: { mark: marks.structuredContent },
}
const places = {
  id: JSON.stringify(marks.id),
  content: JSON.stringify(standIn.content),
  structuredContent: JSON.stringify(standIn.structuredContent),
}

/**
 * Frames of answers, remembered by the messages they answer. What a client sends with each call but for id and arguments hardly
 * changes, and the SDK's answer follows from it alone: so it judges and answers a stand-in once, and what it wrote
 * around that is put around the results of all later calls.
 */
export class Frames {
  readonly #ask: AskForFrame
  readonly #known = new LRUCache<string, Frame>({ max: mostFrames })

  constructor(ask: AskForFrame) {
    this.#ask = ask
  }

  /** Undefined for a message that the SDK does not answer with the result of a call. */
  async frameOf(headers: Framing['headers'], body: object, lineOnly: boolean): Promise<Frame | undefined> {
    const { params, ...others } = body as { params: object }
    const message = { ...others, id: marks.id, params: { ...params, arguments: {} } }
    const name = JSON.stringify([lineOnly, headers, message])
    const known = this.#known.get(name)
    if (known || name.length > longestName) return known
    const answer = await this.#ask({ headers, message, lineOnly }, standIn)
    const frame = answer && frameIn(answer.text, answer.jsonInText)
    if (frame) this.#known.set(name, frame)
    return frame
  }
}

/** The call in a message; undefined for all other messages, and for what is malformed. */
export function toolCallIn(body: unknown): ToolCall | undefined {
  if (!isRecord(body) || body.method !== 'tools/call' || !isRecord(body.params)) return undefined
  const { name, arguments: given = {} } = body.params
  const { id } = body
  const isId = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))
  return isId && typeof name === 'string' && isRecord(given) ? { id, name, given } : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function frameIn(text: string, jsonInText: boolean): Frame | undefined {
  const found = Object.entries(places).map(([part, place]) => ({ part, place, at: text.indexOf(place) }))
  if (found.some(({ place, at }) => at < 0 || text.includes(place, at + 1))) return undefined
  const inOrder = found.sort((one, other) => one.at - other.at)
  const pieces: string[] = []
  let end = 0
  for (const { place, at } of inOrder) {
    pieces.push(text.slice(end, at))
    end = at + place.length
  }
  const last = text.slice(end)
  return {
    jsonInText,
    around(id, result) {
      const parts: Record<string, string> = { id: JSON.stringify(id), ...result }
      return inOrder.map(({ part }, index) => `${pieces[index]}${parts[part]}`).join('') + last
    },
  }
}
