import type { CallToolResult } from '@modelcontextprotocol/server'

/**
 * Many clients show their model the text of a result and nothing else, so the structured content stands there too, as JSON
 * on one line. Who tells people from models by the annotations shows each its own.
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
