import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { type Bench, perform } from './commands.ts'
import type { Said, Sent } from './send-order.ts'
import type { Terminal } from './terminal.ts'

/** What the process that holds the store works with. */
type Parts = Pick<Bench, 'store' | 'collecting' | 'media'>

/**
 * Takes operator commands from other terminals while this process holds the embedded store. The socket lies in the
 * data directory and only its owner can open it. The request is the order on one line, then standard input; the answer
 * is what the command says, one JSON object a line.
 */
export async function listenForOperators(parts: Parts, path: string): Promise<AsyncDisposable> {
  rmSync(path, { force: true })
  const ends = new AbortController()
  // Standard input takes as long as it takes: no limit on the time of a request.
  const server = createServer(
    { requestTimeout: 0 },
    (incoming, outgoing) => void answer(parts, incoming, outgoing, ends.signal),
  )
  const before = process.umask(0o177)
  server.listen(path)
  await once(server, 'listening').finally(() => process.umask(before))
  chmodSync(path, 0o600)
  return {
    async [Symbol.asyncDispose]() {
      ends.abort()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  { store, collecting, media }: Parts,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stopping: AbortSignal,
): Promise<void> {
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  const say = (said: Said) => void outgoing.write(`${JSON.stringify(said)}\n`)
  const terminal: Terminal = {
    out: (text) => say({ out: text }),
    note: (text) => say({ note: text }),
    progress: (progress) => say({ progress }),
  }
  try {
    const { order, stdin } = await readOrder(incoming)
    const signal = AbortSignal.any([gone.signal, stopping])
    const bench = {
      store,
      db: store.db,
      collecting,
      media,
      terminal,
      stdin,
      directory: order.directory,
      signal,
    }
    say({ end: await perform(bench, order) })
  } catch (error) {
    terminal.note(error instanceof Error ? error.message : String(error))
    say({ end: 1 })
  }
  outgoing.end()
}

async function readOrder(incoming: IncomingMessage): Promise<{ order: Sent; stdin: Readable }> {
  const stdin = new PassThrough()
  // A command may not be reading when the other end goes away; one that is reading learns of it there.
  stdin.on('error', () => {})
  let head = Buffer.alloc(0)
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const next = await chunks.next()
    if (next.done) throw new Error('The order is incomplete.')
    head = Buffer.concat([head, next.value])
    const end = head.indexOf('\n')
    if (end === -1) continue
    const rest = head.subarray(end + 1)
    void forward(rest, chunks, stdin)
    return { order: orderIn(head.subarray(0, end).toString('utf8')), stdin }
  }
}

function orderIn(line: string): Sent {
  const order: unknown = JSON.parse(line)
  if (typeof order !== 'object' || order === null || !('directory' in order) || !('command' in order))
    throw new Error('The order names no command and directory.')
  return order as Sent
}

async function forward(first: Buffer, chunks: AsyncIterator<Buffer>, to: PassThrough): Promise<void> {
  try {
    if (first.length > 0) to.write(first)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      if (!to.write(next.value)) await once(to, 'drain')
    }
    to.end()
  } catch (error) {
    to.destroy(error as Error)
  }
}
