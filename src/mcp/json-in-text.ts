import type { CallToolResult } from '@modelcontextprotocol/server'
import { replyJsonOf } from '../api/reply-json.ts'

/**
 * Many clients show their model only the text of a result, so the structured content is repeated there as JSON on one line.
 * Clients that respect the annotations show each part to its audience.
 */
export function withJsonInText(result: CallToolResult, json?: string): CallToolResult {
  const { content, structuredContent } = result
  if (!structuredContent) return result
  return {
    ...result,
    content: [
      ...content.map((part) => ({ ...part, annotations: { audience: ['user' as const] } })),
      {
        type: 'text',
        text: json ?? JSON.stringify(structuredContent),
        annotations: { audience: ['assistant'] },
      },
    ],
  }
}

/** The parts of a result as JSON. */
export interface WrittenResult {
  content: string
  structuredContent: string
}

const written = new WeakMap<CallToolResult, { [repeated in 'repeated' | 'once']?: WrittenResult }>()

/** Serializes a result with structured content, once for a result that is sent again. */
export async function writtenResult(result: CallToolResult, jsonInText: boolean): Promise<WrittenResult> {
  const way = jsonInText ? 'repeated' : 'once'
  const known = written.get(result)?.[way]
  if (known) return known
  const structuredContent = await replyJsonOf(result.structuredContent)
  const { content } = jsonInText ? withJsonInText(result, structuredContent) : result
  const made = { content: JSON.stringify(content), structuredContent }
  written.set(result, { ...written.get(result), [way]: made })
  return made
}
