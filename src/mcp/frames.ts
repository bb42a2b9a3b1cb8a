import { randomUUID } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { LRUCache } from 'lru-cache'
import type { WrittenResult } from './json-in-text.ts'

/** A tool call, checked only for its shape; the SDK validates everything else about it. */
export interface ToolCall {
  id: string | number
  name: string
  given: Readonly<Record<string, unknown>>
}

/** The envelope that the SDK writes around the result of a call. */
export interface Frame {
  /** Whether this client also gets the structured content as text. */
  jsonInText: boolean
  around(id: ToolCall['id'], result: WrittenResult): string
}

/** The parts of a request that an envelope depends on, without the id, the arguments and the result of the call. */
export interface Framing {
  /** The headers of the protocol. */
  headers: Readonly<Record<string, string>>
  /** The message with a placeholder id, as it is passed to the SDK. */
  message: object
  lineOnly: boolean
}

/** Passes a message and a result to the SDK. Undefined when it answers anything but one JSON body with status 200. */
type AskForFrame = (
  framing: Framing,
  result: CallToolResult,
) => Promise<{ text: string; jsonInText: boolean } | undefined>

const mostFrames = 500
/** Longer messages go through the SDK each time. */
const longestName = 4_000

/** Random placeholders, so that no message contains them. */
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
 * Envelopes of responses, cached by request. A client's requests hardly change except for id and arguments, and the rest of
 * the SDK's response depends on nothing else. So the SDK answers a stand-in once, and the text around its placeholders is
 * reused for the results of all later calls.
 */
export class Frames {
  readonly #ask: AskForFrame
  readonly #known = new LRUCache<string, Frame>({ max: mostFrames })

  constructor(ask: AskForFrame) {
    this.#ask = ask
  }

  /** The envelope for a message; undefined where the SDK does not answer it with the result of a call. */
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

/** The tool call in a message; undefined for other and malformed messages. */
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
