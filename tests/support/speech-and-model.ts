import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface AskedService {
  path: string
  authorization: string | undefined
  /** As received; the parts of a form as text. */
  body: string
  /** Of JSON bodies. */
  json: { messages?: { role: string; content: string }[]; [key: string]: unknown } | undefined
}

type Play = (asked: AskedService, response: ServerResponse) => void

/** A fake of OpenAI's protocol on loopback, for speech to text and for a language model. */
export interface PlayedServices extends AsyncDisposable {
  /** For `baseUrl`. */
  url: string
  asked: AskedService[]
  /** Sets the answers of transcriptions and completions; the last one is repeated. */
  hears(...answers: Play[]): void
  reads(...answers: Play[]): void
}

export async function playServices(): Promise<PlayedServices> {
  const asked: AskedService[] = []
  const plays: Record<'hears' | 'reads', Play[]> = { hears: [], reads: [] }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('latin1')
    const isJson = request.headers['content-type']?.startsWith('application/json')
    const { authorization } = request.headers
    const json = isJson ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : undefined
    const one = { path: request.url ?? '', authorization, body, json }
    asked.push(one)
    const queue = plays[one.path.endsWith('/audio/transcriptions') ? 'hears' : 'reads']
    const play = queue.length > 1 ? queue.shift() : queue[0]
    if (play) play(one, response)
    else response.writeHead(404).end()
  }
  const server = createServer(
    (request, response) => void answer(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    hears: (...answers) => void plays.hears.splice(0, plays.hears.length, ...answers),
    reads: (...answers) => void plays.reads.splice(0, plays.reads.length, ...answers),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json =
  (body: unknown, status = 200): Play =>
  (_asked, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const text =
  (body: string, status = 200): Play =>
  (_asked, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain' }).end(body)

/** Accepts the request and never answers. */
export const hangs: Play = () => {}

/** An answer of Whisper. */
export const heard = (...segments: { start: number; end: number; text: string; [key: string]: unknown }[]) =>
  json({
    task: 'transcribe',
    language: 'english',
    duration: 4,
    text: segments.map((segment) => segment.text).join(''),
    segments,
  })

/** A completion with this content. */
export const completion = (content: string, tokens = 900): Play =>
  json({
    id: 'c-1',
    object: 'chat.completion',
    created: 1,
    model: 'played',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    usage: { prompt_tokens: tokens - 100, completion_tokens: 100, total_tokens: tokens },
  })
