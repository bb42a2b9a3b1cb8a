import type { CallToolResult } from '@modelcontextprotocol/server'

/**
 * Many clients show their model only the text of a result, so the structured content is repeated there as JSON on one line.
 * Clients that respect the annotations show each part to its audience.
 */
export function withJsonInText(result: CallToolResult): CallToolResult {
  const { content, structuredContent } = result
  if (!structuredContent) return result
  return {
    ...result,
    content: [
      ...content.map((part) => ({ ...part, annotations: { audience: ['user' as const] } })),
      {
        type: 'text',
        text: JSON.stringify(structuredContent),
        annotations: { audience: ['assistant'] },
      },
    ],
  }
}
