import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { PassThrough, type Readable } from 'node:stream'
import { type Bench, type Order, perform } from './commands.ts'
import type { Progress, Terminal } from './terminal.ts'

/** An order with the directory its paths are relative to. */
type Sent = Order & { directory: string }

/** What the process that holds the store works with. */
type Parts = Pick<Bench, 'store' | 'collecting' | 'media'>

type Said = { out: string } | { note: string } | { progress: Progress } | { end: 0 | 1 }

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

/** The process that holds the store takes no orders. */
export class NoOperatorSocketError extends Error {}

/** Hands an order to the process that holds the store, and speaks for it here. @throws NoOperatorSocketError */
export async function sendOrder(
  path: string,
  sent: Sent,
  terminal: Terminal,
  stdin: Readable | undefined,
  signal: AbortSignal,
): Promise<0 | 1> {
  const call = request({ socketPath: path, method: 'POST', path: '/', signal })
  // Once the answer has begun, the answer itself breaks off when the other end goes away.
  call.on('error', () => {})
  call.write(`${JSON.stringify(sent)}\n`)
  if (stdin) stdin.pipe(call)
  else call.end()
  try {
    const end = await relay(await answered(call), terminal)
    if (end !== undefined) return end
  } catch (error) {
    if (error instanceof NoOperatorSocketError) throw error
  } finally {
    // Nobody reads on, though more may be coming in.
    stdin?.destroy()
    call.destroy()
  }
  terminal.note(
    signal.aborted
      ? 'Interrupted. What was stored stays; run the same command again to go on.'
      : 'The serving process went away before the command ended. Run it again to go on.',
  )
  return 1
}

/** @returns how the command ended; undefined when the answer ends without saying it */
async function relay(answer: IncomingMessage, terminal: Terminal): Promise<0 | 1 | undefined> {
  for await (const line of createInterface({ input: answer })) {
    const said = JSON.parse(line) as Said
    if ('out' in said) terminal.out(said.out)
    else if ('note' in said) terminal.note(said.note)
    else if ('progress' in said) terminal.progress(said.progress)
    else return said.end
  }
  return undefined
}

async function answered(call: ReturnType<typeof request>): Promise<IncomingMessage> {
  try {
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED'))
      throw new NoOperatorSocketError()
    throw error
  }
}
