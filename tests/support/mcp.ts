import {
  Client,
  type ElicitRequestFormParams,
  type ElicitResult,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

/** The result of a tool call. */
interface ToolReply {
  failed: boolean
  text: string
  // Replies of any tool, looked at by tests that know which one they called.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  reply: any
}

export interface McpClient extends AsyncDisposable {
  client: Client
  call(tool: string, input?: Record<string, unknown>): Promise<ToolReply>
}

/** Two hundred at once may take longer than the client's usual minute. */
const patient = { timeout: 240_000 }

/** What a person at a client answers to a form. */
type Person = (form: ElicitRequestFormParams) => ElicitResult

/**
 * The official client, connected to a listening server; `legacy` uses the protocol of 2025.
 * @param person shown the forms of the server; without one the client says that it can show none
 */
export async function connectMcp(
  address: string,
  key: string,
  era: 'modern' | 'legacy' = 'modern',
  person?: Person,
): Promise<McpClient> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy'
  const capabilities = person ? { elicitation: { form: {} } } : {}
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, capabilities })
  if (person)
    client.setRequestHandler('elicitation/create', ({ params }) => person(params as ElicitRequestFormParams))
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } }),
    patient,
  )
  return {
    client,
    async call(name, input = {}) {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input }, patient)
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return { failed: isError === true, text, reply: structuredContent }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
