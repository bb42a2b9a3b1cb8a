import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
} from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import pLimit from 'p-limit'
import { type Failure, failureAnswerTo, failureMessage, relayFailureOf } from './relay-failure.ts'

export interface RelayOptions {
  /** Address of a running server, without a trailing slash. */
  server: string
  key: string | undefined
  /** Messages of the client, one a line; only protocol messages are read and written. */
  input: Readable
  output: Writable
  /** Reports a problem to the user, one line at a time. */
  note(line: string): void
  signal: AbortSignal
}

/** Maximum number of concurrent requests to the server: a client may send any number without reading answers. */
const mostAtOnce = 32

/**
 * Relays messages between a client on standard input and output and `/mcp` of a running server, unchanged: those two
 * negotiate the protocol revision. Requests that the server cannot answer, because it is down or refuses the key, are
 * answered here. No state is kept, so a server that comes back is used again. Resolves when the client closes its end or the
 * signal aborts; requests in progress are then abandoned.
 */
export async function relay({ server, key, input, output, note, signal }: RelayOptions): Promise<void> {
  const near = new StdioServerTransport(input, output)
  const asking = new AsyncLocalStorage<{ streams: boolean }>()
  const far = new StreamableHTTPClientTransport(new URL(`${server}/mcp`), {
    async fetch(address, options) {
      const response = await fetch(address, options)
      const asked = asking.getStore()
      if (asked) asked.streams = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')
      return response
    },
    requestInit: { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } },
  })
  const underWay = new Map<RequestId, { request: JSONRPCRequest; given: AbortController }>()
  const inTurn = pLimit(mostAtOnce)
  const noteOnce = changesOf(note)
  const ended = Promise.withResolvers<void>()

  near.onmessage = (message) => {
    if (isJSONRPCRequest(message)) void inTurn(() => ask(message))
    else if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      giveUp(message.params?.requestId as RequestId | undefined)
    else
      far.send(message).catch((error: unknown) => noteOnce(failureMessage(relayFailureOf(error, server, key))))
  }
  near.onerror = (error) => {
    // The client closed its end during a write, which ends the relay.
    if ('syscall' in error) return
    note(`what came on standard input is no message of the protocol${inOneLine(error.message)}`)
    const invalid = { code: -32600, message: 'This line is no JSON-RPC message.' }
    tell({ jsonrpc: '2.0', error: invalid } as JSONRPCMessage)
  }
  near.onclose = () => ended.resolve()
  far.onmessage = (message) => {
    const answered = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)
    if (answered && message.id !== undefined) settle(message.id, message)
    tell(message)
  }

  await far.start()
  await near.start()
  const stop = () => void near.close()
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  await ended.promise
  signal.removeEventListener('abort', stop)
  underWay.clear()
  await far.close()

  async function ask(request: JSONRPCRequest): Promise<void> {
    const given = new AbortController()
    underWay.set(request.id, { request, given })
    const lost = () => fail(request, { kind: 'lost' })
    const asked = { streams: false }
    try {
      await asking.run(asked, () =>
        far.send(request, { requestSignal: given.signal, onRequestStreamEnd: lost }),
      )
      // A stream may still bring the answer; a complete response without one is a failure.
      if (!asked.streams) fail(request, relayFailureOf(undefined, server, key))
    } catch (error) {
      fail(request, relayFailureOf(error, server, key))
    }
  }

  /** Answers in place of the server, unless the request was answered or cancelled. */
  function fail(request: JSONRPCRequest, failure: Failure): void {
    if (underWay.get(request.id)?.request !== request) return
    underWay.delete(request.id)
    noteOnce(failureMessage(failure))
    tell(failureAnswerTo(request, failure))
  }

  function settle(id: RequestId, message: JSONRPCMessage): void {
    const method = underWay.get(id)?.request.method
    underWay.delete(id)
    noteOnce(undefined)
    if (method === 'initialize' && isJSONRPCResultResponse(message))
      far.setProtocolVersion(String((message.result as { protocolVersion?: unknown }).protocolVersion))
  }

  /** Closing the HTTP exchange tells the server that the request was cancelled. */
  function giveUp(id: RequestId | undefined): void {
    if (id === undefined) return
    underWay.get(id)?.given.abort()
    underWay.delete(id)
  }

  /** Fails only when the client is gone, which ends the relay anyway. */
  function tell(message: JSONRPCMessage): void {
    near.send(message).catch(() => {})
  }
}

/** Suppresses repeated lines; a successful message resets it. */
function changesOf(note: (line: string) => void): (line: string | undefined) => void {
  let last: string | undefined
  return (line) => {
    if (line !== undefined && line !== last) note(line)
    last = line
  }
}

/** Only single-line messages are readable; longer ones are lists of a parser's expectations. */
const inOneLine = (text: string): string => (text.includes('\n') ? '' : `: ${text.slice(0, 200)}`)
