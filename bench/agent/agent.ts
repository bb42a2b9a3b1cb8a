import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

// Replies of any tool, read by questions that know which one they asked.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Said = any

/** Calls a tool by its name. @throws where it is refused, or where an argument was told by nobody */
export type Ask = (tool: string, given?: Record<string, unknown>) => Promise<Said>

/** What a question cost. */
export interface Cost {
  calls: number
  /** Of the texts of all replies, as a model reads them. */
  bytes: number
  refusals: number
}

export type Agent = Awaited<ReturnType<typeof connectAgent>>

/** The official client over streamable HTTP, and what is asked of it. */
export async function connectAgent(address: string, key: string) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const headers = { authorization: `Bearer ${key}` }
  const url = new URL('/mcp', address)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  const [listing, instructions] = [JSON.stringify(tools), client.getInstructions() ?? '']
  return {
    tools,
    instructions,
    /** One call as a model makes it. */
    async call(name: string, given: Record<string, unknown>) {
      const result = await client.callTool({ name, arguments: given })
      const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
      return { text, reply: result.structuredContent as Said, refused: result.isError === true }
    },
    /** Calls for one question, counted; arguments are words of the question, of instructions and listing, or of former replies. */
    asking(question: string): { ask: Ask; cost: Cost } {
      const cost: Cost = { calls: 0, bytes: 0, refusals: 0 }
      let told = `${question}\n${instructions}\n${listing}`
      const ask: Ask = async (tool, given = {}) => {
        for (const word of wordsIn(given))
          if (!isTold(word, told, cost.calls > 0))
            throw new Error(`Nothing told the agent ${JSON.stringify(word)}, an argument of ${tool}.`)
        cost.calls++
        const { text, reply, refused } = await this.call(tool, given)
        cost.bytes += Buffer.byteLength(text)
        if (refused) cost.refusals++
        if (refused) throw new Error(`${tool} was refused: ${text}`)
        told += text
        return reply
      }
      return { ask, cost }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/**
 * Whether whole words of what was told. Names of fields are told step by step, `30d` by its number, and days once a reply has told
 * what day it is.
 */
function isTold(word: string, told: string, isDayKnown: boolean): boolean {
  if (isDayKnown && /^\d{4}-\d\d-\d\d$/.test(word)) return true
  const parts = /^[\w.]+$/.test(word) ? word.split('.') : [word]
  return parts.every((part) => {
    const sought = part.replace(/^(\d+)d$/, '$1').replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
    return new RegExp(`(?<![\\w-])${sought}(?![\\w-])`).test(told)
  })
}

function wordsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(wordsIn) : []
}
